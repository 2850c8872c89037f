// The API keys that share a WebSocket: one of the client itself, and those of its players. Each is sent before the first frame that
// needs it, and the server takes frames in order, so nothing waits for an answer.
import { PLAYERS_PER_SOCKET_MAX } from '../limits.js';
import type { HelloFrame } from './frames.js';

export class Keys {
  /** '' for none. */
  readonly #own: string;
  readonly #ofPlayers = new Map<string, string>();
  /** Players whose key was sent over the present connection. */
  readonly #sent = new Set<string>();
  /** The key that the connection was opened with. */
  #first = '';
  /** The key that was sent last: the server uses it for frames that name no player. */
  #last = '';

  /** @param own of the client itself; '' for none */
  constructor(own: string) {
    this.#own = own;
  }

  /**
   * Adds the key of a player, in place of an earlier one.
   *
   * @throws RangeError if there are PLAYERS_PER_SOCKET_MAX already
   */
  add(playerId: string, key: string): void {
    if (!this.#ofPlayers.has(playerId) && this.#ofPlayers.size >= PLAYERS_PER_SOCKET_MAX) {
      throw new RangeError(
        `a connection has the keys of ${PLAYERS_PER_SOCKET_MAX} players at most; use another client`,
      );
    }
    this.#ofPlayers.set(playerId, key);
    this.#sent.delete(playerId);
  }

  /** A connection is about to be opened. @returns the key for it; '' for none */
  open(): string {
    this.#sent.clear();
    const [first] = this.#ofPlayers;
    if (this.#own === '' && first !== undefined) this.#sent.add(first[0]);
    this.#first = this.#own === '' ? (first?.[1] ?? '') : this.#own;
    this.#last = this.#first;
    return this.#first;
  }

  /** The server has refused the key that the connection was opened with. @returns its player; null if it is the client's own */
  refused(): string | null {
    if (this.#first === this.#own) return null;
    for (const [playerId, key] of this.#ofPlayers) {
      if (key !== this.#first) continue;
      this.#ofPlayers.delete(playerId);
      return playerId;
    }
    return null;
  }

  /** The server has not taken the key of a player, for now. It is sent again before the next frame that needs it. */
  forget(playerId: string): void {
    this.#sent.delete(playerId);
  }

  /** What must be sent before a frame; null for nothing. @param playerId that the frame names */
  before(playerId: string | undefined): HelloFrame | null {
    if (playerId === undefined) return this.#own === '' ? null : this.#again(this.#own);
    const key = this.#ofPlayers.get(playerId);
    if (key === undefined || this.#sent.has(playerId)) return null;
    this.#sent.add(playerId);
    this.#last = key;
    return { op: 'hello', id: playerId, key };
  }

  #again(own: string): HelloFrame | null {
    if (this.#last === own) return null;
    this.#last = own;
    return { op: 'hello', id: '', key: own };
  }
}
