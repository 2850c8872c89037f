// Draws well-formed requests for every route but streams, with ids that exist or not and bodies that are right or wrong; and
// requests that no route takes. All of them have a sound frame: their end and the route that must answer them are
// certain.

import { GALAXY_COUNT } from '../../engine/rules/limits.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';
import { MISSIONS } from '../../engine/terms/missions.js';
import { RECORDED } from '../../http/documents/recorded-examples.js';
import { isWrite, METHOD_NAMES } from '../../http/exchange/exchange.js';
import { BATCH_BODY_BYTES_MAX, BODY_BYTES_MAX } from '../../http/limits.js';
import { isBatchable, isStream, type Route } from '../../http/pipeline/route.js';
import { ROUTES } from '../../http/routes/table.js';
import type { Draws } from '../support/process/draws.js';
import type { FrozenPlayer, FrozenWorld } from './frozen-world.js';

/**
 * `sound`: it is answered, and the connection goes on. `closing`: its reply ends the connection and may be lost with
 * it. `broken`: it is uncertain what comes back, and to how many requests.
 */
export type Certainty = 'sound' | 'closing' | 'broken';

export interface TortureRequest {
  /** Such as 'getState' or 'getState, duplicated field'. */
  readonly name: string;
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  readonly certainty: Certainty;
  readonly bytes: Buffer;
}

/** A request before it becomes bytes. */
interface Draft {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
  readonly body: Buffer | null;
}

const NESTING = 20_000;
const WRONG_METHODS = ['DELETE', 'PATCH', 'OPTIONS', 'TRACE', ...METHOD_NAMES] as const;
const UNKNOWN_PATHS = ['/', '/api', '/api/game', '/api/game/state/', '/index.html', '/..%2f..%2fetc', '/a//b', '/%00'];
const UNKNOWN_IDS = [
  'player-0',
  'player-999999',
  'planet-0-0-0',
  'planet-101-0-1',
  'x',
  '%F0%9F%9A%80',
  '%ff',
  '%2e%2e',
];
const JSON_TYPE = 'Content-Type: application/json';

export class RequestDraws {
  readonly #draws: Draws;
  readonly #world: FrozenWorld;
  readonly #isKeyed: boolean;

  constructor(draws: Draws, world: FrozenWorld) {
    this.#draws = draws;
    this.#world = world;
    this.#isKeyed = world.players.some(({ apiKey }) => apiKey !== '');
  }

  /** Any request with a sound frame. */
  sound(): TortureRequest {
    const draws = this.#draws;
    if (draws.oneIn(12)) return framed(this.#unrouted());
    if (draws.oneIn(40)) return this.#kept();
    return framed(this.#routed(draws.pick(ANSWERED)));
  }

  /** A GET of a public path without conditions. */
  publicRead(): TortureRequest {
    return framed(this.#routed(this.#draws.pick(PUBLIC_READS), []));
  }

  /** A GET with a reply of several kilobytes, so that a few hundred of them fill all buffers on the way. */
  mediumRead(): TortureRequest {
    const system = `/api/game/galaxy/${this.#draws.between(1, GALAXY_COUNT)}/system/0`;
    const path = this.#draws.pick(['/api/errors', system]);
    return framed({ name: 'medium read', method: 'GET', path, fields: [], body: null });
  }

  /** A batch of large reads, as one request with a reply of several hundred kilobytes. */
  largeRead(readCount: number): TortureRequest {
    const player = this.#world.players[0];
    const operations = Array.from({ length: readCount }, () => {
      return { method: 'GET', path: `/api/game/planets/${player?.id}` };
    });
    const body = Buffer.from(JSON.stringify({ operations }));
    const fields = [JSON_TYPE, ...authorization(player)];
    return framed({ name: 'runBatch', method: 'POST', path: '/api/batch', fields, body });
  }

  #routed(route: Route, fields: readonly string[] = this.#fields(route)): Draft {
    const player = this.#player();
    const path = this.#pathOf(route, player);
    if (route.body === null) {
      const method = route.method === 'GET' && fields.length > 0 && this.#draws.oneIn(10) ? 'HEAD' : route.method;
      return { name: route.operationId, method, path, fields: [...fields, ...this.#key(player)], body: null };
    }
    const body = this.#bodyOf(route, player);
    const type = this.#draws.oneIn(25) ? 'Content-Type: text/plain' : JSON_TYPE;
    const all = body.length === 0 ? fields : [type, ...fields];
    return { name: route.operationId, method: route.method, path, fields: [...all, ...this.#key(player)], body };
  }

  /** A path or a method that no route has. */
  #unrouted(): Draft {
    const draws = this.#draws;
    if (draws.oneIn(2)) {
      return { name: 'no route', method: 'GET', path: draws.pick(UNKNOWN_PATHS), fields: [], body: null };
    }
    const path = this.#pathOf(draws.pick(ANSWERED), this.#player());
    return { name: 'no method', method: draws.pick(WRONG_METHODS), path, fields: [], body: null };
  }

  /** A request that was accepted before, with its Idempotency-Key; or another one with the key of another player. */
  #kept(): TortureRequest {
    const { kept, players } = this.#world;
    const player = this.#draws.oneIn(2) ? players[0] : this.#player();
    const body = Buffer.from(this.#draws.oneIn(2) ? kept.body : kept.body.replace('iron', 'silver'));
    const fields = [JSON_TYPE, `Idempotency-Key: ${kept.key}`, ...authorization(player)];
    return framed({ name: 'kept reply', method: 'POST', path: kept.path, fields, body });
  }

  #player(): FrozenPlayer {
    const { players } = this.#world;
    // The players at the end own only one planet, so their states are small.
    return this.#draws.oneIn(8) ? this.#draws.pick(players) : this.#draws.pick(players.slice(-8));
  }

  #key(player: FrozenPlayer): readonly string[] {
    const draws = this.#draws;
    if (draws.oneIn(30)) return [`Authorization: Bearer ${draws.pick(['', 'wrong', 'gxd_wrong', 'x'.repeat(300)])}`];
    if (!this.#isKeyed || draws.oneIn(10)) return [];
    return authorization(player);
  }

  #fields(route: Route): readonly string[] {
    const draws = this.#draws;
    const fields = ['Accept: */*'];
    if (route.method === 'GET' && draws.oneIn(3))
      fields.push(`If-None-Match: ${draws.pick(['*', '"a"', 'W/"a", W/"b"', ''])}`);
    if (isWrite(route.method) && draws.oneIn(5)) fields.push(`Idempotency-Key: ${this.#idempotencyKey()}`);
    if (isWrite(route.method) && draws.oneIn(20)) fields.push('Expect: 100-continue');
    if (draws.oneIn(10)) fields.push('Prefer: return=minimal');
    if (draws.oneIn(10)) fields.push(`X-Filler: ${'x'.repeat(draws.below(2_000))}`);
    return fields;
  }

  #idempotencyKey(): string {
    const draws = this.#draws;
    return draws.pick([this.#world.kept.key, `key-${draws.below(1_000)}`, 'a b', 'k'.repeat(draws.between(1, 400))]);
  }

  #pathOf(route: Route, player: FrozenPlayer): string {
    const draws = this.#draws;
    let path = route.path;
    for (const { name, maximum } of route.parameters) {
      const id =
        maximum === undefined ? this.#id(name, player) : String(name === 'galaxy' ? draws.between(1, GALAXY_COUNT) : 0);
      const isUnknown = draws.oneIn(15) || CHANGE_KEYS.has(route.operationId);
      path = path.replace(`:${name}`, isUnknown ? draws.pick(UNKNOWN_IDS) : id);
    }
    return path;
  }

  /** @param name of a parameter or a member of a body */
  #id(name: string, player: FrozenPlayer): string {
    const draws = this.#draws;
    if (/player/i.test(name)) return draws.oneIn(6) ? draws.pick(this.#world.players).id : player.id;
    if (/fleet/i.test(name)) return `fleet-${draws.below(5)}`;
    // The queue entries of upgrades exist: naming one by chance would cancel it.
    if (/queue/i.test(name)) return 'no-entry';
    return draws.oneIn(3) ? draws.pick(this.#world.colonyIds) : player.starterId;
  }

  #bodyOf(route: Route, player: FrozenPlayer): Buffer {
    const draws = this.#draws;
    const value =
      route.tag === 'batch'
        ? this.#batch(player)
        : this.#filled(RECORDED.operations[route.operationId]?.body, '', player);
    const text = JSON.stringify(value);
    if (!draws.oneIn(4)) return Buffer.from(text);
    return draws.pick(WRONG_BODIES)(text, draws);
  }

  #batch(player: FrozenPlayer): unknown {
    const count = this.#draws.oneIn(20) ? this.#draws.between(0, 300) : this.#draws.between(0, 12);
    const operations = Array.from({ length: count }, () => {
      const route = this.#draws.pick(BATCHABLE);
      const { method } = route;
      const path = this.#pathOf(route, player);
      if (method === 'GET') return this.#draws.oneIn(20) ? { method, path, body: {} } : { method, path };
      return { method, path, body: this.#filled(RECORDED.operations[route.operationId]?.body, '', player) };
    });
    return { operations };
  }

  /** An example with ids and types of its own. The name of a member decides which. */
  #filled(example: unknown, name: string, player: FrozenPlayer): unknown {
    const draws = this.#draws;
    if (draws.oneIn(60)) return draws.pick(ODD_VALUES);
    if (Array.isArray(example)) return example.map((value) => this.#filled(value, name, player));
    if (typeof example === 'object' && example !== null) {
      const members = Object.entries(example).map(([key, value]) => [key, this.#filled(value, key, player)]);
      return Object.fromEntries(members);
    }
    if (typeof example === 'number') return draws.oneIn(3) ? draws.between(0, 1_000_000) : example;
    if (/Id$/.test(name)) return this.#id(name, player);
    const rules = TYPE_NAMES[name];
    return rules === undefined ? example : draws.pick(rules);
  }
}

/** With a key of the world they would succeed, so they name no player that exists. */
const CHANGE_KEYS: ReadonlySet<string> = new Set(['rotateKey', 'revokeKeys']);

/** All but streams, whose replies do not end. */
const ANSWERED = ROUTES.filter((route) => !isStream(route));
const BATCHABLE = ROUTES.filter(isBatchable);
/** Public reads that the server has cached or renders quickly. */
const PUBLIC_READS = ANSWERED.filter(({ method, access, path }) => {
  return method === 'GET' && access === 'public' && path !== '/metrics';
});

const TYPE_NAMES: Readonly<Record<string, readonly string[]>> = {
  buildingType: STANDARD_1.buildings.map(({ type }) => type),
  shipType: STANDARD_1.ships.map(({ type }) => type),
  researchType: STANDARD_1.research.map(({ type }) => type),
  type: STANDARD_1.ships.map(({ type }) => type),
  mission: MISSIONS,
};

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  '',
  -1,
  0.5,
  1e300,
  [],
  {},
  [[[[]]]],
  'a\u0000b',
  '\ud800',
  { ['__proto__']: 1, constructor: 2 },
  'x'.repeat(5_000),
];

/** Ways in which a body of the right length can be wrong. */
const WRONG_BODIES: readonly ((text: string, draws: Draws) => Buffer)[] = [
  () => Buffer.alloc(0),
  (text, draws) => Buffer.from(text.slice(0, draws.below(text.length))),
  (text) => Buffer.from(`${text}${text}`),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xc0, 0x80, 0x7d])]),
  () => Buffer.from('['.repeat(NESTING)),
  () => Buffer.from(`${'[{"a":'.repeat(5_000)}1${'}]'.repeat(5_000)}`),
  () => Buffer.from(`{"operations":[${'{"method":"GET","path":"/healthz"},'.repeat(1_000)}{}]}`),
  () => Buffer.from(`{"operations":[${'{},'.repeat(1_000)}{}]}`),
  (text) => Buffer.from(text.replace(/"[a-z]+-[\d-]+"/, `1${'0'.repeat(400)}`)),
  (text) => Buffer.from(text.replace('{', `{"${'k'.repeat(300)}":1e999,"__proto__":{"isBot":true},`)),
  (_text, draws) => Buffer.from(Array.from({ length: draws.below(500) }, () => draws.below(256))),
];

function authorization(player: FrozenPlayer | undefined): readonly string[] {
  return player === undefined || player.apiKey === '' ? [] : [`Authorization: Bearer ${player.apiKey}`];
}

/** Gives a draft its frame. */
function framed({ name, method, path, fields, body }: Draft): TortureRequest {
  const length = body === null ? [] : [`Content-Length: ${body.length}`];
  const head = [`${method} ${path} HTTP/1.1`, 'Host: world', ...fields, ...length];
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]);
  const isTooLong = body !== null && body.length > (path === '/api/batch' ? BATCH_BODY_BYTES_MAX : BODY_BYTES_MAX);
  return { name, method, path, certainty: isTooLong ? 'closing' : 'sound', bytes };
}
