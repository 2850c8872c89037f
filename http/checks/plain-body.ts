// Reads a body straight from the text of a frame, and checks it on the way: a flat object of ids, names and integers, in the form
// that JSON.stringify writes, with its fields in the order of the schema. That takes a fraction of the time of JSON.parse and of
// the check of what it returns. A text in any other form is parsed and checked as usual.
import type { TSchema } from 'typebox';

/**
 * Reads the body between two positions of a text.
 *
 * @returns what JSON.parse would, if the schema accepts it, with absent fields undefined; undefined if it must be parsed
 */
export type PlainBodyReader = (text: string, start: number, end: number) => object | undefined;

interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly anyOf?: unknown;
  readonly const?: unknown;
}

interface BodySchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

interface PlainField {
  readonly name: string;
  /** `"name":`, and the same behind another field. */
  readonly lead: string;
  readonly nextLead: string;
  readonly isOptional: boolean;
  readonly isText: boolean;
  /** Lowest value of an integer, or least length of a text. */
  readonly minimum: number;
  readonly maximum: number;
  /** The texts that are accepted, with their quotes; null for any. */
  readonly names: KnownTexts<string> | null;
}

/** @returns null if the schema has anything else than ids, names and integers */
export function plainBodyReader(schema: TSchema): PlainBodyReader | null {
  const { type, properties, required = [] } = schema as BodySchema;
  if (type !== 'object' || properties === undefined) return null;
  const fields: PlainField[] = [];
  for (const [name, node] of Object.entries(properties)) {
    const field = fieldOf(name, node, !required.includes(name));
    if (field === null) return null;
    fields.push(field);
  }
  return readerOf(fields);
}

function fieldOf(name: string, node: FieldSchema, isOptional: boolean): PlainField | null {
  if (node.pattern !== undefined || node.format !== undefined || node.anyOf !== undefined || node.const !== undefined)
    return null;
  const isText = node.type === 'string';
  if (!isText && node.type !== 'integer') return null;
  const { minimum, maximum } = isText ? { minimum: node.minLength ?? 0, maximum: node.maxLength ?? 0 } : node;
  if (minimum === undefined || maximum === undefined || minimum < 0) return null;
  const lead = `${JSON.stringify(name)}:`;
  const names = isText && node.enum !== undefined ? quoted(node.enum as readonly string[]) : null;
  // One literal for all kinds of fields: V8 reads objects of one shape without a lookup.
  return { name, lead, nextLead: `,${lead}`, isOptional, isText, minimum, maximum, names };
}

function quoted(names: readonly string[]): KnownTexts<string> {
  return new KnownTexts(names.map((name) => ({ text: JSON.stringify(name), meaning: name })));
}

function readerOf(fields: readonly PlainField[]): PlainBodyReader {
  // All bodies are copies of one object, so they have one hidden class, and handlers read their fields without a lookup.
  const absent = Object.fromEntries(fields.map(({ name }) => [name, undefined]));
  return (text, start, end) => {
    const body: Record<string, unknown> = { ...absent };
    let at = start + 1;
    for (let index = 0; index < fields.length; index += 1) {
      const field = fields[index] as PlainField;
      const lead = at === start + 1 ? field.lead : field.nextLead;
      if (!standsAt(text, at, lead)) {
        if (field.isOptional) continue;
        return undefined;
      }
      at += lead.length;
      let value: string | number | undefined;
      if (field.names !== null) {
        const name = field.names.at(text, at);
        value = name?.meaning;
        at += name?.text.length ?? 0;
      } else {
        const valueEnd = field.isText ? textEnd(text, at) : integerEnd(text, at);
        value = readValue(text, at, valueEnd, field);
        at = valueEnd;
      }
      if (value === undefined) return undefined;
      body[field.name] = value;
    }
    const isWhole = at === end - 1 && text.charCodeAt(start) === OPENING && text.charCodeAt(at) === CLOSING;
    return isWhole ? body : undefined;
  };
}

/** @returns undefined if there is none, or it is not within its bounds */
function readValue(
  text: string,
  at: number,
  end: number,
  { isText, minimum, maximum }: PlainField,
): string | number | undefined {
  if (end === at) return undefined;
  if (isText) {
    const length = end - at - 2;
    return length < minimum || length > maximum ? undefined : text.slice(at + 1, end - 1);
  }
  const value = integerAt(text, at, end);
  return value < minimum || value > maximum ? undefined : value;
}

/**
 * Whether a known text stands at a position. A slice copies nothing if it is long, and V8 compares two texts as bytes in memory. With
 * startsWith() it would look each character up by itself, which takes longer (decision 20).
 */
export function standsAt(text: string, at: number, known: string): boolean {
  return text.slice(at, at + known.length) === known;
}

interface KnownText<Meaning> {
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
function integerAt(text: string, start: number, end: number): number {
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
