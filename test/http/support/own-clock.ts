// The monotonic clock of the process under the control of a test, so that time limits can be tested without waiting.
import type { Test } from 'tap';

/** Replaces performance.now() while the test runs; advances by `stepMs` with each read. */
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
