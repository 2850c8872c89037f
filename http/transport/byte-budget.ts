// Limits the bytes kept for clients over all connections of the process. The limits of a request and a reply bound what
// one connection keeps, but a client may open many connections.
import { UNSENT_REPLY_BYTES_MAX } from '../limits.js';

export class ByteBudget {
  #usedBytes = 0;

  constructor(readonly bytesMax: number) {}

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** @returns false if the limit would be exceeded; nothing is taken then */
  take(bytes: number): boolean {
    if (this.#usedBytes + bytes > this.bytesMax) return false;
    this.#usedBytes += bytes;
    return true;
  }

  /** Releases bytes that were taken. */
  give(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}

/** Replies, or parts of them, that are not sent yet. */
export const UNSENT_REPLIES: ByteBudget = new ByteBudget(UNSENT_REPLY_BYTES_MAX);
