// Progress of a tournament, or of its verification: a bar on a terminal; lines elsewhere, one for each game.
import { isatty } from 'node:tty';
import { FileOutput, STANDARD_ERROR } from './line-output.js';

const BAR_WIDTH = 30;
const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 10_000;

export class TournamentProgressBar {
  readonly #output = new FileOutput(STANDARD_ERROR);
  readonly #isTerminal = isatty(STANDARD_ERROR);
  #shownAtMs = performance.now();
  #isBarShown = false;

  /** Shows how far it is. @param part from 0 to 1 */
  show(part: number, sentence: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#shownAtMs < (this.#isTerminal ? BAR_EVERY_MS : LINE_EVERY_MS)) return;
    this.#shownAtMs = nowMs;
    if (!this.#isTerminal) {
      this.#output.write(`galaxyd ${sentence} (${Math.floor(100 * part)} %)\n`);
      return;
    }
    const filled = Math.min(BAR_WIDTH, Math.round(BAR_WIDTH * part));
    this.#output.write(`\r\u001b[Kgalaxyd [${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${sentence}`);
    this.#isBarShown = true;
  }

  /** Writes a line that stays. */
  tell(line: string): void {
    this.end();
    this.#output.write(`galaxyd ${line}\n`);
    this.#shownAtMs = performance.now();
  }

  end(): void {
    if (this.#isBarShown) this.#output.write('\r\u001b[K');
    this.#isBarShown = false;
  }
}
