// Options, parsers of values, and environment variables that several subcommands share.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { KEY_SECRET_LENGTH_MAX, KEY_SECRET_LENGTH_MIN } from '../../arena/limits.js';
import { SPEED_THOUSANDTHS_MAX, SPEED_THOUSANDTHS_MIN } from '../../engine/rules/limits.js';
import { storeAt, UnknownStore } from '../../persistence/store-url.js';

/** What help texts call the place of a world. */
export const WORLD_PLACE = 'world: its folder, or its postgres:// URL';

/** The place of a world, with the same environment variable as for the server. */
export function dataOption(): Option {
  return new Option('--data <place>', WORLD_PLACE).default('./data').argParser(storeUrl).env('GALAXYD_DATA');
}

/** Checks the place of a world. @throws InvalidArgumentError */
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

/** A wrong value of these options may be a mistyped password or key. */
const SECRET_VALUE =
  /(option '[^']*<(?:place|url|folder|key|secret|text)>') (?:argument|value) '.*'(?= is invalid| from env)/s;
/** A value of any other option that contains a login. */
const VALUE_WITH_LOGIN = /(option '[^']*' (?:argument|value) )'.*:.*(?:@|%40).*'(?= is invalid| from env)/s;
/** A URL where none is expected. */
const UNEXPECTED_URL = /(unknown (?:option|command) )'.*(?::|password).*'/is;

/** Of a command that takes its world as an option, for example. */
const NEEDLESS_ARGUMENT = /^(error: too many arguments) for '([\w-]+)'\. Expected 0 .*$/s;

/** The message of commander about a wrong command line, and its advice, without secrets: both may repeat what was typed. */
export function usageLines(text: string, { options }: Pick<Command, 'options'>): string[] {
  const [, tooMany, command] = NEEDLESS_ARGUMENT.exec(text) ?? [];
  const place = options.some(({ long }) => long === '--data') ? '; --data names the world' : '';
  if (command !== undefined) return [`${tooMany}: ${command} takes options only${place}`];
  const [, sentence = text, advice] = /^(.*?)\n(\(Did you mean [^\n]*\?\))\n?$/s.exec(text) ?? [];
  return [withoutSecrets(sentence.trimEnd()), ...(advice === undefined ? [] : [advice])];
}

/** Removes from a sentence what may be a secret. */
export function withoutSecrets(sentence: string): string {
  return sentence.replace(SECRET_VALUE, '$1').replace(VALUE_WITH_LOGIN, "$1'…'").replace(UNEXPECTED_URL, "$1'…'");
}

/** @returns a parser of whole numbers within bounds */
export function integer(lowest: number, highest: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= lowest && value <= highest) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${lowest} to ${highest}.`);
  };
}

export const seq: (text: string) => number = integer(1, Number.MAX_SAFE_INTEGER);

/** Parses a key, as an Authorization header can carry it. */
export function sharedKey(text: string): string {
  if (/^[\x21-\x7e]{8,256}$/.test(text)) return text;
  throw new InvalidArgumentError('It must have 8 to 256 printable characters without spaces.');
}

/** Parses the secret from which the API keys of players are derived. */
export function keySecret(text: string): string {
  if (text.length >= KEY_SECRET_LENGTH_MIN && text.length <= KEY_SECRET_LENGTH_MAX) return text;
  throw new InvalidArgumentError(`It must have ${KEY_SECRET_LENGTH_MIN} to ${KEY_SECRET_LENGTH_MAX} characters.`);
}

/** Parses the URL of a server. */
export function serverUrl(text: string): string {
  if (!isServerUrl(text)) {
    throw new InvalidArgumentError('It must be the URL of a galaxyd without a login, such as http://127.0.0.1:3000.');
  }
  return text.replace(/\/+$/, '');
}

/** A URL with a login is refused: messages would show the login, and fetch() accepts none. */
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

/** Parses world time as the API writes it: ISO 8601 with Z or an offset. @returns milliseconds since 1970 */
export function worldTime(text: string): number {
  const atMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(atMs)) return atMs;
  throw new InvalidArgumentError(
    'It must be an instant with its zone, such as 2026-11-21T08:30:00Z or 2026-11-21T09:30:00+01:00.',
  );
}

/** The API key for `galaxyd mcp`. */
export const API_KEY_VARIABLE = 'GALAXYD_KEY';
/** The API key that a tournament gives to an entrant. */
export const ENTRANT_KEY_VARIABLE = 'GALAXYD_API_KEY';
export const ADMIN_KEY_VARIABLE = 'GALAXYD_ADMIN_KEY';
export const SERVER_VARIABLE = 'GALAXYD_SERVER';
export const PLAYER_VARIABLE = 'GALAXYD_PLAYER';
/** The variable of `galaxyd tournament`. */
export const KEY_SECRET_VARIABLE = 'GALAXYD_KEY_SECRET';
/** How the training environment in Python runs galaxyd. */
const COMMAND_VARIABLE = 'GALAXYD_COMMAND';

/** Variables of other programs, which may be set in the same shell. `galaxyd serve` ignores them. */
export const IGNORED_VARIABLES: readonly string[] = [
  API_KEY_VARIABLE,
  ENTRANT_KEY_VARIABLE,
  SERVER_VARIABLE,
  PLAYER_VARIABLE,
  KEY_SECRET_VARIABLE,
  COMMAND_VARIABLE,
];
