// Whether the client of a connection lags: it has not read all that was written to it. Its unread bytes count against the budget that
// all connections share.

import type { Owner } from '../admission/owner-queue.js';
import { READER_STALL_MS, SOCKET_UNSENT_BYTES_MAX } from '../limits.js';
import { UNSENT_REPLIES } from '../transport/byte-budget.js';

export class ClientLag {
  /** When the client began to lag, by performance.now(); NaN while it does not. */
  #sinceMs = Number.NaN;
  #countedBytes = 0;

  /**
   * @param connection of whose client it is
   * @param takes takes bytes of the budget, or makes room for them first. @returns false if it cannot
   */
  constructor(
    private readonly connection: { readonly owner: Owner },
    private readonly takes: (bytes: number) => boolean,
  ) {}

  /** Bytes taken from the budget. */
  get countedBytes(): number {
    return this.#countedBytes;
  }

  get isLagging(): boolean {
    return !Number.isNaN(this.#sinceMs);
  }

  /** Whether it has lagged for READER_STALL_MS. */
  get isStalled(): boolean {
    return performance.now() - this.#sinceMs >= READER_STALL_MS;
  }

  /**
   * The client has not read all of what was just written.
   *
   * @param unsentBytes all bytes that it has not read
   * @returns false if they are too many: the client must be cut off
   */
  grow(unsentBytes: number): boolean {
    // A client that had read everything before may get a reply of any length.
    if (this.isLagging && unsentBytes > SOCKET_UNSENT_BYTES_MAX) return false;
    if (!this.isLagging) this.#sinceMs = performance.now();
    return this.#count(unsentBytes);
  }

  /** The client has read everything, or is gone. */
  end(): void {
    this.#sinceMs = Number.NaN;
    this.#count(0);
  }

  #count(bytes: number): boolean {
    UNSENT_REPLIES.give(this.connection.owner, this.#countedBytes);
    this.#countedBytes = 0;
    if (!this.takes(bytes)) return false;
    this.#countedBytes = bytes;
    return true;
  }
}
