// With --auth key: a key is shown once, every request except the public reads needs one, and it gives access to its
// player alone.
import t from 'tap';
import { RECORDED } from '../../../http/documents/recorded-examples.js';
import { ROUTES } from '../../../http/routes/table.js';
import type { BulkPlayersBody, StatusBody } from '../../../http/schemas/world.js';
import { type GameClient, statusesOf } from '../support/game-client.js';
import { firstPlanet, Play, type PlayerBody } from '../support/play.js';
import { exchange, field, requestBytes } from '../support/raw-connection.js';
import { ADMIN_KEY, begin, type Serving, storeOnDisk } from '../support/serving.js';

type CreatedPlayer = PlayerBody & { readonly apiKey?: string };

/** A new bot, with a client that sends its key. */
async function newcomer({ client, admin }: Serving, name: string) {
  const created = await client.command<CreatedPlayer>('/api/game/player', { name, isBot: true }, 201);
  const own = client.as(created.apiKey ?? '');
  return {
    player: created,
    planetId: firstPlanet(created).id,
    key: created.apiKey ?? '',
    client: own,
    play: new Play(own, admin),
  };
}

t.test('creating a player returns its key once, and only the hash is kept', async (t) => {
  const store = await storeOnDisk(t);
  const first = await begin(t, { auth: 'key', store });
  const { player, key, client } = await newcomer(first, 'ada');
  t.match(key, /^gxd_[\w-]{43}$/);
  const { apiKey: _key, ...state } = player;
  t.same(await client.read(`/api/game/state/${player.id}`), state, 'the state does not show it');
  t.same(
    await client.command('/api/game/player', { name: 'ada', isBot: true }, 200),
    state,
    'nor does the repeated request',
  );
  const { client: other, key: otherKey } = await newcomer(first, 'bob');
  t.not(otherKey, key);
  const { keyHash } = first.world.engine.world.players.get(1) ?? {};
  t.match(keyHash, /^[\w-]{43}$/);
  t.notOk(keyHash?.includes(key.slice(4)));
  await other.read('/api/game/state/player-2');
  await first.close();
  const second = await begin(t, { auth: 'key', store });
  t.same(await second.client.as(key).read(`/api/game/state/${player.id}`), state, 'the key is valid after a restart');
});

t.test('an existing player is returned only to its own key', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const { client } = serving;
  const human = await client.command<CreatedPlayer>('/api/game/player', { name: 'human' }, 201);
  const bot = await newcomer(serving, 'bot');
  const askers: readonly (readonly [body: object, own: string, foreign: string])[] = [
    [{ name: 'human' }, human.apiKey ?? '', bot.key],
    [{ name: 'any other name' }, human.apiKey ?? '', bot.key],
    [{ name: 'bot', isBot: true }, bot.key, human.apiKey ?? ''],
  ];
  for (const [body, own, foreign] of askers) {
    for (const key of ['', 'wrong', foreign, ADMIN_KEY]) {
      const reply = await client.as(key).request('POST', '/api/game/player', { body });
      t.match(reply, { status: 401, body: { code: 'unauthenticated' }, headers: { 'www-authenticate': 'Bearer' } });
    }
    t.equal((await client.as(own).request('POST', '/api/game/player', { body })).status, 200);
  }
});

t.test('every path except the public ones needs a key', async (t) => {
  const { client } = await begin(t, { auth: 'key', server: { development: 'on' } });
  const open: string[] = [];
  for (const { method, path, operationId, body } of ROUTES) {
    const reply = await client.request(method, path.replace(':galaxy', '1').replace(':system', '0'), {
      ...(body === null ? {} : { body: RECORDED.operations[operationId]?.body }),
    });
    if (reply.status !== 401) open.push(operationId);
  }
  t.same(open.sort(), [
    'createPlayer',
    'findPlayers',
    'getAsyncApi',
    'getCatalog',
    'getDashboard',
    'getDashboardScript',
    'getDashboardStyle',
    'getDocs',
    'getDocsScript',
    'getDocsStyle',
    'getErrors',
    'getFields',
    'getGalaxy',
    'getHealth',
    'getLanguageModelText',
    'getLeaderboard',
    'getLeaderboardHistory',
    'getLimits',
    'getMarket',
    'getMetricHistory',
    'getMetrics',
    'getOpenApi',
    'getReadiness',
    'getShocks',
    'getStart',
    'getStatus',
    'getSystem',
    'runBatch',
  ]);
  t.match(await client.read<StatusBody>('/api/status'), { auth: 'key' });
});

t.test('a key is taken from Authorization: Bearer and from nowhere else', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const { player, key } = await newcomer(serving, 'ada');
  const path = `/api/game/state/${player.id}`;
  const status = async (line: string) => (await exchange(serving.port, requestBytes('GET', path, [line]))).status;
  for (const line of [
    `Authorization: Bearer ${key}`,
    `authorization: bearer ${key}`,
    `AUTHORIZATION:BEARER   ${key} `,
  ]) {
    t.equal(await status(line), 200, line);
  }
  for (const value of [
    key,
    `Basic ${key}`,
    `Bearer`,
    `Bearer ${key}x`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer ${key} ${key}`,
    `Bearer "${key}"`,
    `Bearer ${key.toUpperCase()}`,
    `Bearer ${'x'.repeat(3_000)}`,
    'Bearer __proto__',
    `Bearer,${key}`,
    `Bearer\t${key}`,
  ]) {
    t.equal(await status(`Authorization: ${value}`), 401, value.slice(0, 60));
  }
  t.equal(await status(`X-Api-Key: ${key}`), 401);
  const twice = requestBytes('GET', path, [`Authorization: Bearer ${key}`, 'Authorization: Bearer a']);
  t.equal((await exchange(serving.port, twice)).status, 400);
  const refused = await exchange(serving.port, requestBytes('GET', path));
  t.equal(field(refused, 'www-authenticate'), 'Bearer');
});

t.test("a key gives access to its player's own things, and not to those of others", async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const owner = await newcomer(serving, 'owner');
  const other = await newcomer(serving, 'other');
  await owner.play.grant(owner.planetId);
  await owner.play.construct(owner.planetId, 'shipyard');
  await owner.play.ships(owner.planetId, 'transport', 2);
  const [playerId, planetId] = [owner.player.id, owner.planetId];
  const flight = { originPlanetId: planetId, targetPlanetId: other.planetId, ships: [{ type: 'transport', count: 1 }] };
  const launched = await owner.play.launch({ ...flight, playerId, mission: 'transport' });
  await owner.play.upgrade(planetId);
  const before = await owner.play.hash();
  const reads = ['game/state', 'game/planets', 'fleet/player', 'research/player', 'report/player'].map(
    (path) => `/api/${path}/${playerId}`,
  );
  const looks = ['building', 'shipyard'].map((path) => `/api/${path}/planet/${planetId}`);
  for (const path of [...reads, ...looks]) {
    t.match((await other.client.request('GET', path)).body, { code: 'not_owner' }, path);
    t.equal((await owner.client.request('GET', path)).status, 200, path);
  }
  const commands: readonly (readonly [path: string, body: object])[] = [
    [`/api/game/planet/starter/${playerId}`, {}],
    ['/api/building/upgrade', { planetId, buildingType: 'zentrale' }],
    ['/api/building/construct', { planetId, buildingType: 'anti_spy' }],
    ['/api/building/cancel', { planetId, queueId: 'queue-2' }],
    ['/api/shipyard/build', { planetId, shipType: 'scout', count: 1 }],
    ['/api/shipyard/cancel', { planetId, shipType: 'scout' }],
    ['/api/research/start', { playerId, researchType: 'drive_ion' }],
    ['/api/fleet/simulate', flight],
    ['/api/fleet/launch', { ...flight, playerId, mission: 'transport' }],
    // A player's own id with the planet of another.
    ['/api/fleet/launch', { ...flight, playerId: other.player.id, mission: 'transport' }],
  ];
  for (const [path, body] of commands) {
    t.match((await other.client.request('POST', path, { body })).body, { code: 'not_owner' }, path);
  }
  for (const named of [playerId, other.player.id]) {
    const { body } = await other.client.request('POST', `/api/fleet/${launched.fleet.id}/recall`, {
      body: { playerId: named },
    });
    t.match(body, { code: 'fleet_not_found' }, 'the fleet is secret');
  }
  t.same(await owner.play.hash(), before, 'and nothing has changed');
});

t.test('a foreign planet and one without an owner show only what the galaxy shows', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const owner = await newcomer(serving, 'owner');
  const other = await newcomer(serving, 'other');
  const [, galaxy, system] = owner.planetId.split('-');
  const view = await serving.client.read<{ planets: { id: string; owner: unknown }[] }>(
    `/api/game/galaxy/${galaxy}/system/${system}`,
  );
  for (const summary of view.planets) {
    const seen = await other.client.request('GET', `/api/game/planet/${summary.id}`);
    t.same(seen.body, summary);
    await owner.play.grant(owner.planetId, { iron: 1 });
    const again = await other.client.request('GET', `/api/game/planet/${summary.id}`);
    t.equal(again.headers['etag'], seen.headers['etag'], 'nor does its tag reveal that something happens there');
  }
  t.match(await owner.client.read(`/api/game/planet/${owner.planetId}`), {
    buildings: [{ type: 'zentrale' }, {}, {}, {}],
  });
});

t.test("the tag of one caller's view never matches another's", async (t) => {
  const { client, admin } = await begin(t, { auth: 'key' });
  const request = { count: 12, namePrefix: 'bot' };
  const { players } = await admin.command<BulkPlayersBody>('/api/admin/players', request, 201);
  const [stranger] = players;
  for (const { planetId, apiKey } of players.slice(1)) {
    const path = `/api/game/planet/${planetId}`;
    const own = await client.as(apiKey ?? '').request('GET', path);
    const foreign = await client.as(stranger?.apiKey ?? '').request('GET', path);
    t.not(own.headers['etag'], foreign.headers['etag'], planetId);
  }
});

t.test('the operations of a batch have the rights of its caller and no more', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const owner = await newcomer(serving, 'owner');
  const other = await newcomer(serving, 'other');
  const operations = [
    { method: 'GET', path: `/api/game/state/${owner.player.id}` },
    { method: 'POST', path: '/api/building/upgrade', body: { planetId: owner.planetId, buildingType: 'iron_mine' } },
    { method: 'GET', path: '/api/admin/state-hash' },
    { method: 'GET', path: '/api/catalog' },
  ];
  const askers: readonly (readonly [client: GameClient, statuses: readonly number[]])[] = [
    [serving.client, [401, 401, 404, 200]],
    [other.client, [403, 403, 404, 200]],
    [serving.admin, [200, 401, 404, 200]],
    [owner.client, [200, 200, 404, 200]],
  ];
  for (const [client, statuses] of askers) {
    const results = await client.batch(operations);
    t.same(statusesOf(results), statuses);
  }
});

t.test('colonizing without a fleet needs the admin key', async (t) => {
  const serving = await begin(t, { auth: 'key', server: { development: 'on' } });
  const { client, planetId, player, play } = await newcomer(serving, 'settler');
  const free = await play.neighbour(planetId);
  const path = `/api/game/planet/${free}/colonize`;
  const body = { playerId: player.id };
  t.match((await serving.client.request('POST', path, { body })).body, { code: 'unauthenticated' });
  t.match((await client.request('POST', path, { body })).body, { code: 'forbidden' });
  t.equal((await serving.admin.request('POST', path, { body })).status, 201);
  await client.read(`/api/building/planet/${free}`);
});

t.test('bots created in bulk get keys, and existing ones do not get another', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  await newcomer(serving, 'swarm-2');
  const request = { count: 3, namePrefix: 'swarm' };
  const { players } = await serving.admin.command<BulkPlayersBody>('/api/admin/players', request, 201);
  t.same(
    players.map(({ created, apiKey }) => [created, apiKey !== undefined]),
    [
      [true, true],
      [false, false],
      [true, true],
    ],
  );
  for (const { id, apiKey } of players)
    if (apiKey !== undefined) await serving.client.as(apiKey).read(`/api/game/state/${id}`);
  const again = await serving.admin.command<BulkPlayersBody>('/api/admin/players', request, 201);
  t.ok(again.players.every(({ created, apiKey }) => !created && apiKey === undefined));
});

t.test('the admin key is not a player key, and a player key is not the admin key', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const { client, planetId } = await newcomer(serving, 'ada');
  t.match((await client.request('GET', '/api/admin/state-hash')).body, { code: 'unauthenticated' });
  const body = { planetId, buildingType: 'iron_mine' };
  t.match((await serving.admin.request('POST', '/api/building/upgrade', { body })).body, { code: 'unauthenticated' });
});

t.test('in the open mode a key is neither needed nor returned', async (t) => {
  const serving = await begin(t);
  const { player } = await newcomer(serving, 'ada');
  t.notOk('apiKey' in player);
  await serving.client.as('whatever').read(`/api/game/state/${player.id}`);
});
