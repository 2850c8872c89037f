// Builds JSON text as UTF-8 bytes: constant fragments are copied; only numbers, instants and names are written byte by
// byte. It knows the syntax of values, but not what they mean.

import { ISO_TEXT_LENGTH, writeIsoText } from '../exchange/iso-time.js';
import { REPLY_SLAB_BYTES } from '../limits.js';

/** ASCII text as bytes, for TextWriter.fragment(). */
export function fragment(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** The same text in one piece. A template literal yields a chain of pieces, which each native call would join again. */
export function flat(text: string): string {
  return Buffer.from(text).toString();
}

/**
 * Texts are written one after the other into a slab, and each is a view of its part of it. Taking a text costs no copy,
 * and the text stays unchanged while its reply waits for the disk. A full slab is freed with the last of its texts.
 */
export class TextWriter {
  #slab = Buffer.allocUnsafeSlow(REPLY_SLAB_BYTES);
  #start = 0;
  #end = 0;

  /** Begins a text, and discards one that was begun but not taken. */
  begin(): void {
    this.#end = this.#start;
  }

  /** Ends the text. @returns its bytes, which are never overwritten */
  take(): Buffer {
    const text = this.#slab.subarray(this.#start, this.#end);
    this.#start = this.#end;
    return text;
  }

  /** Bytes of the text so far. */
  get length(): number {
    return this.#end - this.#start;
  }

  fragment(bytes: Uint8Array): void {
    const { length } = bytes;
    const position = this.#advance(length);
    if (length >= COPIED_LENGTH_MIN) this.#slab.set(bytes, position);
    else for (let index = 0; index < length; index += 1) this.#slab[position + index] = bytes[index] as number;
  }

  /** A short part of a fragment. */
  part(bytes: Uint8Array, start: number, length: number): void {
    const position = this.#advance(length);
    for (let index = 0; index < length; index += 1) this.#slab[position + index] = bytes[start + index] as number;
  }

  /** Repeats a part of this text. */
  again(from: number, to: number): void {
    const position = this.#advance(to - from);
    this.#slab.copyWithin(position, this.#start + from, this.#start + to);
  }

  /** An ASCII character. */
  byte(code: number): void {
    // The position first: making room can replace the slab.
    const position = this.#advance(1);
    this.#slab[position] = code;
  }

  /** Removes the last bytes. */
  drop(length: number): void {
    this.#end -= length;
  }

  /** Removes a trailing comma, if there is one: all entries of a list end with it. */
  dropComma(): void {
    if (this.#slab[this.#end - 1] === COMMA) this.#end -= 1;
  }

  /** A non-negative safe integer. */
  integer(value: number): void {
    if (value < BILLION) {
      this.#digits(value, digitCount(value));
      return;
    }
    const billions = Math.floor(value / BILLION);
    this.#digits(billions, digitCount(billions));
    this.#digits(value - billions * BILLION, BILLION_ZEROS);
  }

  /** A number given in thousandths: 1500 is written as 1.500, and 2000 as 2. */
  thousandths(value: number): void {
    const units = Math.floor(value / 1000);
    this.integer(units);
    const rest = value - units * 1000;
    if (rest === 0) return;
    this.byte(POINT);
    this.#digits(rest, THOUSANDTHS_DIGITS);
  }

  /** A quoted instant. @param atMs milliseconds since 1970 */
  instant(atMs: number): void {
    const position = this.#advance(ISO_TEXT_LENGTH + 2);
    this.#slab[position] = QUOTE;
    writeIsoText(this.#slab, position + 1, atMs);
    this.#slab[position + 1 + ISO_TEXT_LENGTH] = QUOTE;
  }

  instantOrNull(atMs: number | null): void {
    if (atMs === null) this.fragment(NULL);
    else this.instant(atMs);
  }

  /** A quoted text of any characters. */
  quoted(text: string): void {
    const { length } = text;
    const position = this.#advance(length + 2);
    this.#slab[position] = QUOTE;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code < SPACE || code >= DELETE || code === QUOTE || code === BACKSLASH) {
        this.#end = position;
        this.fragment(Buffer.from(JSON.stringify(text)));
        return;
      }
      this.#slab[position + 1 + index] = code;
    }
    this.#slab[position + 1 + length] = QUOTE;
  }

  /** @param value below a billion */
  #digits(value: number, count: number): void {
    const first = this.#advance(count);
    // V8 computes faster with a value that it knows to be a small integer.
    let rest = value | 0;
    for (let position = first + count - 1; position >= first; position -= 1) {
      const tenth = (rest / 10) | 0;
      this.#slab[position] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
  }

  /** Reserves room. @returns its start */
  #advance(length: number): number {
    if (this.#end + length > this.#slab.length) this.#moveToNewSlab(length);
    const position = this.#end;
    this.#end = position + length;
    return position;
  }

  #moveToNewSlab(length: number): void {
    const begun = this.#slab.subarray(this.#start, this.#end);
    // A text as long as a slab gets its own, twice as large as it needs now.
    this.#slab = Buffer.allocUnsafeSlow(Math.max(REPLY_SLAB_BYTES, 2 * (begun.length + length)));
    this.#slab.set(begun);
    this.#start = 0;
    this.#end = begun.length;
  }
}

/** Length from which one bulk copy is cheaper than copying byte by byte. */
const COPIED_LENGTH_MIN = 12;
const NULL = fragment('null');
const BILLION = 1_000_000_000;
const BILLION_ZEROS = 9;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const POINT = 46;
const THOUSANDTHS_DIGITS = 3;
const ZERO = 48;
const BACKSLASH = 92;
const DELETE = 127;

/** @param value below a billion */
function digitCount(value: number): number {
  if (value < 10) return 1;
  if (value < 10_000) return value < 100 ? 2 : value < 1_000 ? 3 : 4;
  if (value < 1_000_000) return value < 100_000 ? 5 : 6;
  return value < 10_000_000 ? 7 : value < 100_000_000 ? 8 : 9;
}
