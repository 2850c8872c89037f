// The players of a swarm: how many bots of which kinds, their names and keys, and their registration. A name consists of the prefix,
// the kind and a number, so the same command line finds the same players again. Registration is in bulk with the operator's key, else
// one by one, as fast as the server allows.

import { createHmac } from 'node:crypto';
import { appendFileSync, chmodSync, closeSync, fsyncSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BotKind } from '../bot.js';
import { BOTS, botNamed } from '../bots/index.js';
import { GalaxydClient, GalaxydProblem } from '../galaxyd-client.js';
import { MIX_WEIGHT_MAX, REGISTRATIONS_AT_A_TIME } from '../limits.js';

/** A player that a bot plays. */
export interface SwarmPlayer {
  readonly kind: BotKind;
  readonly name: string;
  readonly playerId: string;
  /** Empty in a world without keys. */
  readonly apiKey: string;
}

interface RegistrationOptions {
  readonly baseUrl: string;
  readonly bots: number;
  readonly mix: readonly Share[];
  readonly prefix: string;
  /** Empty without one. */
  readonly adminKey: string;
  readonly keys: PlayerKeys;
  /** Ends the registration early. */
  readonly signal: AbortSignal;
}

/** Yields players as they are registered. Ends early if the universe becomes full. */
export async function* registerPlayers(options: RegistrationOptions): AsyncGenerator<readonly SwarmPlayer[], void> {
  const register = options.adminKey === '' ? oneByOne : inBulk;
  try {
    yield* register(options);
  } catch (error) {
    throw error instanceof GalaxydProblem ? new CannotPlay(sentenceOf(error, options)) : error;
  }
}

function sentenceOf({ code, message }: GalaxydProblem, { adminKey, prefix }: RegistrationOptions): string {
  if (code === 'registration_closed') return 'only the operator creates players in this world: name its --admin-key';
  if (code === 'route_not_found') return 'the server has no operator (--admin-key): leave --admin-key out';
  if (code === 'unauthenticated') {
    if (adminKey !== '') return 'the server does not accept this --admin-key';
    return `players named ${prefix}-… exist, and their keys are not known: name their --keys or --key-secret, the --admin-key, or another --prefix`;
  }
  return `the server has refused a registration: ${message}`;
}

async function* inBulk(options: RegistrationOptions): AsyncGenerator<readonly SwarmPlayer[], void> {
  const { baseUrl, adminKey, keys, mix, bots, prefix } = options;
  const operator = new GalaxydClient({ baseUrl, apiKey: adminKey, concurrency: REGISTRATIONS_AT_A_TIME });
  const secret = keys.secret === undefined ? {} : { keySecret: keys.secret };
  for (const { kind, count } of division(mix, bots)) {
    const request = { count, namePrefix: `${prefix}-${kind.name}`, ...secret };
    const reply = await operator.post('/api/admin/players', { body: request });
    const { players } = reply.body;
    keys.keep(players.flatMap(({ name, apiKey }) => (apiKey === undefined ? [] : [[name, apiKey] as const])));
    const rows: SwarmPlayer[] = [];
    for (const { id: playerId, name, apiKey } of players) {
      const key = apiKey ?? keys.of(name) ?? (await newKey(operator, playerId, name, keys));
      rows.push({ kind, name, playerId, apiKey: key });
    }
    yield rows;
  }
}

/** Makes a new key for a player whose key is lost. */
async function newKey(operator: GalaxydClient, playerId: string, name: string, keys: PlayerKeys): Promise<string> {
  const params = { path: { playerId } };
  const { body } = await operator.post('/api/admin/player/{playerId}/key', { params });
  keys.keep([[name, body.apiKey]]);
  return body.apiKey;
}

async function* oneByOne(options: RegistrationOptions): AsyncGenerator<readonly SwarmPlayer[], void> {
  const { baseUrl, signal } = options;
  const client = new GalaxydClient({ baseUrl, concurrency: REGISTRATIONS_AT_A_TIME });
  const wanted = division(options.mix, options.bots).flatMap(({ kind, count }) =>
    Array.from({ length: count }, (_, index) => ({ kind, name: `${options.prefix}-${kind.name}-${index + 1}` })),
  );
  for (let first = 0; first < wanted.length && !signal.aborted; first += REGISTRATIONS_AT_A_TIME) {
    const part = wanted.slice(first, first + REGISTRATIONS_AT_A_TIME);
    const rows = await Promise.all(part.map(({ kind, name }) => one(client, kind, name, options)));
    const placed = rows.filter((row) => row !== null);
    yield placed;
    if (placed.length < part.length) return;
  }
}

/** @returns null if the universe is full or the registration was ended */
async function one(
  client: GalaxydClient,
  kind: BotKind,
  name: string,
  { keys, signal }: RegistrationOptions,
): Promise<SwarmPlayer | null> {
  const known = keys.of(name);
  const registrar = known === undefined || known === '' ? client : client.forPlayer({ playerId: name, apiKey: known });
  while (!signal.aborted) {
    try {
      const { body } = await registrar.post('/api/game/player', { body: { name, isBot: true } });
      const apiKey = 'apiKey' in body && typeof body.apiKey === 'string' ? body.apiKey : (known ?? '');
      if (apiKey !== known) keys.keep([[name, apiKey]]);
      return { kind, name, playerId: body.id, apiKey };
    } catch (error) {
      if (!(error instanceof GalaxydProblem)) throw error;
      if (error.code === 'universe_full') return null;
      if (error.code !== 'rate_limited') throw error;
      await delay(error.problem.retryAfterMs ?? 0, undefined, { signal }).catch(() => {});
    }
  }
  return null;
}

export interface Share {
  readonly kind: BotKind;
  readonly weight: number;
}

/** A text is not a mix. The message is a sentence for the user. */
export class BadMix extends Error {
  override readonly name = 'BadMix';
}

/** Parses a mix: `greedy:5,raider:2` means five greedy bots to two raiders. @throws BadMix */
export function mixOf(text: string): Share[] {
  const shares = text.split(',').map((part) => shareOf(part.trim()));
  const names = shares.map(({ kind }) => kind.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new BadMix(`It names ${twice} twice.`);
  return shares;
}

function shareOf(part: string): Share {
  const [name = '', weight = '1', ...rest] = part.split(':');
  const kind = botNamed(name);
  if (kind === undefined) {
    throw new BadMix(`There is no bot "${name}". There are ${BOTS.map((one) => one.name).join(', ')}.`);
  }
  const value = /^\d{1,4}$/.test(weight) && rest.length === 0 ? Number(weight) : 0;
  if (value >= 1 && value <= MIX_WEIGHT_MAX) return { kind, weight: value };
  throw new BadMix(`The weight of ${name} must be a whole number from 1 to ${MIX_WEIGHT_MAX}, as in ${name}:5.`);
}

/**
 * Divides bots among kinds in proportion to the weights. The last ones go to the largest remainders.
 *
 * @returns the kinds with at least one bot, in the order of the mix
 */
export function division(mix: readonly Share[], bots: number): { readonly kind: BotKind; readonly count: number }[] {
  const total = mix.reduce((sum, { weight }) => sum + weight, 0);
  const counts = mix.map(({ weight }) => Math.floor((bots * weight) / total));
  let left = bots - counts.reduce((sum, count) => sum + count, 0);
  const remainders = mix.map(({ weight }, index) => ({ index, remainder: (bots * weight) % total }));
  remainders.sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of remainders) {
    if (left === 0) break;
    counts[index] = (counts[index] ?? 0) + 1;
    left -= 1;
  }
  return mix.map(({ kind }, index) => ({ kind, count: counts[index] ?? 0 })).filter(({ count }) => count > 0);
}

export interface PlayerKeys {
  /** Sent to the server, which derives the same keys from it. Undefined if the server draws random keys. */
  readonly secret?: string;
  /** @returns undefined if the key is not known */
  of(playerName: string): string | undefined;
  /** Stores the keys of new players. */
  keep(keys: readonly (readonly [playerName: string, apiKey: string])[]): void;
}

/** The keys of a world without keys. */
export const NO_KEYS: PlayerKeys = { of: () => '', keep: () => {} };

/** How every API key begins. */
const API_KEY_PREFIX = 'gxd_';

/** Keys that are derived from a secret and the names. Nothing needs to be stored. */
export function derivedKeys(secret: string): PlayerKeys {
  return {
    secret,
    of: (playerName) => API_KEY_PREFIX + createHmac('sha256', secret).update(playerName).digest('base64url'),
    keep: () => {},
  };
}

/** How every line of a key file begins. */
const BEGINNING = '["';

/**
 * Keys in a file that only its owner can read. Each line is a JSON array of name and key; the last line of a name counts. The file is
 * created if it is missing. An incomplete last line, which a killed process leaves, is removed.
 *
 * @throws BadKeyFile, and errors of the file system
 */
export function keyFile(path: string): PlayerKeys {
  closeSync(openSync(path, 'a', 0o600));
  // Else a power cut may take the file with all of its keys away.
  sync(dirname(path));
  const known = new Map<string, string>();
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  const torn = lines.pop() ?? '';
  for (const [index, line] of lines.entries()) {
    const [name, key] = entryOf(line);
    if (name === undefined || key === undefined)
      throw new BadKeyFile(`${path}: line ${index + 1} does not have a name and a key`);
    known.set(name, key);
  }
  // A file that was named by mistake must not change.
  if (!torn.startsWith(BEGINNING) && !BEGINNING.startsWith(torn))
    throw new BadKeyFile(`${path}: line ${lines.length + 1} does not have a name and a key`);
  chmodSync(path, 0o600);
  if (torn !== '') truncateSync(path, Buffer.byteLength(text) - Buffer.byteLength(torn));
  return {
    of: (playerName) => known.get(playerName),
    keep(keys) {
      if (keys.length === 0) return;
      const out = openSync(path, 'a', 0o600);
      try {
        appendFileSync(out, keys.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
        fsyncSync(out);
      } finally {
        closeSync(out);
      }
      for (const [name, key] of keys) known.set(name, key);
    },
  };
}

function sync(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function entryOf(line: string): readonly (string | undefined)[] {
  try {
    const entry: unknown = JSON.parse(line);
    return Array.isArray(entry) && entry.every((part) => typeof part === 'string') ? entry : [];
  } catch {
    return [];
  }
}

/** A swarm cannot play, or cannot go on. The message is a sentence for the user. */
export class CannotPlay extends Error {
  override readonly name = 'CannotPlay';
}

/** A file is not a key file. The message is a sentence for the user. */
export class BadKeyFile extends Error {
  override readonly name = 'BadKeyFile';
}
