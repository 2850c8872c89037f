// Reads the values of a row in order and checks the type and the bounds of each, because rows come from disk. It does
// not know what the values mean.

export class RowReader {
  readonly #values: readonly unknown[];
  #next: number;

  /** @param first position of the first value to read */
  constructor(values: readonly unknown[], first: number) {
    this.#values = values;
    this.#next = first;
  }

  /** @throws Error unless the row has `length` values, including the number of its kind */
  requireLength(length: number): void {
    if (this.#values.length === length) return;
    throw new Error(`it has ${this.#values.length} values; expected ${length}`);
  }

  /** A whole number within bounds; by default 0 or more. */
  integer(name: string, lowest = 0, highest: number = Number.MAX_SAFE_INTEGER): number {
    return checkedInteger(this.#take(), name, lowest, highest);
  }

  integerOrNull(name: string, lowest = 0, highest: number = Number.MAX_SAFE_INTEGER): number | null {
    const value = this.#take();
    return value === null ? null : checkedInteger(value, name, lowest, highest);
  }

  flag(name: string): boolean {
    const value = this.#take();
    if (typeof value !== 'boolean') throw unexpected(name, value, 'true or false');
    return value;
  }

  text(name: string): string {
    const value = this.#take();
    if (typeof value !== 'string') throw unexpected(name, value, 'a string');
    return value;
  }

  textOrNull(name: string): string | null {
    const value = this.#take();
    if (value === null || typeof value === 'string') return value;
    throw unexpected(name, value, 'a string or null');
  }

  /** Exactly `length` whole numbers within the bounds. It returns the row's own list, not a copy. */
  integers(name: string, length: number, lowest = 0, highest: number = Number.MAX_SAFE_INTEGER): readonly number[] {
    return checkedIntegers(this.#take(), name, length, lowest, highest);
  }

  /** At most `lengthMax` whole numbers of 0 or more. */
  fewIntegers(name: string, lengthMax: number): readonly number[] {
    return checkedFewIntegers(this.#take(), name, lengthMax, 0, Number.MAX_SAFE_INTEGER);
  }

  fewIntegersOrNull(name: string, lengthMax: number, lowest: number, highest: number): readonly number[] | null {
    const value = this.#take();
    return value === null ? null : checkedFewIntegers(value, name, lengthMax, lowest, highest);
  }

  /** A reader of a list of exactly `length` values. */
  group(name: string, length: number): RowReader {
    return checkedGroup(this.#take(), name, length);
  }

  groupOrNull(name: string, length: number): RowReader | null {
    const value = this.#take();
    return value === null ? null : checkedGroup(value, name, length);
  }

  /** Readers of a list of such lists. */
  groups(name: string, length: number): RowReader[] {
    const value = this.#take();
    if (!Array.isArray(value)) throw unexpected(name, value, 'a list');
    return value.map((item) => checkedGroup(item, name, length));
  }

  #take(): unknown {
    const value = this.#values[this.#next];
    this.#next += 1;
    return value;
  }
}

function checkedInteger(value: unknown, name: string, lowest: number, highest: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= lowest && value <= highest) return value;
  throw unexpected(name, value, `a whole number from ${lowest} to ${highest}`);
}

function checkedIntegers(
  value: unknown,
  name: string,
  length: number,
  lowest: number,
  highest: number,
): readonly number[] {
  if (!Array.isArray(value) || value.length !== length) throw unexpected(name, value, `a list of ${length} numbers`);
  for (let index = 0; index < length; index += 1) checkedInteger(value[index], name, lowest, highest);
  return value;
}

function checkedFewIntegers(
  value: unknown,
  name: string,
  lengthMax: number,
  lowest: number,
  highest: number,
): readonly number[] {
  const length = Array.isArray(value) ? Math.min(value.length, lengthMax) : lengthMax;
  return checkedIntegers(value, name, length, lowest, highest);
}

function checkedGroup(value: unknown, name: string, length: number): RowReader {
  if (!Array.isArray(value) || value.length !== length) throw unexpected(name, value, `a list of ${length} values`);
  return new RowReader(value, 0);
}

function unexpected(name: string, value: unknown, expected: string): Error {
  return new Error(`${name} is ${describe(value)}; expected ${expected}`);
}

function describe(value: unknown): string {
  if (typeof value === 'string') return `the string "${value}"`;
  if (Array.isArray(value)) return `a list of ${value.length} values`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
