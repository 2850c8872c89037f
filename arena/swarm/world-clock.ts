// World time between looks at it. The clock of a world is real, so it runs as fast as ours and only differs by an amount; one that an
// operator moves stands still until the next look.
import { CLOCK_LOOKS_KEPT } from '../limits.js';

export class WorldClock {
  /** World time less ours, at the latest looks. A reply is always late, so the largest is nearest to the truth. */
  #offsetsMs: number[] = [];
  #offsetMs = 0;
  #standsAtMs = 0;
  /** The instant that was written last: bots ask for it several times a millisecond. */
  #writtenMs = Number.NaN;
  #written = '';

  /** @param isManual whether an operator moves it @param nowMs the clock of this machine */
  constructor(
    readonly isManual: boolean,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** The world has reported its time. */
  observe(worldTime: string): void {
    const worldMs = Date.parse(worldTime);
    if (this.isManual) {
      this.#standsAtMs = Math.max(this.#standsAtMs, worldMs);
      return;
    }
    this.#offsetsMs = [...this.#offsetsMs.slice(1 - CLOCK_LOOKS_KEPT), worldMs - this.nowMs()];
    this.#offsetMs = Math.max(...this.#offsetsMs);
  }

  /** World time in milliseconds since 1970; never later than it is. */
  get worldMs(): number {
    return this.isManual ? this.#standsAtMs : Math.floor(this.nowMs() + this.#offsetMs);
  }

  /** The same, as the API writes it. */
  get worldTime(): string {
    const { worldMs } = this;
    if (worldMs !== this.#writtenMs) {
      this.#writtenMs = worldMs;
      this.#written = new Date(worldMs).toISOString();
    }
    return this.#written;
  }

  /** How long to wait for an instant; null if nobody knows. */
  delayMs(worldMs: number): number | null {
    if (worldMs <= this.worldMs) return 0;
    return this.isManual ? null : Math.ceil(worldMs - this.worldMs);
  }
}
