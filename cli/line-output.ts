// Writes lines to standard output or standard error of this process at once, and never throws: a full disk, a closed pipe or
// a reader that has stalled costs the line and nothing else.
import { writeSync } from 'node:fs';
import { OUTPUT_RETRIES_MAX, OUTPUT_RETRY_MS } from './limits.js';

export const STANDARD_OUTPUT = 1;
export const STANDARD_ERROR = 2;

/** Where the lines of a log go. */
export interface LineOutput {
  /** @returns false if the line could not be written, or not all of it */
  write(line: string): boolean;
}

/** Writes bytes from an offset on. @returns how many */
type Write = (file: number, bytes: Buffer, offset: number) => number;

export class FileOutput implements LineOutput {
  readonly #file: number;
  readonly #write: Write;
  /** A line was written in part: the next one must not go on where it broke off. */
  #isTorn = false;
  #hasFailed = false;

  /**
   * @param file descriptor. Asking for process.stdout instead would make a pipe there non-blocking
   * @param write tests put their own in place
   */
  constructor(file: number, write: Write = writeSync) {
    this.#file = file;
    this.#write = write;
  }

  write(line: string): boolean {
    const bytes = Buffer.from(this.#isTorn ? `\n${line}` : line);
    // Only the first of several failures is waited for: a reader that has stalled must not hold up the server with each line.
    const writtenBytes = this.#writeBytes(bytes, this.#hasFailed ? 0 : OUTPUT_RETRIES_MAX);
    this.#hasFailed = writtenBytes < bytes.length;
    if (writtenBytes > 0) this.#isTorn = this.#hasFailed;
    return !this.#hasFailed;
  }

  /** @returns how many were written */
  #writeBytes(bytes: Buffer, retriesMax: number): number {
    let writtenBytes = 0;
    let retries = 0;
    while (writtenBytes < bytes.length) {
      try {
        writtenBytes += this.#write(this.#file, bytes, writtenBytes);
      } catch (error) {
        const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
        if (!isFull || retries === retriesMax) return writtenBytes;
        retries += 1;
        Atomics.wait(NEVER_WOKEN, 0, 0, OUTPUT_RETRY_MS);
      }
    }
    return writtenBytes;
  }
}

/** To sleep on. */
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4));
