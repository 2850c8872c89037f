// The clocks of a simulated machine: one that only grows, and one that people set. Neither reads a real clock.
import type { TimeSource } from '../../persistence/time/clock.js';

/** What the machine's clock shows when a simulation begins: 2030-01-01T00:00:00Z. */
const BEGINNING_MS = 1_893_456_000_000;

export class VirtualTime implements TimeSource {
  #elapsedMs = 0;
  #wallOffsetMs = BEGINNING_MS;

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  wallMs(): number {
    return this.#wallOffsetMs + this.#elapsedMs;
  }

  /** Lets time pass up to an instant of elapsedMs(). */
  moveTo(elapsedMs: number): void {
    this.#elapsedMs = Math.max(this.#elapsedMs, elapsedMs);
  }

  /** Sets the machine's clock, forward or back. */
  setWallClock(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }
}
