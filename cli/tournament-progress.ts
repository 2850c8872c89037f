// Progress of a tournament, or of its verification: a bar on a terminal; elsewhere a line every ten seconds. Each finished game has a
// line that stays.
import { bar, ProgressLine } from './progress-line.js';

const LINE_EVERY_MS = 10_000;

export class TournamentProgressBar {
  readonly #line = new ProgressLine(LINE_EVERY_MS);

  /** Shows how far it is. @param part from 0 to 1 */
  show(part: number, sentence: string): void {
    this.#line.show(() => ({
      onTerminal: `${bar(part)} ${sentence}`,
      elsewhere: `${sentence} (${Math.floor(100 * part)} %)`,
    }));
  }

  /** Writes a line that stays. */
  tell(sentence: string): void {
    this.#line.tell(sentence);
  }

  end(): void {
    this.#line.end();
  }
}
