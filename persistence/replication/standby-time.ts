// The instant of a read on a standby. World time passes there too, but only a tick of the leader lets anything fall due: a read
// never sees an instant at which something is due that has not happened.
import type { ReplayableEngine } from '../recovery/replay.js';
import type { Clock } from '../time/clock.js';

export class StandbyTime {
  readonly #engine: Pick<ReplayableEngine, 'nowMs' | 'nextDeadlineMs'>;
  /** Null if only entries move the time of the world. */
  readonly #clock: Clock | null;
  /** The least by which the clock was ahead of an entry of the leader; 0 before the first. */
  #aheadMs: number | undefined;
  #lastMs: number;

  /** @param lastMs world time of the last read before */
  constructor(engine: Pick<ReplayableEngine, 'nowMs' | 'nextDeadlineMs'>, clock: Clock, lastMs: number) {
    this.#engine = engine;
    this.#clock = clock.kind === 'real' ? clock : null;
    this.#lastMs = Math.max(lastMs, engine.nowMs);
  }

  /**
   * An entry of the leader was applied. Its instant was the leader's when it was written, so the least distance to it bounds how
   * far the clock of this machine is ahead of the leader's. From the first entry on, reads are not ahead of the leader.
   */
  applied(atMs: number): void {
    if (this.#clock === null) return;
    const aheadMs = this.#clock.nowMs() - atMs;
    this.#aheadMs = Math.min(this.#aheadMs ?? aheadMs, aheadMs);
  }

  /** World time of the last read. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** World time of the leader, as far as the entries that were applied have shown it. */
  get leaderMs(): number {
    return this.#clock === null ? this.#engine.nowMs : this.#clock.nowMs() - (this.#aheadMs ?? 0);
  }

  /** World time in milliseconds; decreases only to stay before a timer that was set since. */
  nowMs(): number {
    const nowMs = Math.max(this.#lastMs, this.leaderMs);
    this.#lastMs = Math.max(Math.min(nowMs, this.#engine.nextDeadlineMs() - 1), this.#engine.nowMs);
    return this.#lastMs;
  }
}
