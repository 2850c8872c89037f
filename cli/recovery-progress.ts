// How far a recovery is: to a terminal a bar, to a pipe a plain line now and then.
import type { RecoveryProgress } from '../persistence/recovery.js';

const BAR_WIDTH = 30;
const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 2_000;

const DOING = { rows: 'reads the snapshot', entries: 'replays the log' };

export class RecoveryProgressBar {
  readonly #stream = process.stderr;
  #shownAtMs = performance.now();
  #isBarShown = false;

  readonly show: RecoveryProgress = (unit, done, total) => {
    const nowMs = performance.now();
    const isDue = nowMs - this.#shownAtMs >= (this.#stream.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS);
    if (!isDue) return;
    this.#shownAtMs = nowMs;
    const counted = `${done.toLocaleString('en')} of ${total?.toLocaleString('en') ?? 'unknown'} ${unit}`;
    if (!this.#stream.isTTY) {
      this.#stream.write(`galaxyd ${DOING[unit]}: ${counted}\n`);
      return;
    }
    const filled = total === undefined || total === 0 ? 0 : Math.round((BAR_WIDTH * done) / total);
    const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
    this.#stream.write(`\r\u001b[Kgalaxyd ${DOING[unit]} ${bar} ${counted}`);
    this.#isBarShown = true;
  };

  end(): void {
    if (this.#isBarShown) this.#stream.write('\r\u001b[K');
  }
}
