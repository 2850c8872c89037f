// Progress of a recovery, of the writing of a snapshot or of a copy: a bar on a terminal, a plain line every two seconds
// elsewhere.
import type { CopyProgress, CopyStep } from '../persistence/upkeep/copy.js';
import { bar, type ProgressForms, ProgressLine } from './progress-line.js';

const LINE_EVERY_MS = 2_000;

const STEPS: Readonly<Record<CopyStep, { readonly doing: string; readonly unit: string }>> = {
  rows: { doing: 'reads the snapshot', unit: 'rows' },
  entries: { doing: 'replays the log', unit: 'entries' },
  'written rows': { doing: 'writes the snapshot', unit: 'rows' },
  'verified rows': { doing: 'verifies the snapshot', unit: 'rows' },
  'copied bytes': { doing: 'copies a snapshot', unit: 'bytes' },
  'copied entries': { doing: 'copies the log', unit: 'entries' },
};

export class RecoveryProgressBar {
  readonly #line = new ProgressLine(LINE_EVERY_MS);

  readonly show: CopyProgress = (step, done, total) => this.#line.show(() => formsOf(step, done, total));

  end(): void {
    this.#line.end();
  }
}

/** @param total undefined if it is unknown */
function formsOf(step: CopyStep, done: number, total: number | undefined): ProgressForms {
  const { doing, unit } = STEPS[step];
  const reach = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
  const counted = `${done.toLocaleString('en')}${reach} ${unit}`;
  const shown = total === undefined || total === 0 ? '' : `${bar(done / total)} `;
  return { onTerminal: `${doing} ${shown}${counted}`, elsewhere: `${doing}: ${counted}` };
}
