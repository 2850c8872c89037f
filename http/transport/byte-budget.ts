// Limits the bytes kept for clients over all connections of the process. The limits of a request and a reply bound what
// one connection keeps, but a client may open many connections. So a client may hold at most as much as is still free (as in
// body-budget.ts), over all its connections.

import type { Owner } from '../admission/owner-queue.js';
import { UNSENT_REPLY_BYTES_MAX } from '../limits.js';

export class ByteBudget {
  /** Bytes by client. */
  readonly #shares = new Map<Owner, number>();
  #usedBytes = 0;

  constructor(readonly bytesMax: number) {}

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** @returns false if the share of the client would be exceeded; nothing is taken then */
  take(owner: Owner, bytes: number): boolean {
    if (this.#shareOf(owner) + bytes > this.bytesMax - this.#usedBytes) return false;
    this.#change(owner, bytes);
    return true;
  }

  /** Releases bytes that a client took. */
  give(owner: Owner, bytes: number): void {
    this.#change(owner, -bytes);
  }

  /** What one client took belongs to another one from now on, even beyond its share. */
  move(from: Owner, to: Owner, bytes: number): void {
    this.#change(from, -bytes);
    this.#change(to, bytes);
  }

  #shareOf(owner: Owner): number {
    return this.#shares.get(owner) ?? 0;
  }

  #change(owner: Owner, bytes: number): void {
    if (bytes === 0) return;
    this.#usedBytes += bytes;
    const share = this.#shareOf(owner) + bytes;
    if (share > 0) this.#shares.set(owner, share);
    else this.#shares.delete(owner);
  }
}

/** Replies, or parts of them, that are not sent yet. */
export const UNSENT_REPLIES: ByteBudget = new ByteBudget(UNSENT_REPLY_BYTES_MAX);
