// An event as the numbers of its record, before they become bytes. They are written once for all receivers of the event. They are doubles in
// one array, so that all kinds share one loop that makes bytes, and no event becomes an object.

/** Numbers of the longest event: each takes a byte or more of its record. */
const NUMBERS_MAX = 4 * 1024;
/** Room for the numbers that precede the kind: at most the receiver, its ordinal, the seq of the entry, the time and the player. */
export const HEAD_NUMBERS = 5;

export class EventNumbers {
  readonly numbers = new Float64Array(NUMBERS_MAX);
  /** Index of the next number. */
  end = HEAD_NUMBERS;

  /** Begins an event of the kind with this code. */
  begin(code: number): void {
    this.numbers[HEAD_NUMBERS] = code;
    this.end = HEAD_NUMBERS + 1;
  }

  /** @param value a safe integer, not negative */
  count(value: number): void {
    this.numbers[this.end++] = value;
  }

  countOrNull(value: number | null): void {
    this.numbers[this.end++] = value === null ? 0 : value + 1;
  }

  flag(value: boolean): void {
    this.numbers[this.end++] = value ? 1 : 0;
  }

  /** A list whose values are mostly 0: its length, the number of other values, and the index and value of each of them. */
  sparse(values: readonly number[]): void {
    const { numbers } = this;
    const start = this.end;
    let end = start + 2;
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index] as number;
      if (value === 0) continue;
      numbers[end] = index;
      numbers[end + 1] = value;
      end += 2;
    }
    numbers[start] = values.length;
    numbers[start + 1] = (end - start - 2) / 2;
    this.end = end;
  }

  /** A list like that of sparse(), or null. */
  sparseOrNull(values: readonly number[] | null): void {
    this.flag(values !== null);
    if (values !== null) this.sparse(values);
  }

  list(values: readonly number[]): void {
    this.count(values.length);
    for (let index = 0; index < values.length; index += 1) this.count(values[index] as number);
  }

  text(value: string): void {
    this.count(value.length);
    for (let index = 0; index < value.length; index += 1) this.count(value.charCodeAt(index));
  }
}
