// The connections that have something to write. They are written together: after all replies of a record of the log have
// been released, or at the end of the turn of the event loop in which frames came. So each connection is written to once
// per record, however many replies it gets, and never within a callback of a transport's library.

import { INLINE_TURN_MS, WORK_SLICE_MS } from '../limits.js';

/** A connection that has something to write. Its methods must not throw. */
export interface Writer {
  /** Writes all frames that are ready. */
  flush(): void;
  /** Pulls some of the events that its client has not got, and writes them. If there are more, it calls addEvents() again. */
  flushEvents(): void;
}

export class Outbox {
  /** True within a callback of a transport's library. */
  isInCallback = false;
  /** Those that have frames, and those that have events. */
  #writers: Writer[] = [];
  #readers: Writer[] = [];
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
    this.#flushSoon();
  }

  /** Has events of a connection flushed, behind all frames. Call it once before each such flush. */
  addEvents(writer: Writer): void {
    this.#readers.push(writer);
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    if (this.isInCallback) setImmediate(this.#flush);
    else process.nextTick(this.#flush);
  }

  /** Flushes for a part of the turn. Readers that are far behind get a smaller part, so that they delay no replies. */
  readonly #flush = (): void => {
    this.#nowMs = Number.NaN;
    const writers = this.#writers;
    this.#writers = [];
    const writtenCount = this.#inSlice(writers, INLINE_TURN_MS, flush);
    // What was added meanwhile comes behind the rest.
    if (writtenCount < writers.length) this.#writers = [...writers.slice(writtenCount), ...this.#writers];
    else {
      const readers = this.#readers;
      this.#readers = [];
      const readCount = this.#inSlice(readers, WORK_SLICE_MS, flushEvents);
      if (readCount < readers.length) this.#readers = [...readers.slice(readCount), ...this.#readers];
    }
    this.#isDue = this.#writers.length + this.#readers.length > 0;
    if (this.#isDue) setImmediate(this.#flush);
  };

  /** @returns how many were flushed; at least one, if there is one */
  #inSlice(writers: readonly Writer[], sliceMs: number, write: (writer: Writer) => void): number {
    const endMs = this.elapsedMs() + sliceMs;
    for (const [index, writer] of writers.entries()) {
      write(writer);
      if (this.elapsedMs() >= endMs) return index + 1;
    }
    return writers.length;
  }
}

const flush = (writer: Writer): void => writer.flush();
const flushEvents = (writer: Writer): void => writer.flushEvents();
