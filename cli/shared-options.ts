// Options that several subcommands take.
import { InvalidArgumentError, Option } from 'commander';
import { KEY_SECRET_LENGTH_MAX, KEY_SECRET_LENGTH_MIN } from '../arena/limits.js';
import { SPEED_THOUSANDTHS_MAX, SPEED_THOUSANDTHS_MIN } from '../engine/rules/limits.js';
import { storeAt, UnknownStore } from '../persistence/store-url.js';

/** What names a world, in help texts. */
export const WORLD_PLACE = 'world: its folder, or its postgres:// URL';

/** Uses the same variable as the server, so that one setting holds for all subcommands. */
export function dataOption(): Option {
  return new Option('--data <place>', WORLD_PLACE).default('./data').argParser(storeUrl).env('GALAXYD_DATA');
}

/** Checks where a world is kept. @throws InvalidArgumentError */
export function storeUrl(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must name a folder or a postgres:// URL.');
  try {
    storeAt(text);
  } catch (error) {
    if (error instanceof UnknownStore)
      throw new InvalidArgumentError(`It must name a folder or a postgres:// URL: ${error.message}.`);
    throw error;
  }
  return text;
}

/** Of these options a wrong value may be a password or a key with a slip in it. */
const SECRET_VALUE =
  /(option '[^']*<(?:place|url|folder|key|secret|text)>') (?:argument|value) '.*'(?= is invalid| from env)/s;
/** A login in the value of any other option. */
const VALUE_WITH_LOGIN = /(option '[^']*' (?:argument|value) )'.*:.*(?:@|%40).*'(?= is invalid| from env)/s;
/** A URL that stands where none is expected. */
const UNEXPECTED_URL = /(unknown (?:option|command) )'.*(?::|password).*'/is;

/** What commander says of a wrong command line, and its advice. Both may repeat what was typed. */
export function usageLines(text: string): string[] {
  const [, sentence = text, advice] = /^(.*?)\n(\(Did you mean [^\n]*\?\))\n?$/s.exec(text) ?? [];
  return [withoutSecrets(sentence.trimEnd()), ...(advice === undefined ? [] : [advice])];
}

/** The sentence without what may be a secret. */
export function withoutSecrets(sentence: string): string {
  return sentence.replace(SECRET_VALUE, '$1').replace(VALUE_WITH_LOGIN, "$1'…'").replace(UNEXPECTED_URL, "$1'…'");
}

/** @returns a parser of whole numbers between bounds */
export function integer(lowest: number, highest: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= lowest && value <= highest) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${lowest} to ${highest}.`);
  };
}

export const seq: (text: string) => number = integer(1, Number.MAX_SAFE_INTEGER);

/** Parses a key that a flag gives, as it comes in an Authorization header. */
export function sharedKey(text: string): string {
  if (/^[\x21-\x7e]{8,256}$/.test(text)) return text;
  throw new InvalidArgumentError('It must have 8 to 256 printable characters without spaces.');
}

/** Parses a secret that the API keys of players are derived from. */
export function keySecret(text: string): string {
  if (text.length >= KEY_SECRET_LENGTH_MIN && text.length <= KEY_SECRET_LENGTH_MAX) return text;
  throw new InvalidArgumentError(`It must have ${KEY_SECRET_LENGTH_MIN} to ${KEY_SECRET_LENGTH_MAX} characters.`);
}

/** Parses the address of a server. */
export function serverUrl(text: string): string {
  if (!isServerUrl(text)) {
    throw new InvalidArgumentError('It must be the URL of a galaxyd without a login, such as http://127.0.0.1:3000.');
  }
  return text.replace(/\/+$/, '');
}

/** One with a login is none: it would be shown wherever the server is named, and fetch() takes none. */
function isServerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

export const port: (text: string) => number = integer(0, 65_535);

/** Parses the speed of a new world. */
export function speedFactor(text: string): number {
  const thousandths = /^\d{1,7}(\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1000) : Number.NaN;
  if (thousandths >= SPEED_THOUSANDTHS_MIN && thousandths <= SPEED_THOUSANDTHS_MAX) return thousandths / 1000;
  throw new InvalidArgumentError(
    `It must be a number from ${SPEED_THOUSANDTHS_MIN / 1000} to ${SPEED_THOUSANDTHS_MAX / 1000} with three decimals at most.`,
  );
}

/** Parses world time as the API writes it: ISO 8601, with Z or an offset. @returns milliseconds since 1970 */
export function worldTime(text: string): number {
  const atMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(atMs)) return atMs;
  throw new InvalidArgumentError(
    'It must be an instant with its zone, such as 2026-11-21T08:30:00Z or 2026-11-21T09:30:00+01:00.',
  );
}
