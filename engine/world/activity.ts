// When each player was last active: the instant of its last accepted command, or of its creation. It is kept beside the state and is
// not part of its hash: no rule depends on it.
import { NumberColumn } from '../numbers/number-column.js';

export class PlayerActivity {
  /** Indexed by player number; 0 if it is not known. */
  readonly #lastMs = new NumberColumn();
  /** Used for players whose instant is not known: the time of the snapshot from which the world was loaded. */
  #unknownMs = 0;

  /** World time at which a player was last active; never too early. */
  lastMs(playerNumber: number): number {
    return this.#lastMs.get(playerNumber) || this.#unknownMs;
  }

  record(playerNumber: number, atMs: number): void {
    this.#lastMs.set(playerNumber, atMs);
  }

  /** Sets the instant for all players whose own is not known. */
  assume(atMs: number): void {
    this.#unknownMs = atMs;
  }
}
