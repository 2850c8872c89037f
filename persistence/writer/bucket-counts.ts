// How often values fell between fixed bounds, and what they come to together. Adding one costs a few comparisons and
// makes nothing; who reads does the arithmetic.

export class BucketCounts {
  /** One for each bound, one for what lies above all of them, and the sum of all values at the end. */
  readonly #numbers: Float64Array;

  /** @param bounds ascending; a value counts at the first that is not below it */
  constructor(readonly bounds: readonly number[]) {
    this.#numbers = new Float64Array(bounds.length + 2);
  }

  add(value: number): void {
    const { bounds } = this;
    const numbers = this.#numbers;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index += 1;
    (numbers[index] as number) += 1;
    (numbers[bounds.length + 1] as number) += value;
  }

  /** How many values are at most as large as each bound, in their order; the last is how many there are in all. */
  cumulated(): number[] {
    let count = 0;
    return Array.from(this.#numbers.subarray(0, -1), (own) => {
      count += own;
      return count;
    });
  }

  /** How many values there are. */
  get count(): number {
    return this.cumulated().at(-1) as number;
  }

  get sum(): number {
    return this.#numbers[this.bounds.length + 1] as number;
  }
}
