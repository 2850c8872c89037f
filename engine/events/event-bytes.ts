// An event as the numbers of its record, and the numbers as bytes in LEB128: seven bits in each byte, the lowest first, the top bit set on
// all except the last. The numbers are written once for all receivers of the event. They are doubles in one array, so that all kinds share
// one loop that makes bytes, and no event becomes an object.

import { ANNOUNCEMENT_UNITS_MAX } from '../rules/record-limits.js';

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

/**
 * Writes numbers, each a safe integer that is not negative. A number takes at most eight bytes; the caller makes sure that there is room.
 *
 * @param first index of the first number
 * @param last index after the last one
 * @returns the position after the last byte
 */
export function writeCounts(
  bytes: Uint8Array,
  position: number,
  numbers: Float64Array,
  first: number,
  last: number,
): number {
  let end = position;
  for (let index = first; index < last; index += 1) {
    const value = numbers[index] as number;
    // Bit operations on an integer are several times as fast as on a double.
    let rest = value | 0;
    if (rest !== value || rest < 0) end = writeLong(bytes, end, value);
    else {
      while (rest >= 0x80) {
        bytes[end++] = (rest & 0x7f) | 0x80;
        rest >>>= 7;
      }
      bytes[end++] = rest;
    }
  }
  return end;
}

/** @param value of 2 ** 31 or more */
function writeLong(bytes: Uint8Array, position: number, value: number): number {
  if (!(value >= 0)) throw new RangeError(`${value} cannot be kept in an event`);
  let end = position;
  let rest = value;
  while (rest >= 0x80) {
    bytes[end++] = (rest & 0x7f) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  bytes[end++] = rest;
  return end;
}

/** A position in bytes, to read from. */
export class ByteReader {
  constructor(
    private readonly bytes: Uint8Array,
    private next: number,
  ) {}

  /** Position of the next byte. */
  get position(): number {
    return this.next;
  }

  count(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.bytes[this.next];
      if (byte === undefined || scale > Number.MAX_SAFE_INTEGER)
        throw new RangeError('a number of an event has no end');
      this.next += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }

  countOrNull(): number | null {
    const value = this.count();
    return value === 0 ? null : value - 1;
  }

  flag(): boolean {
    return this.count() === 1;
  }

  /** @param lengthMax a longer list is refused */
  sparse(lengthMax: number): number[] {
    const values = new Array<number>(this.#length(lengthMax)).fill(0);
    const others = this.#length(values.length);
    for (let other = 0; other < others; other += 1) {
      const index = this.count();
      if (index >= values.length) throw new RangeError('a list of an event is longer than the length that it states');
      values[index] = this.count();
    }
    return values;
  }

  sparseOrNull(lengthMax: number): number[] | null {
    return this.flag() ? this.sparse(lengthMax) : null;
  }

  list(): number[] {
    return Array.from({ length: this.#length(LIST_LENGTH_MAX) }, () => this.count());
  }

  text(): string {
    const length = this.#length(LIST_LENGTH_MAX);
    let text = '';
    for (let index = 0; index < length; index += 1) text += String.fromCharCode(this.count());
    return text;
  }

  #length(lengthMax: number): number {
    const length = this.count();
    if (length > lengthMax) throw new RangeError(`a list of an event has ${length} values, more than ${lengthMax}`);
    return length;
  }
}

/** Maximum length of what list() and text() read: the longest is an announcement. */
const LIST_LENGTH_MAX = ANNOUNCEMENT_UNITS_MAX;
