// The monotonic clock of the process, as far as it depends on a test: limits by time show without waiting for them.
import type { Test } from 'tap';

/** Stands for performance.now() while the test runs; moves on by `stepMs` each time somebody looks. */
export class OwnClock {
  stepMs: number;
  nowMs = 1_000_000;

  constructor(t: Test, stepMs: number) {
    this.stepMs = stepMs;
    const { now } = performance;
    performance.now = () => {
      this.nowMs += this.stepMs;
      return this.nowMs;
    };
    t.teardown(() => {
      performance.now = now;
    });
  }
}
