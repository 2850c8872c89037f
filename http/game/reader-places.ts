// How many requests of one owner may wait at a time. Each occupies a connection, so all of them are bounded by the limits of connections.

import type { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import { RETRY_AFTER_MS } from '../limits.js';

export class ReaderPlaces {
  readonly #taken = new Map<number, number>();

  /**
   * @param name of the limit
   * @param maximum for each owner
   * @param detail says in a sentence that an owner has as many as it may have
   */
  constructor(
    private readonly name: string,
    private readonly maximum: number,
    private readonly detail: string,
  ) {}

  /** @returns false if the owner has as many places as it may have; the exchange is answered then */
  take(exchange: Exchange, owner: number): boolean {
    const taken = this.#taken.get(owner) ?? 0;
    if (taken >= this.maximum) {
      sendProblem(exchange, 'rate_limited', {
        detail: this.detail,
        limit: { name: this.name, maximum: this.maximum },
        retryAfterMs: RETRY_AFTER_MS,
      });
      return false;
    }
    this.#taken.set(owner, taken + 1);
    return true;
  }

  give(owner: number): void {
    const left = (this.#taken.get(owner) ?? 0) - 1;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
  }
}
