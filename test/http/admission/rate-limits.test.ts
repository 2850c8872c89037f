// Rate limits of requests: who pays, how much, and when it may go on. The clock of the buckets stands still unless a
// test moves it.
import t, { type Test } from 'tap';
import { Admission } from '../../../http/admission/admission.js';
import { RequestLimits } from '../../../http/admission/request-limits.js';
import { type Exchange, ShapeErrorBudget } from '../../../http/exchange/exchange.js';
import {
  BODY_BYTES_PER_TOKEN,
  RATE_BURST,
  RATE_LIMITED_CLIENTS_MAX,
  RATE_LIMITED_PLAYERS_MAX,
  RATE_PER_SECOND,
} from '../../../http/limits.js';
import { BatchPart } from '../../../http/pipeline/batch.js';
import { ROUTES } from '../../../http/routes/table.js';
import type { LimitsBody } from '../../../http/schemas/world.js';
import type { WorldServerOptions } from '../../../http/world-server.js';
import type { GameClient, Reply } from '../support/game-client.js';
import { OwnClock } from '../support/own-clock.js';
import { begin } from '../support/serving.js';

/** Two tokens a second, ten at once. */
const RATE = { perSecond: 2, burst: 10 };
const REFILL_MS = 500;

async function beginLimited(t: Test, server: Partial<WorldServerOptions> = {}, auth: 'none' | 'key' = 'key') {
  const clock = new OwnClock(t, 0);
  return { clock, ...(await begin(t, { auth, server: { rateLimits: RATE, ...server } })) };
}

/** Creates bots without taking anything from anybody's limit. */
async function newcomers(admin: GameClient, count: number) {
  const path = '/api/admin/players';
  const { players } = await admin.command<{ players: { id: string; apiKey: string }[] }>(
    path,
    { count, namePrefix: 'bot' },
    201,
  );
  return players;
}

/** What is left, by the header of a reply. */
function leftOf({ headers }: Reply): number {
  return Number(/;r=(\d+);/.exec(headers['ratelimit'] ?? '')?.[1] ?? Number.NaN);
}

/** Statuses of as many requests, one after the other. */
async function statuses(count: number, request: () => Promise<Reply>): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index += 1) all.push((await request()).status);
  return all;
}

const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

t.test('a player has its own limit, and Retry-After is honest', async (t) => {
  const { clock, client, admin } = await beginLimited(t);
  const [ada, bob] = await newcomers(admin, 2);
  const asAda = client.as(ada?.apiKey ?? '');
  const read = () => asAda.request('GET', `/api/game/state/${ada?.id}`);
  t.same(await statuses(RATE.burst, read), times(RATE.burst, 200));
  const refused = await read();
  t.match(refused, {
    status: 429,
    headers: { 'retry-after': '1', 'ratelimit-policy': '"requests";q=10;w=5', ratelimit: '"requests";r=0;t=5' },
    body: { code: 'rate_limited', limit: { name: 'requests', maximum: RATE.burst }, retryAfterMs: REFILL_MS },
  });
  t.equal((await client.as(bob?.apiKey ?? '').request('GET', `/api/game/state/${bob?.id}`)).status, 200);
  clock.nowMs += REFILL_MS - 1;
  t.match(await read(), { status: 429, body: { retryAfterMs: 1 } });
  clock.nowMs += 1;
  t.equal((await read()).status, 200, 'after what the refusal said');
  t.equal((await read()).status, 429);
  clock.nowMs += 1_000;
  t.same(await statuses(3, read), [200, 200, 429], 'after Retry-After, in whole seconds');
});

t.test('commands and reads draw from one bucket; a refused command changes nothing', async (t) => {
  const { client, admin } = await beginLimited(t);
  const { planetId, playerId, key } = await ownerOf(t, client, admin);
  const owner = client.as(key);
  await statuses(RATE.burst - 3, () => owner.request('GET', `/api/game/state/${playerId}`));
  const upgrade = { body: { planetId, buildingType: 'iron_mine' } };
  t.equal((await owner.request('POST', '/api/building/upgrade', upgrade)).status, 200);
  t.equal((await owner.request('POST', '/api/building/upgrade', upgrade)).status, 409, 'a refusal costs the same');
  const { seq } = await admin.read<{ seq: number }>('/api/status');
  const cancel = { body: { planetId, buildingType: 'iron_mine' } };
  t.equal((await owner.request('POST', '/api/building/cancel', cancel)).status, 429);
  t.equal((await admin.read<{ seq: number }>('/api/status')).seq, seq);
});

async function ownerOf(t: Test, client: GameClient, admin: GameClient) {
  const [player] = await newcomers(admin, 1);
  if (player === undefined) throw new Error('no player was created');
  const state = await client.as(player.apiKey).request('GET', `/api/game/state/${player.id}`);
  const [planet] = (state.body as { planets: { id: string }[] }).planets;
  t.ok(planet);
  return { playerId: player.id, key: player.apiKey, planetId: planet?.id ?? '' };
}

t.test('a swarm behind one address is not punished, whatever else comes from there', async (t) => {
  const { client, admin } = await beginLimited(t);
  const players = await newcomers(admin, 12);
  t.same(
    await statuses(RATE.burst + 1, () => client.request('GET', '/api/status')),
    [...times(RATE.burst, 200), 429],
    'the address has nothing left',
  );
  for (const { id, apiKey } of players) {
    const bot = client.as(apiKey);
    t.same(await statuses(RATE.burst + 1, () => bot.request('GET', `/api/game/state/${id}`)), [
      ...times(RATE.burst, 200),
      429,
    ]);
  }
});

t.test('wrong keys draw from the address, and leave players alone', async (t) => {
  const { client, admin } = await beginLimited(t);
  const [player] = await newcomers(admin, 1);
  let guess = 0;
  const wrong = () => {
    guess += 1;
    return client.as(`gxd_${guess}`).request('GET', `/api/game/state/${player?.id}`);
  };
  t.same(await statuses(RATE.burst + 2, wrong), [...times(RATE.burst, 401), 429, 429]);
  t.equal((await client.request('GET', '/api/status')).status, 429, 'the same as without a key');
  t.equal(leftOf(await client.as(player?.apiKey ?? '').request('GET', '/api/status')), RATE.burst - 1);
});

t.test('the operator pays nothing, but its key cannot be guessed without a limit', async (t) => {
  const { clock, client, admin } = await beginLimited(t);
  const advance = (as: GameClient) => as.request('POST', '/api/admin/clock/advance', { body: { seconds: 1 } });
  t.same(await statuses(RATE.burst * 2, () => advance(admin)), times(RATE.burst * 2, 200));
  t.same(await statuses(RATE.burst + 1, () => advance(client.as('a guess at the key'))), [
    ...times(RATE.burst, 401),
    429,
  ]);
  t.equal((await advance(admin)).status, 429, 'it is not compared now: a guess could be right');
  clock.nowMs += REFILL_MS;
  t.same(await statuses(3, () => advance(admin)), [200, 200, 200]);
});

t.test('without keys each address has its limit; by default it has none', async (t) => {
  const { client } = await beginLimited(t, {}, 'none');
  t.same(await statuses(RATE.burst + 1, () => client.as('ignored').request('GET', '/api/status')), [
    ...times(RATE.burst, 200),
    429,
  ]);
  t.same(
    await statuses(1, () => client.request('POST', '/api/game/player', { body: { name: 'a', isBot: true } })),
    [429],
  );
  const open = (await begin(t)).client;
  const free = await open.request('GET', '/api/status');
  t.match(free.body, { rateLimits: null });
  t.notOk('ratelimit' in free.headers || 'ratelimit-policy' in free.headers);
  const keyed = (await begin(t, { auth: 'key' })).client;
  const limited = await keyed.request('GET', '/api/status');
  t.match(limited.body, { rateLimits: { perSecond: RATE_PER_SECOND, burst: RATE_BURST } });
  t.equal(leftOf(limited), RATE_BURST - 1);
  const off = (await begin(t, { auth: 'key', server: { rateLimits: null } })).client;
  t.match((await off.request('GET', '/api/status')).body, { rateLimits: null });
});

t.test('the client behind a trusted proxy pays, and the sender behind any other', async (t) => {
  const from = (client: GameClient, forwardedFor: string) => () =>
    client.request('GET', '/api/status', { headers: { 'x-forwarded-for': forwardedFor } });
  const { client } = await beginLimited(t, { trustedProxies: ['127.0.0.0/8'] });
  t.same(await statuses(RATE.burst + 1, from(client, '192.0.2.1')), [...times(RATE.burst, 200), 429]);
  t.same(await statuses(1, from(client, '192.0.2.2')), [200], 'another client of the proxy');
  t.same(await statuses(1, from(client, '203.0.113.9, 192.0.2.1')), [429], 'what a client claims changes nothing');
  t.same(await statuses(RATE.burst + 1, from(client, '2001:db8:1:2::1')), [...times(RATE.burst, 200), 429]);
  t.same(await statuses(1, from(client, '2001:db8:1:2:3::4')), [429], 'the same /64');
  const direct = (await beginLimited(t)).client;
  t.same(await statuses(RATE.burst, from(direct, '192.0.2.1')), times(RATE.burst, 200));
  t.same(await statuses(1, from(direct, '192.0.2.2')), [429], 'a forged address');
});

t.test('each operation takes its cost', async (t) => {
  const { clock, client } = await beginLimited(t, { rateLimits: { perSecond: 1, burst: 100 } });
  for (const { operationId, path, cost, method, access } of ROUTES) {
    if (method !== 'GET' || path.includes(':') || access !== 'public') continue;
    clock.nowMs += 100_000;
    t.equal(100 - leftOf(await client.request('GET', path)), cost, operationId);
    clock.nowMs += 100_000;
    t.equal(100 - leftOf(await client.request('HEAD', path)), cost, `HEAD ${operationId}`);
  }
  t.ok(new Set(ROUTES.map(({ cost }) => cost)).size > 3);
});

t.test('what supervisors ask, and the limits themselves, are free even if nothing is left', async (t) => {
  const { client } = await beginLimited(t);
  await statuses(RATE.burst, () => client.request('GET', '/api/status'));
  for (const path of ['/healthz', '/readyz', '/api/limits']) {
    t.match(await client.request('GET', path), { status: 200, headers: { ratelimit: '"requests";r=0;t=5' } });
  }
});

t.test('a batch takes the sum of its operations before any of them runs', async (t) => {
  const { clock, client, admin, world } = await beginLimited(t);
  const [player] = await newcomers(admin, 1);
  const owner = client.as(player?.apiKey ?? '');
  const batch = (...paths: string[]) =>
    owner.request('POST', '/api/batch', { body: { operations: paths.map((path) => ({ method: 'GET', path })) } });
  const cost = (path: string) => ROUTES.find((route) => route.path === path)?.cost ?? Number.NaN;
  t.equal(leftOf(await batch('/api/status', '/api/status', '/api/nothing')), RATE.burst - 3);
  clock.nowMs += RATE.burst * REFILL_MS;
  t.equal(leftOf(await batch('/healthz', '/healthz')), RATE.burst - 2, 'in a batch nothing is free');
  clock.nowMs += RATE.burst * REFILL_MS;
  t.equal(leftOf(await batch('/api/catalog', '/api/errors')), RATE.burst - cost('/api/catalog') - cost('/api/errors'));
  clock.nowMs += RATE.burst * REFILL_MS;

  const creations = Array.from({ length: 6 }, (_, index) => {
    return { method: 'POST', path: '/api/game/player', body: { name: `new ${index}`, isBot: true } };
  });
  const create = () => owner.request('POST', '/api/batch', { body: { operations: creations } });
  t.equal((await create()).status, 200);
  const { playerCount } = world.engine.world;
  const refused = await create();
  t.match(refused, { status: 429, body: { limit: { name: 'requests' }, retryAfterMs: 3 * REFILL_MS } });
  t.equal(leftOf(refused), 3, 'one was taken for reading it');
  t.equal(world.engine.world.playerCount, playerCount);
  clock.nowMs += 3 * REFILL_MS;
  t.equal((await create()).status, 200);
});

t.test('a batch above the capacity runs from a full bucket, and is paid off later', async (t) => {
  const { clock, client, admin } = await beginLimited(t);
  const [player] = await newcomers(admin, 1);
  const owner = client.as(player?.apiKey ?? '');
  const operations = Array.from({ length: 30 }, () => ({ method: 'GET', path: '/api/status' }));
  for (const headers of [{}, { 'idempotency-key': 'one' }]) {
    const batch = () => owner.request('POST', '/api/batch', { body: { operations }, headers });
    t.equal((await owner.request('GET', '/api/status')).status, 200);
    const refused = await batch();
    t.match(refused, { status: 429, body: { retryAfterMs: 2 * REFILL_MS } }, 'one is missing, and one was taken');
    clock.nowMs += 2 * REFILL_MS;
    t.match(await batch(), { status: 200, headers: { ratelimit: '"requests";r=0;t=15' } });
    clock.nowMs += 20 * REFILL_MS;
    t.match(await owner.request('GET', '/api/status'), { status: 429, body: { retryAfterMs: REFILL_MS } });
    clock.nowMs += 10 * REFILL_MS;
  }
});

t.test('a long body takes more, whatever is in it, and a batch does not pay twice', async (t) => {
  const { clock, client, admin } = await beginLimited(t);
  const [player] = await newcomers(admin, 1);
  const owner = client.as(player?.apiKey ?? '');
  const long = (text: string) => text.padEnd(3 * BODY_BYTES_PER_TOKEN);
  const post = (path: string, body: string) => owner.request('POST', path, { body });
  t.equal(leftOf(await post('/api/building/upgrade', long('{'))), RATE.burst - 4);
  clock.nowMs += RATE.burst * REFILL_MS;
  const operations = Array.from({ length: 6 }, () => ({ method: 'GET', path: '/api/status' }));
  t.equal(leftOf(await post('/api/batch', long(JSON.stringify({ operations })))), RATE.burst - 6);
  t.match(await post('/api/batch', long('{}')), { status: 400 });
  t.match(await post('/api/batch', long('{}')), { status: 429, body: { retryAfterMs: REFILL_MS } }, 'by its head');
  clock.nowMs += REFILL_MS;
  t.match(await post('/api/batch', long('{}')), { status: 429, body: { retryAfterMs: 4 * REFILL_MS } }, 'by its body');
});

t.test('GET /api/limits says what is in force and what the caller has left', async (t) => {
  const { client, admin } = await beginLimited(t, { registrationsPerMinute: 6, connectionsMax: 99, development: 'on' });
  const [player] = await newcomers(admin, 1);
  await client.request('GET', '/api/status');
  await client.command('/api/game/player', { name: 'a', isBot: true }, 201);
  const ofAddress = await client.read<LimitsBody>('/api/limits');
  t.match(ofAddress, {
    requests: { countedBy: 'address', ...RATE, windowSeconds: 5, left: RATE.burst - 2, fullInMs: 2 * REFILL_MS },
    registrations: { perMinute: 6, left: 5, fullInMs: 10_000 },
    connections: { maximum: 99, idleSeconds: 10 },
  });
  t.same(
    ofAddress.costs,
    ROUTES.map(({ operationId, method, path, cost }) => ({ operationId, method, path, cost })),
  );
  const owner = client.as(player?.apiKey ?? '');
  const reply = await owner.request('GET', '/api/limits');
  t.match(reply.body, { requests: { countedBy: 'player', left: RATE.burst, fullInMs: 0 } });
  const repeat = { headers: { 'if-none-match': reply.headers['etag'] ?? '' } };
  t.equal((await owner.request('GET', '/api/limits', repeat)).status, 304);
  await owner.request('GET', '/api/status');
  t.equal((await owner.request('GET', '/api/limits', repeat)).status, 200, 'it has less left');
});

t.test('memory is bounded, and addresses never displace players', async (t) => {
  const limits = new RequestLimits({ perSecond: 1, burst: 2 }, () => 0);
  const admits = (client: number | string) => {
    const part = new BatchPart(NOBODY, 0, new ShapeErrorBudget(1));
    return limits.admits(part, client, 2);
  };
  t.ok(admits(1));
  const networks = Array.from(
    { length: RATE_LIMITED_CLIENTS_MAX + 100 },
    (_, at) => `2001:db8:0:${at.toString(16)}::/64`,
  );
  for (const network of networks) admits(network);
  t.equal(limits.look(1).left, 0, 'the player is still known');
  const known = networks.filter((network) => limits.look(network).left === 0);
  t.equal(known.length, RATE_LIMITED_CLIENTS_MAX, 'the others are forgotten, which is in their favour');
  t.same(known.slice(-50), networks.slice(-50), 'they came long ago');
  for (let player = 2; player <= RATE_LIMITED_PLAYERS_MAX + 1; player += 1) limits.look(player);
  t.equal(limits.look(1).left, 0, 'looking makes nobody known');
});

const NOBODY = { requestId: 'request', authorization: '', forwardedFor: '' } as Exchange;

t.test('a limiter that is off looks at nothing', async (t) => {
  const settings = { registrationsPerMinute: 0, rateLimits: null, trustedProxies: [] };
  const admission = new Admission({ players: null, operator: null }, settings);
  const untouched = new Proxy({} as Exchange, {
    get: (_, name) => t.fail(`${String(name)} is read`),
  });
  t.ok(admission.admits(untouched, 1_000));
});
