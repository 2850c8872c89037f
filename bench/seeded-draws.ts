// Choices of a bench: drawn from a seed, so that every run and every revision gets the same ones.

/** A stream of 32-bit numbers (mulberry32, public domain): small, fast, and good enough to choose by. */
export class SeededDraws {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** An integer from 0 to bound - 1; bound is at most 2^32. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) * bound) / 0x1_0000_0000);
  }
}

/** The integers from 0 to count - 1 in a drawn order (Fisher and Yates). */
export function shuffledIndexes(count: number, draws: SeededDraws): Int32Array {
  const order = Int32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = draws.below(last + 1);
    const kept = order[last] as number;
    order[last] = order[other] as number;
    order[other] = kept;
  }
  return order;
}
