// How far a replay is: to a terminal a bar, to a pipe a plain line now and then.
const BAR_WIDTH = 30;
const LINE_EVERY_MS = 2_000;

export class ReplayProgress {
  readonly #stream = process.stderr;
  #shownAtMs = performance.now();
  #isBarShown = false;

  /** @param total entries in all; undefined where nobody knows */
  show(done: number, total: number | undefined): void {
    const nowMs = performance.now();
    const isDue = nowMs - this.#shownAtMs >= (this.#stream.isTTY ? 100 : LINE_EVERY_MS);
    if (!isDue) return;
    this.#shownAtMs = nowMs;
    const counted = `${done.toLocaleString('en')} of ${total?.toLocaleString('en') ?? 'unknown'} entries`;
    if (!this.#stream.isTTY) {
      this.#stream.write(`galaxyd replays: ${counted}\n`);
      return;
    }
    const filled = total === undefined ? 0 : Math.round((BAR_WIDTH * done) / total);
    this.#stream.write(`\r\u001b[Kreplay [${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${counted}`);
    this.#isBarShown = true;
  }

  end(): void {
    if (this.#isBarShown) this.#stream.write('\r\u001b[K');
  }
}
