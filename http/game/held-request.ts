// Requests whose reply waits for something else than the disk, for a while: each is answered once it is woken, when its time is over or
// when the server stops. While it waits it occupies neither a seat nor a place in the work queue. Each occupies a connection, so all of
// them are bounded by the limits of connections; those of one owner have a limit of their own.
import { OwnerCounts } from '../admission/owners.js';
import type { Exchange, Waiting } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import { RETRY_AFTER_MS } from '../limits.js';
import type { Replies } from './replies.js';

export class HeldRequest implements Waiting {
  #ends: (() => void)[] = [];

  /** @param answer answers the exchange. It has waited, so its caller may have lost its key, or the player may be gone */
  constructor(
    private readonly replies: Pick<Replies, 'run' | 'answerBug'>,
    private readonly exchange: Exchange,
    private readonly answer: () => void,
  ) {}

  /**
   * Waits until wake() is called.
   *
   * @param ended called once when it no longer waits, also if `begin` throws
   * @param begin called if it waits. @returns what ends what it has begun, called once
   * @returns false if the request cannot wait: answer it at once
   */
  wait(waitMs: number, ended: () => void, begin: () => () => void): boolean {
    if (!this.exchange.keepWaiting(this)) return false;
    this.#ends = [ended];
    this.#ends.push(begin());
    const timer = setTimeout(() => this.wake(), waitMs);
    this.#ends.push(() => clearTimeout(timer));
    return true;
  }

  wake(): void {
    const { exchange, replies } = this;
    this.over();
    try {
      replies.run(exchange, this.answer);
    } catch (error) {
      replies.answerBug(exchange, error);
    }
  }

  hurry(): void {
    this.wake();
  }

  over(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}

export class ReaderPlaces {
  readonly #taken = new OwnerCounts<number>();

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
    if (this.#taken.of(owner) >= this.maximum) {
      sendProblem(exchange, 'rate_limited', {
        detail: this.detail,
        limit: { name: this.name, maximum: this.maximum },
        retryAfterMs: RETRY_AFTER_MS,
      });
      return false;
    }
    this.#taken.add(owner, 1);
    return true;
  }

  give(owner: number): void {
    this.#taken.add(owner, -1);
  }
}
