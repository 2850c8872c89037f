// A request whose reply waits for something else than the disk, for a while: it is answered once it is woken, when its time is over or
// when the server stops. While it waits it occupies neither a seat nor a place in the work queue.
import type { Exchange, Waiting } from '../exchange/exchange.js';
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
