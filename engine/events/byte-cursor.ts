// Writes and reads non-negative integers as bytes in LEB128: seven bits in each byte, the lowest first, the top bit set on all but the last.

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

/** Maximum length of what list() and text() read: the longest is the name of a player. */
const LIST_LENGTH_MAX = 1_000;
