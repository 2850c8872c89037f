// The connections that have something to write. They are written together: after all replies of a record of the log have
// been released, or at the end of the turn of the event loop in which frames came. So each connection is written to once
// per record, however many replies it gets, and never within a callback of a transport's library.

import { INLINE_TURN_MS } from '../limits.js';

/** A connection that has something to write. */
export interface Writer {
  /** Writes everything that there is to write. Must not throw. */
  flush(): void;
}

export class Outbox {
  /** True within a callback of a transport's library. */
  isInCallback = false;
  #writers: Writer[] = [];
  /** True if a flush is about to come. */
  #isDue = false;
  #nowMs = Number.NaN;

  /** @param elapsedMs measures how long a flush takes */
  constructor(private readonly elapsedMs: () => number = () => performance.now()) {}

  /** performance.now(), read once for all replies that are written together: reading it takes as long as counting a reply. */
  get nowMs(): number {
    if (Number.isNaN(this.#nowMs)) this.#nowMs = performance.now();
    return this.#nowMs;
  }

  /** Has a connection flushed soon. Call it once before each flush. */
  add(writer: Writer): void {
    this.#writers.push(writer);
    if (this.#isDue) return;
    this.#isDue = true;
    if (this.isInCallback) setImmediate(this.#flush);
    else process.nextTick(this.#flush);
  }

  /** Flushes for a part of the turn: a thousand readers that are far behind would make everybody else wait. */
  readonly #flush = (): void => {
    const writers = this.#writers;
    this.#writers = [];
    this.#nowMs = Number.NaN;
    const endMs = this.elapsedMs() + INLINE_TURN_MS;
    let next = 0;
    do {
      (writers[next] as Writer).flush();
      next += 1;
    } while (next < writers.length && this.elapsedMs() < endMs);
    // What was added meanwhile comes behind the rest.
    if (next < writers.length) this.#writers = [...writers.slice(next), ...this.#writers];
    this.#isDue = this.#writers.length > 0;
    if (this.#isDue) setImmediate(this.#flush);
  };
}
