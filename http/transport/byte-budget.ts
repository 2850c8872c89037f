// How many bytes may be kept for clients over every connection of the process. What one connection may keep is bounded by
// the limits of a request and a reply, but anyone may open many connections.
import { UNSENT_REPLY_BYTES_MAX } from '../limits.js';

export class ByteBudget {
  #usedBytes = 0;

  constructor(readonly bytesMax: number) {}

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** @returns false if they would be too many; nothing is taken then */
  take(bytes: number): boolean {
    if (this.#usedBytes + bytes > this.bytesMax) return false;
    this.#usedBytes += bytes;
    return true;
  }

  /** Gives back what was taken. */
  give(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}

/** Replies, or parts of them, that clients have not taken yet. */
export const UNSENT_REPLIES: ByteBudget = new ByteBudget(UNSENT_REPLY_BYTES_MAX);
