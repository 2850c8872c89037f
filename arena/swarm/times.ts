// Measured times as counts in steps of 9 %, so that millions of them take a few kilobytes.
import { TIME_STEPS_PER_OCTAVE } from '../limits.js';

/** Milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

const MICROSECONDS = 1_000;
const OCTAVES = 40;

export class Times {
  readonly #counts = new Float64Array(OCTAVES * TIME_STEPS_PER_OCTAVE);
  #count = 0;
  #maxMs = 0;

  add(durationMs: number): void {
    const octaves = Math.log2(Math.max(1, durationMs * MICROSECONDS));
    const step = Math.min(this.#counts.length - 1, Math.floor(octaves * TIME_STEPS_PER_OCTAVE));
    this.#counts[step] = (this.#counts[step] ?? 0) + 1;
    this.#count += 1;
    this.#maxMs = Math.max(this.#maxMs, durationMs);
  }

  /** Zeros if nothing was measured. */
  get percentiles(): Percentiles {
    return { p50: this.#share(0.5), p90: this.#share(0.9), p99: this.#share(0.99), max: rounded(this.#maxMs) };
  }

  /** Upper end of the step that holds a share of the times. */
  #share(share: number): number {
    let left = Math.ceil(share * this.#count);
    if (left === 0) return 0;
    for (const [step, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0) return rounded(Math.min(this.#maxMs, 2 ** ((step + 1) / TIME_STEPS_PER_OCTAVE) / MICROSECONDS));
    }
    return rounded(this.#maxMs);
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
