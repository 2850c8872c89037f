// At most so many requests at a time: the others wait for their turn, first come, first served.
import { WAITING_CALLS_MAX } from './limits.js';

export class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  /** @param concurrency how many may have a turn at a time */
  constructor(concurrency: number) {
    if (!Number.isInteger(concurrency) || concurrency < 1) throw new RangeError('concurrency must be at least 1');
    this.#free = concurrency;
  }

  /**
   * Runs a task when it has a turn.
   *
   * @throws the reason of the signal if it is aborted before
   */
  async take<Result>(signal: AbortSignal, task: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    try {
      return await task();
    } finally {
      this.#pass();
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= WAITING_CALLS_MAX) {
      throw new RangeError(`${WAITING_CALLS_MAX} calls are waiting already; await some of them first`);
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.delete(begin);
        reject(signal.reason);
      };
      this.#waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Gives the turn to whoever has waited longest. */
  #pass(): void {
    for (const begin of this.#waiting) {
      this.#waiting.delete(begin);
      begin();
      return;
    }
    this.#free += 1;
  }
}
