// A row is a list of primitives that begins with the number of its kind. The other files of this folder write and read each kind.

export type RowValue = string | number | boolean | null | readonly RowValue[];
export type Row = readonly RowValue[];

/**
 * The first value of each row; never reused. A new kind gets a higher number. world-loader.ts lists the kinds in the order of
 * their rows.
 */
export const ROW_KINDS = {
  world: 1,
  player: 2,
  planet: 3,
  fleet: 4,
  report: 5,
  kept_reply: 6,
  rules: 7,
  keys: 8,
  retired: 9,
  freed_starter: 10,
  activity: 11,
  event_log: 12,
  event_receivers: 13,
  events: 14,
  plan: 15,
  war: 16,
  lineage: 17,
  announcement: 18,
  suspension: 19,
  former_name: 20,
  field: 21,
  messages: 22,
  correspondence: 23,
  message: 24,
  broadcast: 25,
  offer: 26,
  goods: 27,
  trades: 28,
  pact: 29,
  shocks: 30,
  raids: 31,
  shock: 32,
} as const;

/**
 * Reads the values of a row, of a world or of a command, in order and checks the type and the bounds of each: rows come from disk, and may
 * be foreign. It does not know what the values mean.
 */
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

  text(name: string, lengthMax: number): string {
    return checkedText(this.#take(), name, lengthMax);
  }

  textOrNull(name: string, lengthMax: number): string | null {
    const value = this.#take();
    return value === null ? null : checkedText(value, name, lengthMax);
  }

  /** Exactly `length` whole numbers within the bounds. It returns the row's own list, not a copy. */
  integers(name: string, length: number, lowest = 0, highest: number = Number.MAX_SAFE_INTEGER): readonly number[] {
    return checkedIntegers(this.#take(), name, length, lowest, highest);
  }

  /** Reads at most `lengthMax` whole numbers from 0 to the highest. Returns the row's own list, not a copy. */
  fewIntegers(name: string, lengthMax: number, highest: number = Number.MAX_SAFE_INTEGER): readonly number[] {
    return checkedFewIntegers(this.#take(), name, lengthMax, 0, highest);
  }

  /** Reads at most `countMax` strings. Returns the row's own list, not a copy. */
  fewTexts(name: string, countMax: number, lengthMax: number): readonly string[] {
    const value = this.#take();
    if (!Array.isArray(value) || value.length > countMax) throw unexpected(name, value, `at most ${countMax} strings`);
    for (const text of value) checkedText(text, name, lengthMax);
    return value;
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

  /** Readers of a list of at most `countMax` such lists. */
  groups(name: string, countMax: number, length: number): RowReader[] {
    const value = this.#take();
    if (!Array.isArray(value) || value.length > countMax) throw unexpected(name, value, `at most ${countMax} lists`);
    return value.map((item) => checkedGroup(item, name, length));
  }

  #take(): unknown {
    const value = this.#values[this.#next];
    this.#next += 1;
    return value;
  }
}

function checkedText(value: unknown, name: string, lengthMax: number): string {
  if (typeof value === 'string' && value.length <= lengthMax) return value;
  throw unexpected(name, value, `a string of at most ${lengthMax} characters`);
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
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (Array.isArray(value)) return `a list of ${value.length} values`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
