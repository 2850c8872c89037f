// A growing column of numbers beside a table: dense, so that storing into one of a million rows waits for nothing.

const INITIAL_CAPACITY = 1_024;

export class NumberColumn {
  #numbers = new Float64Array(INITIAL_CAPACITY);

  /** 0 where nothing was stored yet. */
  get(index: number): number {
    return index < this.#numbers.length ? (this.#numbers[index] as number) : 0;
  }

  set(index: number, value: number): void {
    if (index >= this.#numbers.length) this.#grow(index);
    this.#numbers[index] = value;
  }

  #grow(index: number): void {
    const larger = new Float64Array(Math.max(2 * this.#numbers.length, index + 1));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}
