// How far a bench, or another long command, is: to a terminal one line with a bar that changes, to a pipe plain lines. Always
// on standard error: standard output has only results.

const BAR_WIDTH = 24;
/** Shortest time between two lines to a pipe about work that is not a step. */
const LINE_EVERY_MS = 5_000;

export class Progress {
  readonly #stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;
  readonly #stepCount: number;
  readonly #command: string;
  #step = 0;
  #writtenAtMs = Number.NEGATIVE_INFINITY;

  /** @param stepCount how many times step() will be called */
  constructor(
    stepCount: number,
    stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY'> = process.stderr,
    command = 'bench',
  ) {
    this.#command = command;
    this.#stepCount = Math.max(stepCount, 1);
    this.#stream = stream;
  }

  /** More steps are done. @param text what comes next, or what was done */
  step(text: string, count = 1): void {
    this.#step = Math.min(this.#step + count, this.#stepCount);
    this.#write(text);
  }

  /** Reports work that is not a step. */
  say(text: string): void {
    if (this.#stream.isTTY || performance.now() - this.#writtenAtMs >= LINE_EVERY_MS) this.#write(text);
  }

  #write(text: string): void {
    this.#writtenAtMs = performance.now();
    const percent = Math.floor((100 * this.#step) / this.#stepCount);
    if (this.#stream.isTTY) {
      const filled = Math.round((BAR_WIDTH * this.#step) / this.#stepCount);
      const bar = '#'.repeat(filled) + '.'.repeat(BAR_WIDTH - filled);
      this.#stream.write(`\r\u001b[K${this.#command} [${bar}] ${percent} % ${text}`);
    } else {
      this.#stream.write(`${this.#command}: ${percent} % ${text}\n`);
    }
  }

  /** Takes the bar away. */
  end(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\u001b[K');
  }
}
