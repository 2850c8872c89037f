// No reply leaves before everything that it depends on is durable. The log of these tests reaches the disk only when
// the test lets it.
import t from 'tap';
import type { Exchange } from '../../../http/exchange/exchange.js';
import { sendProblem } from '../../../http/exchange/problems.js';
import { RawConnection, requestBytes } from '../support/raw-connection.js';
import { ADMIN_KEY, beginHeld, type HeldServing } from '../support/serving.js';
import { turns, until } from '../support/waiting.js';

const COMMANDS_PER_SCENE = 1;

/** A world in which `doer` has just started an upgrade that is not on disk yet. */
async function unwrittenUpgrade(t: Parameters<typeof beginHeld>[0]) {
  const serving = await beginHeld(t);
  const { play, client, log } = serving;
  const doer = await play.rich('doer');
  const bystander = await play.rich('bystander');
  const { hash: _hash, seq } = await play.hash();
  log.hold();
  const body = { planetId: doer.planetId, buildingType: 'iron_mine' };
  const upgrade = client.request('POST', '/api/building/upgrade', { body });
  await until(() => log.isWaiting);
  t.equal(serving.world.sequencer.lastSeq, seq + COMMANDS_PER_SCENE);
  return { ...serving, doer, bystander, upgrade };
}

/** Sends a request that must not be answered yet. */
async function waiting({ port }: HeldServing, bytes: Uint8Array): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  connection.send(bytes);
  return connection;
}

const post = (path: string, body: object) => requestBytes('POST', path, [], JSON.stringify(body));
const get = (path: string) => requestBytes('GET', path);

/** The expected statuses other than 200. */
const STATUSES: Readonly<Record<string, number>> = {
  'a tagged read of unchanged state': 304,
  'a refusal': 409,
  'a refusal elsewhere': 422,
  'a player that does not exist': 404,
  'a planet that can never exist': 404,
  'a system that can never exist': 404,
};

t.test('replies, refusals and reads wait for the command that they depend on', async (t) => {
  const scene = await unwrittenUpgrade(t);
  const { log, client, doer, bystander } = scene;
  const { systemsPerGalaxy } = scene.world.engine.world.settings;
  const held: Readonly<Record<string, Uint8Array>> = {
    'the state of its player': get(`/api/game/state/${doer.playerId}`),
    'the planets of its player': get(`/api/game/planets/${doer.playerId}`),
    'its planet': get(`/api/game/planet/${doer.planetId}`),
    'the buildings of its planet': get(`/api/building/planet/${doer.planetId}`),
    'the shipyard of its planet': get(`/api/shipyard/planet/${doer.planetId}`),
    'the fleets of its player': get(`/api/fleet/player/${doer.playerId}`),
    'the research of its player': get(`/api/research/player/${doer.playerId}`),
    'the reports of its player': get(`/api/report/player/${doer.playerId}`),
    'a tagged read of unchanged state': requestBytes('GET', `/api/game/state/${doer.playerId}`, ['If-None-Match: *']),
    'the head of its player': requestBytes('HEAD', `/api/game/state/${doer.playerId}`),
    'a refusal': post('/api/building/upgrade', { planetId: doer.planetId, buildingType: 'zentrale' }),
    'a refusal elsewhere': post('/api/shipyard/build', { planetId: bystander.planetId, shipType: 'scout', count: 1 }),
    'a player that does not exist': get('/api/game/state/player-99'),
    'a planet that can never exist': get('/api/game/planet/planet-1-0-99'),
    'a system that can never exist': get(`/api/game/galaxy/1/system/${systemsPerGalaxy}`),
    'the player asked for by name': post('/api/game/player', { name: 'doer', isBot: true }),
    'a simulation': post('/api/fleet/simulate', {
      originPlanetId: doer.planetId,
      targetPlanetId: bystander.planetId,
      ships: [{ type: 'scout', count: 1 }],
    }),
    'a simulation to its planet': post('/api/fleet/simulate', {
      originPlanetId: bystander.planetId,
      targetPlanetId: doer.planetId,
      ships: [{ type: 'scout', count: 1 }],
    }),
    'the leaderboard': get('/api/leaderboard'),
  };
  const connections = new Map<string, RawConnection>();
  for (const [what, bytes] of Object.entries(held)) connections.set(what, await waiting(scene, bytes));

  // Reads of unchanged state are answered meanwhile.
  t.match(await client.read(`/api/game/state/${bystander.playerId}`), { name: 'bystander' });
  t.match(await client.read(`/api/game/planet/${bystander.planetId}`), { owner: { name: 'bystander' } });
  await client.read(`/api/building/planet/${bystander.planetId}`);
  await client.read('/api/game/galaxy/7/system/7');
  await client.read('/api/catalog');
  t.match(await client.refusal('GET', '/api/no/such/path'), { code: 'route_not_found' });
  t.match(await client.refusal('POST', '/api/building/upgrade', {}), { code: 'invalid_request' });
  const status = await client.read<{ seq: number; durableSeq: number }>('/api/status');
  t.equal(status.seq, status.durableSeq + COMMANDS_PER_SCENE, 'the status shows that something is not durable yet');

  await turns();
  for (const [what, connection] of connections) t.equal(connection.unread.length, 0, what);
  log.release();
  t.equal((await scene.upgrade).status, 200);
  for (const [what, connection] of connections) {
    const reply = await connection.reply(what.startsWith('the head') ? 'HEAD' : 'GET');
    t.equal(reply.status, STATUSES[what] ?? 200, what);
    connection.close();
  }
});

t.test('with keys, no refusal depends on a player that is not durable yet', async (t) => {
  const serving = await beginHeld(t, { auth: 'key' });
  const { log, client, world } = serving;
  log.hold();
  const creation = client.request('POST', '/api/game/player', { body: { name: 'ada', isBot: true } });
  await until(() => log.isWaiting && world.engine.world.playerCount === 1);
  const refusals: Readonly<Record<string, Uint8Array>> = {
    'a creation of the same player': post('/api/game/player', { name: 'ada', isBot: true }),
    'a read without a key': get('/api/game/state/player-1'),
    'a read with an unknown key': requestBytes('GET', '/api/game/state/player-1', ['Authorization: Bearer x']),
    'a command without a key': post('/api/research/start', { playerId: 'player-1', researchType: 'drive_ion' }),
    'the operator without a key': get('/api/admin/state-hash'),
  };
  const connections = new Map<string, RawConnection>();
  for (const [what, bytes] of Object.entries(refusals)) connections.set(what, await waiting(serving, bytes));
  // Answered over the same event loop, so that the others had their turn too.
  t.match(await client.refusal('POST', '/api/game/player', {}), { code: 'invalid_request' });
  await turns();
  for (const [what, connection] of connections) t.equal(connection.unread.length, 0, what);
  log.release();
  t.equal((await creation).status, 201);
  for (const [what, connection] of connections) {
    t.equal((await connection.reply()).status, 401, what);
    connection.close();
  }
});

t.test('a refusal does not depend on a manual clock before its position is durable', async (t) => {
  const serving = await beginHeld(t);
  const { log, admin, world } = serving;
  log.hold();
  const advance = admin.request('POST', '/api/admin/clock/advance', { body: { seconds: 3600 } });
  await until(() => log.isWaiting && world.sequencer.lastSeq > world.sequencer.durableSeq);
  const body = JSON.stringify({ to: '2000-01-01T00:00:01.000Z' });
  const back = await waiting(
    serving,
    requestBytes('POST', '/api/admin/clock/advance', [`Authorization: Bearer ${ADMIN_KEY}`], body),
  );
  await turns();
  t.equal(back.unread.length, 0);
  log.release();
  t.equal((await advance).status, 200);
  t.equal((await back.reply()).status, 400);
  back.close();
});

t.test('an immediate refusal that depends on state does not compile', async (t) => {
  const mistakes: readonly ((exchange: Exchange) => void)[] = [
    // @ts-expect-error a key belongs to a player
    (exchange) => sendProblem(exchange, 'unauthenticated'),
    // @ts-expect-error so do the rights of a player
    (exchange) => sendProblem(exchange, 'forbidden'),
    // @ts-expect-error a refusal of the engine
    (exchange) => sendProblem(exchange, 'planet_not_found'),
    // @ts-expect-error a kept reply is state
    (exchange) => sendProblem(exchange, 'idempotency_key_reused'),
    // @ts-expect-error a handler cannot send past the disk
    (exchange) => exchange.send(),
  ];
  t.equal(mistakes.length, 5);
});

t.test('a read waits for the last change of what it shows, and not for later ones', async (t) => {
  const serving = await beginHeld(t);
  const { client, log, play } = serving;
  const [first, second] = [await play.newcomer('first'), await play.newcomer('second')];
  log.hold();
  const research = (playerId: string) =>
    client.request('POST', '/api/research/start', { body: { playerId, researchType: 'drive_ion' } });
  const one = research(first.id);
  await until(() => log.isWaiting);
  const early = await waiting(serving, get(`/api/game/state/${first.id}`));
  const other = research(second.id);
  await until(() => serving.world.engine.world.players.get(2)?.research !== null);
  const late = await waiting(serving, get(`/api/game/state/${second.id}`));
  await until(() => serving.world.sequencer.lastSeq > serving.world.sequencer.durableSeq + 1);
  await turns();
  t.same([early.unread.length, late.unread.length], [0, 0]);
  await log.finish();
  t.equal((await one).status, 200);
  t.equal((await early.reply()).status, 200, 'the first write releases the first read');
  await turns();
  t.equal(late.unread.length, 0, 'and the second read waits for the second write');
  log.release();
  t.equal((await other).status, 200);
  t.equal((await late.reply()).status, 200);
  early.close();
  late.close();
});

t.test('a fired timer is not shown before it is durable either', async (t) => {
  const serving = await beginHeld(t);
  const { log, play, world } = serving;
  const { id } = await play.newcomer('scholar');
  await play.research(id);
  log.hold();
  world.sequencer.advanceTo(world.engine.nextDeadlineMs());
  const read = await waiting(serving, get(`/api/research/player/${id}`));
  await until(() => log.isWaiting);
  await turns();
  t.equal(read.unread.length, 0);
  log.release();
  t.match(JSON.parse((await read.reply()).body.toString()), [{ level: 1 }]);
  read.close();
});

t.test('held replies leave in the order of their commands', async (t) => {
  const serving = await beginHeld(t);
  const { log, client, world } = serving;
  log.hold();
  const order: number[] = [];
  const commands = Array.from({ length: 30 }, async (_, number) => {
    const connection = await waiting(serving, post('/api/game/player', { name: `bot ${number}`, isBot: true }));
    const reply = await connection.reply();
    order.push(Number((JSON.parse(reply.body.toString()) as { id: string }).id.split('-')[1]));
    connection.close();
  });
  await until(() => world.engine.world.playerCount === 30);
  t.same(order, []);
  log.release();
  await Promise.all(commands);
  t.equal(new Set(order).size, 30);
  t.match(await client.read('/api/status'), { players: 30 });
});

t.test('under relaxed durability replies leave before the disk, and the status says so', async (t) => {
  const { client, log, play } = await beginHeld(t, { durability: 'relaxed' });
  log.hold();
  const { playerId, planetId } = await play.rich('doer');
  await play.upgrade(planetId);
  t.match(await play.state(playerId), { name: 'doer' });
  const status = await client.read<{ seq: number; durableSeq: number }>('/api/status');
  t.match(status, { durability: 'relaxed' });
  t.ok(status.seq > status.durableSeq);
});
