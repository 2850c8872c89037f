// Shows the games of a tournament in one replay: the world of one game after another, each with a past of its own.
import { OutsideHistory, type ReplayedWorld, type ReplaySource } from '../../persistence/history/replayed-world.js';
import type { TournamentTraceBody } from '../schemas/tournament.js';
import { readTrace } from './entrant-trace.js';
import type { TournamentFolder, TournamentResult } from './tournament-folder.js';

/** A request names a game that cannot be shown. */
export class NoSuchGame extends Error {
  override readonly name = 'NoSuchGame';
}

/** The games of a replay that shows no tournament. */
export const NO_GAMES: Pick<ReplayedTournament, 'openGame'> = {
  openGame: () => Promise.reject(new NoSuchGame('this server shows no tournament')),
};

export interface ReplayedTournamentOptions {
  readonly folder: TournamentFolder;
  /** Number of the game that is shown first; the first by default. */
  readonly game?: number;
  /** Opens the past of a world. */
  readonly openPast: (worldFolder: string) => Promise<ReplaySource>;
  /** Opens the replay with its first source, which it closes if that fails. */
  readonly openReplay: (source: ReplaySource) => Promise<ReplayedWorld>;
  /** Called with the reason if the world of a game cannot be read. Clients do not get the reason. */
  readonly onFailure: (error: unknown) => void;
}

export class ReplayedTournament {
  readonly #options: ReplayedTournamentOptions;

  private constructor(
    options: ReplayedTournamentOptions,
    /** Shows the game that was asked for last. */
    readonly replay: ReplayedWorld,
  ) {
    this.#options = options;
  }

  /** @throws NoSuchGame if the game is not over, what the options throw */
  static async open(options: ReplayedTournamentOptions): Promise<ReplayedTournament> {
    const { folder, game, openReplay } = options;
    const number = gameOf((await folder.result()).body, game);
    return new ReplayedTournament(options, await openReplay(await sourceOf(options, number)));
  }

  /** What is known of the tournament now: the last result that could be read. */
  result(): Promise<TournamentResult> {
    return this.#options.folder.result();
  }

  /**
   * What an entrant did in a game.
   *
   * @param number of a game that is over
   * @param offset how many lines of its trace are left out
   * @param areRefused whether only refused requests are shown
   * @throws NoSuchGame if the game is not over, or has no such entrant
   */
  async trace(number: number, label: string, offset: number, areRefused: boolean): Promise<TournamentTraceBody> {
    const { body } = await this.result();
    const game = gameOf(body, number);
    // Only a label of the result becomes part of a path.
    const { players = [] } = body.games.find((each) => each.number === game) ?? {};
    if (players.every((player) => player.label !== label))
      throw new NoSuchGame(`game ${number} has no entrant ${label}`);
    const path = await this.#options.folder.entrantPath(game, label);
    try {
      return { game, label, ...(await readTrace(path, offset, areRefused)) };
    } catch (error) {
      this.#options.onFailure(error);
      throw new NoSuchGame(`the trace of ${label} in game ${number} cannot be read; the log of the server says why`);
    }
  }

  /**
   * Shows the world of a game.
   *
   * @param number of a game that is over
   * @param atSeq of the last entry that is applied; the first by default
   * @throws NoSuchGame, OutsideHistory
   */
  async openGame(number: number, atSeq?: number): Promise<void> {
    gameOf((await this.result()).body, number);
    const { game, first } = await this.replay.state();
    if (game === number) return this.replay.move({ seq: atSeq ?? first.seq });
    try {
      await this.replay.show(() => sourceOf(this.#options, number), atSeq);
    } catch (error) {
      if (error instanceof OutsideHistory) throw error;
      this.#options.onFailure(error);
      throw new NoSuchGame(`the world of game ${number} cannot be read; the log of the server says why`);
    }
  }
}

/** The number of a game; that of the first one by default. @throws NoSuchGame if it is not over */
function gameOf({ games }: TournamentResult['body'], number: number | undefined = games[0]?.number): number {
  if (number === undefined || games.length === 0) throw new NoSuchGame('no game of the tournament is over yet');
  if (games.some((game) => game.number === number)) return number;
  throw new NoSuchGame(`there is no game ${number}: games 1 to ${games.length} are over`);
}

async function sourceOf({ folder, openPast }: ReplayedTournamentOptions, number: number): Promise<ReplaySource> {
  return { ...(await openPast(folder.worldFolder(number))), game: number };
}
