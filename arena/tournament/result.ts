// The shapes of the result of a tournament and of a finished game, the ranks of a game, and the errors of a tournament. Each error has
// a message for the operator. A fault of an entrant is not an error.
import type { Shapes } from '../galaxyd-client.js';

/** The content of `result.json`. */
export type Tournament = Shapes['Tournament'];
export type TournamentEntrant = Tournament['entrants'][number];
export type TournamentGame = Tournament['games'][number];
export type TournamentPlayer = TournamentGame['players'][number];
/** What a player agreed on with others in a game, as counts. */
export type Deals = TournamentPlayer['deals'];
export type Rating = Tournament['ratings'][number];
export type Withheld = Tournament['withheld'][number];
/** Two entrants of which the games do not say who is better. */
export type UnseparatedPair = Tournament['unseparated'][number];
/** While the tournament runs, the file shows no key secret. */
export type ShownSettings = Tournament['settings'];
export type Settings = ShownSettings & { readonly keySecret: string };

/** Ranks by points, 1 for the most. Equal points share the mean of their places. */
export function ranksOf(points: readonly number[]): number[] {
  return points.map((own) => {
    const better = points.filter((other) => other > own).length;
    const equal = points.filter((other) => other === own).length;
    return better + (equal + 1) / 2;
  });
}

/** The options of the tournament cannot be played, or not in this folder. */
export class UnfitTournament extends Error {
  override readonly name = 'UnfitTournament';
}

/** The server of a game failed. No entrant is to blame. */
export class ServerFailed extends Error {
  override readonly name = 'ServerFailed';
}

/** The folder does not hold the result of a tournament. */
export class NoTournament extends Error {
  override readonly name = 'NoTournament';
}

/** Identifies the rules of a world. */
export type RulesIdentity = Settings['rules'];

export interface FinishedPlayer {
  readonly name: string;
  readonly playerId: string;
  readonly points: number;
  /** Points at the end of each world day, up to the last entry of the log. */
  readonly pointsByDay: readonly number[];
  /** Hash of the key with which the player was created. */
  readonly keyHash: string;
  /** Commands of the player in the log: those that were accepted. */
  readonly acceptedCommands: number;
  /** Highest number of them within one day of the game. */
  readonly acceptedCommandsInADay: number;
  readonly income: TournamentPlayer['income'];
  readonly deals: Deals;
}

/** What a player wrote in a finished game. */
export interface FinishedMessage {
  readonly id: string;
  /** World time. */
  readonly at: string;
  /** Name of the player who wrote it. */
  readonly sender: string;
  /** Name of the player to whom it was sent; null: to everybody. */
  readonly receiver: string | null;
  readonly text: string;
}

/** What the log of a finished game says, as a replay from its genesis finds it. */
export interface FinishedWorld {
  readonly seed: number;
  readonly speed: number;
  readonly systemsPerGalaxy: number;
  readonly rules: RulesIdentity;
  /** World time of its genesis, and of its last entry. */
  readonly startedAt: string;
  readonly worldTime: string;
  readonly seq: number;
  readonly stateHash: string;
  /** SHA-256 over the entries of the log. */
  readonly logDigest: string;
  /** In the order of their creation. */
  readonly players: readonly FinishedPlayer[];
  /** All that were sent, in their order. */
  readonly messages: readonly FinishedMessage[];
  /** Types of entries that have no place in a game, since only an operator can send them. */
  readonly foreignCommands: readonly string[];
}

/**
 * Reads a finished game from its folder. The arena cannot read logs, so its caller passes this function.
 *
 * @throws Error if the world is damaged; its message says where
 */
export type ReadFinishedWorld = (folder: string) => Promise<FinishedWorld>;
