// The connections that have something to write. They are written together: after all replies of a record of the log have
// been released, or at the end of the turn of the event loop in which frames came. So each connection is written to once
// per record, however many replies it gets, and never within a callback of a transport's library.

import { SlicedQueue } from '../events/late-readers.js';
import { INLINE_TURN_MS, READER_SLICE_MS } from '../limits.js';

/** A connection that has something to write. Its methods must not throw. */
export interface Writer {
  /** Writes all frames that are ready. */
  flush(): void;
  /** Pulls some of the events that its client has not got, and writes them. If there are more, it is added again. */
  flushEvents(): void;
}

export class Outbox {
  /** True within a callback of a transport's library. */
  isInCallback = false;
  readonly #writers = new SlicedQueue<Writer>((writer) => writer.flush());
  readonly #readers = new SlicedQueue<Writer>((writer) => writer.flushEvents());
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
    this.#writers.add(writer);
    this.#flushSoon();
  }

  /** Has events of a connection flushed, behind all frames. Call it once before each such flush. */
  addEvents(writer: Writer): void {
    this.#readers.add(writer);
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    if (this.isInCallback) setImmediate(this.#flush);
    else process.nextTick(this.#flush);
  }

  /** Flushes for a part of the turn. Events get a smaller part, so that they delay no replies. */
  readonly #flush = (): void => {
    this.#nowMs = Number.NaN;
    const startMs = this.elapsedMs();
    this.#writers.run(this.elapsedMs, startMs + INLINE_TURN_MS);
    if (!this.#writers.isBehind) {
      this.#readers.run(this.elapsedMs, this.elapsedMs() + READER_SLICE_MS);
    }
    this.#isDue = !(this.#writers.isEmpty && this.#readers.isEmpty);
    if (this.#isDue) setImmediate(this.#flush);
  };
}
