// The frames of one connection that are not handled yet, oldest first. Their number is limited here; their characters count against
// a budget that all connections share.

import type { Owner } from '../admission/owner-queue.js';
import { SOCKET_BACKLOG_MAX } from '../limits.js';
import type { ByteBudget } from '../transport/byte-budget.js';

export class WaitingFrames {
  #texts: string[] = [];
  /** Index of the next frame. */
  #next = 0;
  #length = 0;

  /**
   * @param connection of whose client they are
   * @param budget characters of the waiting frames of all connections
   * @param takes takes characters of the budget, or makes room for them first. @returns false if it cannot
   */
  constructor(
    private readonly connection: { readonly owner: Owner },
    private readonly budget: ByteBudget,
    private readonly takes: (length: number) => boolean,
  ) {}

  /** Characters of all of them. */
  get length(): number {
    return this.#length;
  }

  get count(): number {
    return this.#texts.length - this.#next;
  }

  /** @returns false if there is no room; the frame is not added then */
  add(text: string): boolean {
    if (this.count >= SOCKET_BACKLOG_MAX || !this.takes(text.length)) return false;
    this.#texts.push(text);
    this.#length += text.length;
    return true;
  }

  /** Removes the oldest frame; there must be one. */
  take(): string {
    const text = this.#texts[this.#next] as string;
    this.#next += 1;
    if (this.#next === this.#texts.length) {
      this.#texts = [];
      this.#next = 0;
    }
    this.#length -= text.length;
    this.budget.give(this.connection.owner, text.length);
    return text;
  }

  clear(): void {
    while (this.count > 0) this.take();
  }
}
