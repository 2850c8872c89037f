// Makes the players of a swarm, or finds them again: names are made of the prefix, the kind and a number, so the same command line has
// the same players. In bulk with the operator's key, else one by one, as slowly as the server wants it.
import { setTimeout as delay } from 'node:timers/promises';
import type { BotKind } from '../bot.js';
import { GalaxydClient, GalaxydProblem } from '../galaxyd-client.js';
import { REGISTRATIONS_AT_A_TIME } from '../limits.js';
import { CannotPlay } from './failures.js';
import { division, type Share } from './mix.js';
import type { PlayerKeys } from './player-keys.js';

/** A player that a bot plays. */
export interface Registered {
  readonly kind: BotKind;
  readonly name: string;
  readonly playerId: string;
  /** '' in a world without keys. */
  readonly apiKey: string;
}

export interface RegistrationOptions {
  readonly baseUrl: string;
  readonly bots: number;
  readonly mix: readonly Share[];
  readonly prefix: string;
  /** '' for none. */
  readonly adminKey: string;
  readonly keys: PlayerKeys;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/** Parts of the swarm, as they are registered. If the universe becomes full, it ends early. */
export async function* registered(options: RegistrationOptions): AsyncGenerator<readonly Registered[], void> {
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

async function* inBulk(options: RegistrationOptions): AsyncGenerator<readonly Registered[], void> {
  const { baseUrl, adminKey, keys, mix, bots, prefix } = options;
  const operator = new GalaxydClient({ baseUrl, apiKey: adminKey, concurrency: REGISTRATIONS_AT_A_TIME });
  const secret = keys.secret === undefined ? {} : { keySecret: keys.secret };
  for (const { kind, count } of division(mix, bots)) {
    const request = { count, namePrefix: `${prefix}-${kind.name}`, ...secret };
    const reply = await operator.post('/api/admin/players', { body: request });
    const { players } = reply.body;
    keys.keep(players.flatMap(({ name, apiKey }) => (apiKey === undefined ? [] : [[name, apiKey] as const])));
    const rows: Registered[] = [];
    for (const { id: playerId, name, apiKey } of players) {
      const key = apiKey ?? keys.of(name) ?? (await newKey(operator, playerId, name, keys));
      rows.push({ kind, name, playerId, apiKey: key });
    }
    yield rows;
  }
}

/** The key of a player that exists is lost: the operator makes another one. */
async function newKey(operator: GalaxydClient, playerId: string, name: string, keys: PlayerKeys): Promise<string> {
  const params = { path: { playerId } };
  const { body } = await operator.post('/api/admin/player/{playerId}/key', { params });
  keys.keep([[name, body.apiKey]]);
  return body.apiKey;
}

async function* oneByOne(options: RegistrationOptions): AsyncGenerator<readonly Registered[], void> {
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

/** @returns null if the universe is full, or the registration was ended */
async function one(
  client: GalaxydClient,
  kind: BotKind,
  name: string,
  { keys, signal }: RegistrationOptions,
): Promise<Registered | null> {
  const known = keys.of(name);
  const speaker = known === undefined || known === '' ? client : client.forPlayer({ playerId: name, apiKey: known });
  while (!signal.aborted) {
    try {
      const { body } = await speaker.post('/api/game/player', { body: { name, isBot: true } });
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
