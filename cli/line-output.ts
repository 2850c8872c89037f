// Writes lines synchronously to standard output or standard error of this process, and never throws: with a full disk,
// a closed pipe or a stalled reader, only the line is lost.
import { writeSync } from 'node:fs';
import { OUTPUT_RETRIES_MAX, OUTPUT_RETRY_MS } from './limits.js';

export const STANDARD_OUTPUT = 1;
export const STANDARD_ERROR = 2;

/** Where a log writes its lines. */
export interface LineOutput {
  /** @returns false if the line could not be written, or not all of it */
  write(line: string): boolean;
}

/** Writes bytes from an offset on. @returns the number of bytes written */
type Write = (file: number, bytes: Buffer, offset: number) => number;

export class FileOutput implements LineOutput {
  readonly #file: number;
  readonly #write: Write;
  /** A line was written in part: the next one must start on a new line. */
  #isTorn = false;
  #hasFailed = false;

  /**
   * @param file descriptor. Accessing process.stdout instead would make a pipe there non-blocking
   * @param write replaced in tests
   */
  constructor(file: number, write: Write = writeSync) {
    this.#file = file;
    this.#write = write;
  }

  write(line: string): boolean {
    const bytes = Buffer.from(this.#isTorn ? `\n${line}` : line);
    // Retries only after a success: a stalled reader must not delay the server with each line.
    const writtenBytes = this.#writeBytes(bytes, this.#hasFailed ? 0 : OUTPUT_RETRIES_MAX);
    this.#hasFailed = writtenBytes < bytes.length;
    if (writtenBytes > 0) this.#isTorn = this.#hasFailed;
    return !this.#hasFailed;
  }

  /** @returns the number of bytes written */
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

/** For Atomics.wait(), which sleeps until its timeout. */
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4));
