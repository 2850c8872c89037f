// The API keys that a client has sent over a connection. Only their hashes are kept. Each use checks whether the key is still valid:
// keys are rotated, revoked, and expire.
import { KEYS_PER_SOCKET_MAX } from '../limits.js';

export class KeyRing {
  /** Hashes of keys by the numbers of their players. */
  readonly #hashes = new Map<number, string>();
  #latest = '';

  /** Hash of the last key; '' if there is none. */
  get latest(): string {
    return this.#latest;
  }

  /** Hash of the key of a player; undefined if the client has not sent it. */
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
