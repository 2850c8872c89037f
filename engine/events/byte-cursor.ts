// Writes and reads non-negative integers as bytes in LEB128: seven bits a byte, the lowest first, the top bit set on all but the last.

/** A position in bytes, to write on. The caller makes sure that there is room. A number takes at most eight bytes. */
export class ByteWriter {
  bytes: Uint8Array = new Uint8Array(0);
  /** Position of the next byte. */
  end = 0;

  /** @param value a safe integer, not negative */
  count(value: number): void {
    // Numbers come from columns of doubles. Bit operations on an integer are several times as fast.
    const integer = value | 0;
    if (integer !== value || integer < 0) this.#long(value);
    else if (integer < 0x80) this.bytes[this.end++] = integer;
    else this.#short(integer);
  }

  /** @param value below 2 ** 31 */
  #short(value: number): void {
    const { bytes } = this;
    let { end } = this;
    let rest = value;
    while (rest >= 0x80) {
      bytes[end++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[end++] = rest;
    this.end = end;
  }

  #long(value: number): void {
    if (!(value >= 0)) throw new RangeError(`${value} cannot be kept in an event`);
    const { bytes, end } = this;
    bytes[end] = (value & 0x7f) | 0x80;
    bytes[end + 1] = ((value >>> 7) & 0x7f) | 0x80;
    bytes[end + 2] = ((value >>> 14) & 0x7f) | 0x80;
    this.end = end + 3;
    this.count(Math.floor(value / 0x200000));
  }

  countOrNull(value: number | null): void {
    if (value === null) this.count(0);
    else this.count(value + 1);
  }

  flag(value: boolean): void {
    this.count(value ? 1 : 0);
  }

  /** A list whose values are mostly 0: its length, the number of other values, and the index and value of each of them. */
  sparse(values: readonly number[]): void {
    this.count(values.length);
    let others = 0;
    for (let index = 0; index < values.length; index += 1) if (values[index] !== 0) others += 1;
    this.count(others);
    for (let index = 0; index < values.length; index += 1) {
      if (values[index] === 0) continue;
      this.count(index);
      this.count(values[index] as number);
    }
  }

  /** The same, or null. */
  sparseOrNull(values: readonly number[] | null): void {
    this.flag(values !== null);
    if (values !== null) this.sparse(values);
  }

  list(values: readonly number[]): void {
    this.count(values.length);
    for (const value of values) this.count(value);
  }

  text(value: string): void {
    this.count(value.length);
    for (let index = 0; index < value.length; index += 1) this.count(value.charCodeAt(index));
  }
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

/** No list or text that list() and text() read is longer: the longest is the name of a player. */
const LIST_LENGTH_MAX = 1_000;
