// Reads parts of JSON straight from the text of a frame, where it has a form that is known beforehand: ASCII without escapes.

/**
 * Whether a known text stands at a position. A slice copies nothing if it is long, and V8 compares two texts as bytes in memory. With
 * startsWith() it would look each character up by itself, which takes longer (decision 20).
 */
export function standsAt(text: string, at: number, known: string): boolean {
  return text.slice(at, at + known.length) === known;
}

export interface KnownText<Meaning> {
  readonly text: string;
  readonly meaning: Meaning;
}

/** Texts that may stand at a position. Those that were found last are tried first, because clients mostly repeat themselves. */
export class KnownTexts<Meaning> {
  readonly #known: KnownText<Meaning>[];

  /** @param known none is the beginning of another one */
  constructor(known: readonly KnownText<Meaning>[]) {
    this.#known = [...known];
  }

  /** The one that stands at a position; undefined if none does. */
  at(text: string, position: number): KnownText<Meaning> | undefined {
    const known = this.#known;
    for (let place = 0; place < known.length; place += 1) {
      const candidate = known[place] as KnownText<Meaning>;
      if (!standsAt(text, position, candidate.text)) continue;
      for (; place > 0; place -= 1) known[place] = known[place - 1] as KnownText<Meaning>;
      known[0] = candidate;
      return candidate;
    }
    return undefined;
  }
}

/** Position behind a quoted text of visible ASCII and spaces, without escapes; `at` if there is none. */
export function textEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) return at;
  for (let index = at + 1; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) return index + 1;
    if (unit < SPACE || unit > TILDE || unit === BACKSLASH) break;
  }
  return at;
}

/** Position behind a non-negative integer of at most DIGITS_MAX digits, without leading zeros; `at` if there is none. */
export function integerEnd(text: string, at: number): number {
  let end = at;
  while (end - at <= DIGITS_MAX && isDigit(text.charCodeAt(end))) end += 1;
  if (end - at > DIGITS_MAX || (end - at > 1 && text.charCodeAt(at) === ZERO)) return at;
  return end;
}

/** The integer between two positions. */
export function integerAt(text: string, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index += 1) value = 10 * value + text.charCodeAt(index) - ZERO;
  return value;
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= ZERO + 9;
}

export const OPENING: number = '{'.charCodeAt(0);
export const CLOSING: number = '}'.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);
const TILDE = '~'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);
/** More may exceed the safe integers. */
const DIGITS_MAX = 15;
