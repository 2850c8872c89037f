// Progress of a recovery or of the writing of a snapshot: a bar on a terminal, a plain line every two seconds
// elsewhere.
import { isatty } from 'node:tty';
import type { RecoveryProgress, RecoveryStep } from '../persistence/recovery/recovery.js';
import { FileOutput, STANDARD_ERROR } from './line-output.js';

const BAR_WIDTH = 30;
const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 2_000;

const STEPS: Readonly<Record<RecoveryStep, { readonly doing: string; readonly unit: string }>> = {
  rows: { doing: 'reads the snapshot', unit: 'rows' },
  entries: { doing: 'replays the log', unit: 'entries' },
  'written rows': { doing: 'writes the snapshot', unit: 'rows' },
  'verified rows': { doing: 'verifies the snapshot', unit: 'rows' },
};

export class RecoveryProgressBar {
  readonly #output = new FileOutput(STANDARD_ERROR);
  readonly #isTerminal = isatty(STANDARD_ERROR);
  #shownAtMs = performance.now();
  #isBarShown = false;

  readonly show: RecoveryProgress = (step, done, total) => {
    const nowMs = performance.now();
    const isDue = nowMs - this.#shownAtMs >= (this.#isTerminal ? BAR_EVERY_MS : LINE_EVERY_MS);
    if (!isDue) return;
    this.#shownAtMs = nowMs;
    const { doing, unit } = STEPS[step];
    const reach = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
    const counted = `${done.toLocaleString('en')}${reach} ${unit}`;
    if (!this.#isTerminal) {
      this.#output.write(`galaxyd ${doing}: ${counted}\n`);
      return;
    }
    this.#output.write(`\r\u001b[Kgalaxyd ${doing} ${bar(done, total)}${counted}`);
    this.#isBarShown = true;
  };

  end(): void {
    if (this.#isBarShown) this.#output.write('\r\u001b[K');
  }
}

/** Empty if the total is unknown. */
function bar(done: number, total: number | undefined): string {
  if (total === undefined || total === 0) return '';
  const filled = Math.min(BAR_WIDTH, Math.round((BAR_WIDTH * done) / total));
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] `;
}
