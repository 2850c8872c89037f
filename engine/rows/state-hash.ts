// A hash of all rows of a world. It detects divergence of replicas, not forgery: it is not a cryptographic hash.

import { mix } from '../numbers/random.js';
import type { RowValue } from './row.js';

const NULL_MARK = 0x6e756c6c;
const TRUE_MARK = 0x74727565;
const FALSE_MARK = 0x66616c73;
const STRING_MARK = 0x73747200;
const LIST_MARK = 0x6c697374;

/** A hash of 64 bits: two lanes of 32 bits, mixed differently. */
export class StateHash {
  #first = 0x243f6a88;
  #second = 0x13198a2e;
  /** One double, read as two integers. */
  readonly #double = new Float64Array(1);
  readonly #halves = new Uint32Array(this.#double.buffer);

  /** @throws Error if a row cannot hold the value: a snapshot is hashed before its rows are read */
  add(value: RowValue): void {
    if (typeof value === 'number') this.#addNumber(value);
    else if (value === null) this.#absorb(NULL_MARK);
    else if (typeof value === 'string') this.#addString(value);
    else if (typeof value === 'boolean') this.#absorb(value ? TRUE_MARK : FALSE_MARK);
    else if (!Array.isArray(value)) throw new Error('a row holds a value of a type that no row has');
    else {
      this.#absorb(LIST_MARK ^ value.length);
      for (const item of value) this.add(item);
    }
  }

  /** 16 hexadecimal digits. */
  toString(): string {
    return hex(mix(this.#first ^ this.#second)) + hex(mix(this.#second + 0x9e3779b9));
  }

  #addNumber(value: number): void {
    this.#double[0] = value;
    this.#absorb(this.#halves[0] as number);
    this.#absorb(this.#halves[1] as number);
  }

  #addString(value: string): void {
    this.#absorb(STRING_MARK ^ value.length);
    for (let index = 0; index < value.length; index += 1) this.#absorb(value.charCodeAt(index));
  }

  #absorb(word: number): void {
    this.#first = Math.imul(this.#first ^ word, 0x01000193) ^ (this.#second >>> 15);
    this.#second = Math.imul(this.#second + word, 0x85ebca6b) ^ (this.#first >>> 13);
  }
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
