// Progress of long operations on standard error. On a terminal one line is replaced again and again; elsewhere a line is added now
// and then.
import { isatty } from 'node:tty';
import type { CopyProgress, CopyStep } from '../../persistence/upkeep/copy.js';
import { FileOutput, STANDARD_ERROR } from './lines.js';
import { grouped } from './summaries.js';

const BAR_WIDTH = 30;
const REPLACED_EVERY_MS = 100;
const RECOVERY_LINE_EVERY_MS = 2_000;
const TOURNAMENT_LINE_EVERY_MS = 10_000;

/** The same progress in two forms, without `galaxyd` and the end of the line. */
interface ProgressForms {
  readonly onTerminal: string;
  readonly elsewhere: string;
}

export class ProgressLine {
  readonly #output = new FileOutput(STANDARD_ERROR);
  readonly #isTerminal = isatty(STANDARD_ERROR);
  readonly #everyMs: number;
  #shownAtMs = performance.now();
  #isShown = false;

  /** @param addedEveryMs shortest time between two lines, if standard error is not a terminal */
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

const STEPS: Readonly<Record<CopyStep, { readonly doing: string; readonly unit: string }>> = {
  rows: { doing: 'reads the snapshot', unit: 'rows' },
  entries: { doing: 'replays the log', unit: 'entries' },
  'written rows': { doing: 'writes the snapshot', unit: 'rows' },
  'verified rows': { doing: 'verifies the snapshot', unit: 'rows' },
  'copied bytes': { doing: 'copies a snapshot', unit: 'bytes' },
  'copied entries': { doing: 'copies the log', unit: 'entries' },
};

/** Progress of a recovery, of writing a snapshot or of a copy. */
export class RecoveryProgressBar extends ProgressLine {
  constructor() {
    super(RECOVERY_LINE_EVERY_MS);
  }

  readonly showStep: CopyProgress = (step, done, total) =>
    this.show(() => {
      const { doing, unit } = STEPS[step];
      const count = `${grouped(done)}${total === undefined ? '' : ` of ${grouped(total)}`} ${unit}`;
      const shown = total === undefined || total === 0 ? '' : `${bar(done / total)} `;
      return { onTerminal: `${doing} ${shown}${count}`, elsewhere: `${doing}: ${count}` };
    });
}

/** Progress of a tournament or of its verification. */
export class TournamentProgressBar extends ProgressLine {
  constructor() {
    super(TOURNAMENT_LINE_EVERY_MS);
  }

  /** @param part done, from 0 to 1 */
  showPart(part: number, sentence: string): void {
    this.show(() => ({
      onTerminal: `${bar(part)} ${sentence}`,
      elsewhere: `${sentence} (${Math.floor(100 * part)} %)`,
    }));
  }
}

/** @param part from 0 to 1 */
function bar(part: number): string {
  const filled = Math.min(BAR_WIDTH, Math.round(BAR_WIDTH * part));
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
}
