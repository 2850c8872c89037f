// One line of progress on standard error: on a terminal it is replaced again and again; elsewhere a line is added now and then.
import { isatty } from 'node:tty';
import { FileOutput, STANDARD_ERROR } from './line-output.js';

const BAR_WIDTH = 30;
const REPLACED_EVERY_MS = 100;

/** The same progress in two forms, without `galaxyd` and the end of the line. */
export interface ProgressForms {
  readonly onTerminal: string;
  readonly elsewhere: string;
}

export class ProgressLine {
  readonly #output = new FileOutput(STANDARD_ERROR);
  readonly #isTerminal = isatty(STANDARD_ERROR);
  readonly #everyMs: number;
  #shownAtMs = performance.now();
  #isShown = false;

  /** @param addedEveryMs how often a line is added, at most, if standard error is no terminal */
  constructor(addedEveryMs: number) {
    this.#everyMs = this.#isTerminal ? REPLACED_EVERY_MS : addedEveryMs;
  }

  /** Shows progress, if enough time has passed since the last time. */
  show(forms: () => ProgressForms): void {
    const nowMs = performance.now();
    if (nowMs - this.#shownAtMs < this.#everyMs) return;
    this.#shownAtMs = nowMs;
    const { onTerminal, elsewhere } = forms();
    if (this.#isTerminal) this.#output.redraw(`galaxyd ${onTerminal}`);
    else this.#output.write(`galaxyd ${elsewhere}`);
    this.#isShown = this.#isTerminal;
  }

  /** Writes a line that stays. */
  tell(line: string): void {
    this.end();
    this.#output.write(`galaxyd ${line}`);
    this.#shownAtMs = performance.now();
  }

  /** Removes the line from a terminal. */
  end(): void {
    if (this.#isShown) this.#output.redraw('');
    this.#isShown = false;
  }
}

/** @param part from 0 to 1 */
export function bar(part: number): string {
  const filled = Math.min(BAR_WIDTH, Math.round(BAR_WIDTH * part));
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
}
