// A histogram with fixed bounds, and the sum of its values. Adding a value costs a few comparisons and allocates
// nothing; the reader does the arithmetic.

export class BucketCounts {
  /**
   * One count for each bound, one for values above all of them, then the sum of all values. Made with the first value: most of the
   * histograms of a server stay empty, and a process may hold many servers.
   */
  #numbers: Float64Array | null = null;

  /** @param bounds ascending upper bounds, inclusive */
  constructor(readonly bounds: readonly number[]) {}

  add(value: number): void {
    const { bounds } = this;
    this.#numbers ??= new Float64Array(bounds.length + 2);
    const numbers = this.#numbers;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index += 1;
    (numbers[index] as number) += 1;
    (numbers[bounds.length + 1] as number) += value;
  }

  /** The number of values up to each bound, in order; the last one counts all values. */
  cumulated(): number[] {
    let count = 0;
    return Array.from({ length: this.bounds.length + 1 }, (_, index) => {
      count += this.#numbers?.[index] ?? 0;
      return count;
    });
  }

  /** How many values there are. */
  get count(): number {
    return this.cumulated().at(-1) as number;
  }

  get sum(): number {
    return this.#numbers?.[this.bounds.length + 1] ?? 0;
  }
}
