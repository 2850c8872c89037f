// A growing column of numbers beside a table. It is dense, so that a write to one of a million rows is fast.

const INITIAL_CAPACITY = 1_024;
/** Shared by all empty columns: most worlds leave some columns empty. */
const NOTHING = new Float64Array(0);

export class NumberColumn {
  #numbers = NOTHING;

  /** Returns 0 if nothing has been stored at the index. */
  get(index: number): number {
    return index < this.#numbers.length ? (this.#numbers[index] as number) : 0;
  }

  set(index: number, value: number): void {
    if (index >= this.#numbers.length) this.#grow(index);
    this.#numbers[index] = value;
  }

  #grow(index: number): void {
    const larger = new Float64Array(Math.max(INITIAL_CAPACITY, 2 * this.#numbers.length, index + 1));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}
