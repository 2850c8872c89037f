// The API keys that a connection has brought. Only their hashes are kept, and whether a key is still valid is asked for
// each use: keys are rotated, revoked, and expire.
import { KEYS_PER_SOCKET_MAX } from '../limits.js';

export class KeyRing {
  /** Hashes of keys by the numbers of their players. */
  readonly #hashes = new Map<number, string>();
  #latest = '';

  /** Hash of the key brought last; '' if there is none. */
  get latest(): string {
    return this.#latest;
  }

  /** Hash of the key of a player; undefined if it was not brought. */
  of(playerNumber: number): string | undefined {
    return this.#hashes.get(playerNumber);
  }

  /**
   * Adds the key of a player, in place of an earlier one.
   *
   * @param playerNumber 0 for a key that is no player's
   * @returns false if there are KEYS_PER_SOCKET_MAX keys already
   */
  add(playerNumber: number, hash: string): boolean {
    if (!this.#hashes.has(playerNumber) && this.#hashes.size >= KEYS_PER_SOCKET_MAX) return false;
    this.#hashes.set(playerNumber, hash);
    this.#latest = hash;
    return true;
  }
}
