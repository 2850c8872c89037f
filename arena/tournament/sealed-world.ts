// What the log of a finished game says, as a replay from its genesis finds it. The tournament cannot read logs: its caller
// passes a function that does.
import type { Settings } from './result.js';

/** Which rules a world is played by. */
export type RulesIdentity = Settings['rules'];

export interface SealedPlayer {
  readonly name: string;
  readonly playerId: string;
  readonly points: number;
  /** Hash of the key that it was created with. */
  readonly keyHash: string;
  /** Commands of it in the log: those that were accepted. */
  readonly acceptedCommands: number;
  /** The most of them within a day of the game. */
  readonly acceptedCommandsInADay: number;
}

export interface SealedWorld {
  readonly seed: number;
  readonly speed: number;
  readonly systemsPerGalaxy: number;
  readonly rules: RulesIdentity;
  /** World time at which it began, and of its last entry. */
  readonly startedAt: string;
  readonly worldTime: string;
  readonly seq: number;
  readonly stateHash: string;
  /** SHA-256 over its entries. */
  readonly logDigest: string;
  /** In the order in which they were created. */
  readonly players: readonly SealedPlayer[];
  /** Kinds of entries that have no place in a game: what only an operator can do. */
  readonly foreignCommands: readonly string[];
}

/** @throws Error if the world is damaged; its message says where */
export type SealWorld = (folder: string) => Promise<SealedWorld>;
