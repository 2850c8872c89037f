// What this program writes to standard output and standard error, line by line. Nothing else in cli/ writes there. Each line is made
// printable here: a terminal never executes what a rule file, a reply or a data folder contains, and no text spans several lines.
import { writeSync } from 'node:fs';
import { shownText } from '../../text/foreign-text.js';
import { OUTPUT_RETRIES_MAX, OUTPUT_RETRY_MS } from '../limits.js';

export const STANDARD_OUTPUT = 1;
export const STANDARD_ERROR = 2;

/** Where a log writes its lines. */
export interface LineOutput {
  /**
   * @param line without its end
   * @returns false if the line could not be written, or not all of it
   */
  write(line: string): boolean;
}

/** Writes bytes from an offset on. @returns how many bytes were written */
type Write = (file: number, bytes: Buffer, offset: number) => number;

/** Erases the line that the cursor is on. */
const ERASED_LINE = '\r\u001b[K';
/** Moves the cursor to the first of the last lines, and erases them. */
const erasedLines = (count: number): string => (count === 0 ? '' : `\u001b[${count}A\r\u001b[J`);

/**
 * Writes synchronously, and never throws. If the disk is full, the pipe closed or the reader stalled, only the line is lost.
 */
export class FileOutput implements LineOutput {
  readonly #file: number;
  readonly #write: Write;
  /** A line was written in part. The next one must start on a new line. */
  #isTorn = false;
  #hasFailed = false;

  /**
   * @param file descriptor, since accessing process.stdout would make a pipe there non-blocking
   * @param write replaced in tests
   */
  constructor(file: number, write: Write = writeSync) {
    this.#file = file;
    this.#write = write;
  }

  write(line: string): boolean {
    return this.#put(`${shownText(line)}\n`);
  }

  /** Replaces the line that was drawn last on a terminal. The cursor stays on the line. */
  redraw(line: string): void {
    this.#put(ERASED_LINE + shownText(line));
  }

  /** Replaces the last lines on a terminal. @param count of the lines that are replaced */
  redrawLines(count: number, lines: readonly string[]): void {
    this.#put(`${erasedLines(count)}${lines.map(shownText).join('\n')}\n`);
  }

  #put(text: string): boolean {
    const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text);
    // Retries only after a success, so that a stalled reader does not delay the server with each line.
    const writtenBytes = this.#writeBytes(bytes, this.#hasFailed ? 0 : OUTPUT_RETRIES_MAX);
    this.#hasFailed = writtenBytes < bytes.length;
    if (writtenBytes > 0) this.#isTorn = this.#hasFailed;
    return !this.#hasFailed;
  }

  /** @returns how many bytes were written */
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

/** Atomics.wait() sleeps on it until its timeout. */
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4));

/** Prints the lines of a result, completely and in order, also to a slow reader. */
export function printLines(lines: readonly string[]): void {
  guarded(process.stdout).write(textOf(lines));
}

/** Prints lines about what the program does or cannot do. */
export function tellLines(lines: readonly string[]): void {
  guarded(process.stderr).write(textOf(lines));
}

/** Prints one line of many. @returns a promise if the caller should wait for a slow reader before the next one */
export function streamLine(line: string): Promise<void> | undefined {
  if (guarded(process.stdout).write(textOf([line]))) return undefined;
  return new Promise((resolve) => process.stdout.once('drain', resolve));
}

/** Standard output, for a protocol that a library speaks. */
export function protocolOutput(): NodeJS.WriteStream {
  return guarded(process.stdout);
}

/** Ends the process once nobody reads its output, which may have no end: `galaxyd log --follow | head`. */
export function exitOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

const GUARDED = new WeakSet<NodeJS.WriteStream>();

/** Nobody may read a result to its end: `galaxyd rules show standard-1 | head` is not an error, and the exit code is what it would be. */
function guarded(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (GUARDED.has(stream)) return stream;
  GUARDED.add(stream);
  return stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${shownText(line)}\n`).join('');
}
