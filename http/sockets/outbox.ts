// The connections that have something to write. They are written together: after all replies of a record of the log have
// been released, or at the end of the turn of the event loop in which frames came. So each connection is written to once
// per record, however many replies it gets, and never within a callback of a transport's library.

/** A connection that has something to write. */
export interface Writer {
  /** Writes everything that there is to write. Must not throw. */
  flush(): void;
}

export class Outbox {
  /** True within a callback of a transport's library. */
  isInCallback = false;
  #writers: Writer[] = [];
  #nowMs = Number.NaN;

  /** performance.now(), read once for all replies that are written together: reading it takes as long as counting a reply. */
  get nowMs(): number {
    if (Number.isNaN(this.#nowMs)) this.#nowMs = performance.now();
    return this.#nowMs;
  }

  /** Has a connection flushed soon. Call it once before each flush. */
  add(writer: Writer): void {
    if (this.#writers.push(writer) > 1) return;
    if (this.isInCallback) setImmediate(this.#flush);
    else process.nextTick(this.#flush);
  }

  readonly #flush = (): void => {
    const writers = this.#writers;
    this.#writers = [];
    this.#nowMs = Number.NaN;
    for (const writer of writers) writer.flush();
  };
}
