// A sequence of draws from a seed, so that the random choices of a test can be repeated.
import type { Test } from 'tap';
import { draw } from '../../../engine/numbers/random.js';
import { shortOrLong } from './lengths.js';

/** Separates the draws of tests from those of a world with the same seed. */
const SALT = 1_001;

export class Draws {
  readonly #seed: number;
  #count = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** An integer from 0 to bound - 1. */
  below(bound: number): number {
    this.#count += 1;
    return Math.floor((draw(this.#seed, this.#count, SALT) * bound) / 0x1_0000_0000);
  }

  /** An integer from lowest to highest, both included. */
  between(lowest: number, highest: number): number {
    return lowest + this.below(highest - lowest + 1);
  }

  /** @throws RangeError if there is nothing to pick from */
  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new RangeError('nothing to pick from');
    return choice;
  }

  /** The same values in an order of their own. */
  shuffled<T>(values: readonly T[]): T[] {
    const left = [...values];
    const order: T[] = [];
    while (left.length > 0) order.push(...left.splice(this.below(left.length), 1));
    return order;
  }

  /** True with a chance of one in `times`. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }
}

/** The seed of random choices: TEST_SEED; without it always the same one in short tests, and another one each time in long ones. */
export const TEST_SEED = Number(process.env['TEST_SEED'] ?? shortOrLong(1, Date.now() % 1_000_000));

/** The seed of this run, printed so that its random choices can be repeated. */
export function drawSeed(t: Test): number {
  t.comment(`seed ${TEST_SEED}; TEST_SEED=${TEST_SEED} draws the same again`);
  return TEST_SEED;
}
