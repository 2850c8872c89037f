// Games of turns on a server: who may act when and by which way, how time moves, and what a game leaves in the log.
// test/http/turns/turn-game.test.ts tests the rules of a game by themselves.
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import type { Static } from 'typebox';
import {
  COMMANDS_PER_DAY_MAX,
  ENTRANTS_MAX,
  INACTIVE_SECONDS_MIN,
  NAMED_PLAYERS_MAX,
  OVERRUNS_MAX,
  TURN_READERS_MAX,
  WAKES_OF_SENDER_APART_MS,
  WAKEUPS_BY_OTHERS_PER_DAY_DEFAULT,
  WAKEUPS_PER_DAY_MAX,
  WALL_SECONDS_PER_TURN_MAX,
} from '../../../http/limits.js';
import type { TurnBody, TurnsBody } from '../../../http/schemas/turns.js';
import type { BatchResults, BulkPlayersBody } from '../../../http/schemas/world.js';
import { NODE_SCHEDULER, type Scheduler } from '../../../persistence/time/scheduler.js';
import { altered } from '../../support/altered.js';
import { VirtualScheduler, VirtualTime } from '../../support/virtual-scheduler.js';
import { FrameClient } from '../support/frame-client.js';
import { withKey } from '../support/game-client.js';
import { RawConnection, type RawReply, requestBytes } from '../support/raw-connection.js';
import { ADMIN_KEY, begin, type Serving, transport } from '../support/serving.js';
import {
  beginGame,
  beginTurnWorld,
  endOf,
  GAME,
  gameOf,
  gameOver,
  type Seat,
  seats,
  turnOf,
  upgrade,
} from '../support/turn-play.js';
import { until } from '../support/waiting.js';

type BatchResultsBody = Static<typeof BatchResults>;

const pairOf = (list: readonly Seat[]): [Seat, Seat] => list as [Seat, Seat];

/** Two players, the one who has the first turn first. */
async function begun(serving: Serving, changes: object = {}): Promise<[Seat, Seat]> {
  const [ada, bob] = pairOf(await seats(serving, 'ada', 'bob'));
  await beginGame(serving, [ada, bob], changes);
  const { activePlayerId } = await gameOf(serving);
  return activePlayerId === ada.id ? [ada, bob] : [bob, ada];
}

const entrantOf = (game: TurnsBody, { id }: Seat) => game.entrants.find(({ playerId }) => playerId === id);
const bodyOf = ({ body }: RawReply): unknown => JSON.parse(body.toString());
const upgradeOf = ({ planetId }: Seat, buildingType = 'iron_mine') => ({
  method: 'POST' as const,
  path: '/api/building/upgrade',
  body: { planetId, buildingType },
});

t.test('entrants act one after another, and time stands still meanwhile', async (t) => {
  const serving = await beginTurnWorld(t);
  const [ada, bob] = pairOf(await seats(serving, 'ada', 'bob'));
  const { until } = await beginGame(serving, [ada, bob]);
  t.equal(until, '2000-01-02T00:00:00.000Z');
  const { activePlayerId } = await gameOf(serving);
  const [first, second] = activePlayerId === ada.id ? [ada, bob] : [bob, ada];
  t.match(await turnOf(first), { state: 'active', turn: 1, worldTime: '2000-01-01T00:00:00.000Z', commandsLeft: 100 });
  t.match((await upgrade(second)).body, { code: 'not_your_turn' });
  t.equal((await upgrade(first)).status, 200);
  t.match((await upgrade(first)).body, { code: 'upgrade_in_progress' });
  t.match(await endOf(first, { wakeOn: ['building_completed'] }), { state: 'waiting', commandsLeft: 98 });
  t.match((await upgrade(first)).body, { code: 'not_your_turn' });
  t.match(await turnOf(second), { state: 'active', worldTime: '2000-01-01T00:00:00.000Z' });
  await endOf(second, { wakeAt: null });
  const woken = await turnOf(first);
  t.match(woken, { state: 'active', turn: 2 });
  const { planets } = await first.client.read<{ planets: { buildings: { constructionQueue: unknown[] }[] }[] }>(
    `/api/game/state/${first.id}`,
  );
  t.notOk(
    planets[0]?.buildings.some(({ constructionQueue }) => constructionQueue.length > 0),
    'the mine is done',
  );
  t.ok(woken.worldTime > '2000-01-01T00:00:00.000Z');
  await endOf(first, { wakeAt: null });
  const over: TurnsBody = await gameOver(serving);
  t.match(over, { state: 'over', worldTime: until, turn: 3, activePlayerId: null });
  t.match(
    over.entrants.find(({ playerId }) => playerId === first.id),
    { wakeups: 2, commands: 2, refusals: { upgrade_in_progress: 1 }, overruns: 0, isWithdrawn: false },
  );
  t.match(await turnOf(second), { state: 'over' });
});

t.test('a command outside of a turn is refused by every way, and is not counted', async (t) => {
  const serving = await beginTurnWorld(t);
  const [eve] = (await seats(serving, 'eve')) as [Seat];
  t.match((await upgrade(eve)).body, { code: 'not_your_turn' }, 'before the game');
  const [first, second] = await begun(serving);
  const { hash } = await serving.play.hash();
  const command = upgradeOf(second);
  for (const options of [{ body: command.body }, withKey('one', command.body)]) {
    t.match((await second.client.request('POST', command.path, options)).body, { code: 'not_your_turn', status: 409 });
  }
  const operations = [command, { method: 'POST', path: '/api/turn/end' }, { method: 'GET', path: '/api/turn' }];
  for (const options of [{ body: { operations } }, withKey('two', { operations })]) {
    const { results } = (await second.client.request('POST', '/api/batch', options)).body as BatchResultsBody;
    t.match(results, [
      { status: 409, body: { code: 'not_your_turn' } },
      { status: 409 },
      { body: { state: 'waiting' } },
    ]);
  }
  const socket = await FrameClient.open(serving.port, { key: second.key });
  socket.send({ op: 'call', id: 1, ...command });
  t.match(await socket.take(({ id }) => id === 1), { status: 409, body: { code: 'not_your_turn' } });
  socket.send({ op: 'call', id: 2, method: 'POST', path: '/api/turn/end', body: {} });
  t.match(await socket.take(({ id }) => id === 2), { status: 409, body: { code: 'not_your_turn' } });
  socket.webSocket.close();
  const flood = await Promise.all(Array.from({ length: 200 }, () => upgrade(second)));
  t.ok(flood.every(({ status }) => status === 409 || status === 429));
  const game = await gameOf(serving);
  t.match(entrantOf(game, second), { commands: 0, refusals: {}, wakeups: 0 });
  t.equal(game.activePlayerId, first.id, 'nobody ends the turn of another');
  t.equal((await serving.play.hash()).hash, hash);
  t.equal((await upgrade(first)).status, 200);
});

t.test('a batch and calls act in a turn, and the end of a turn may be the last operation', async (t) => {
  const serving = await beginTurnWorld(t);
  const [first, second] = await begun(serving, { commandsPerDay: 2 });
  const socket = await FrameClient.open(serving.port, { key: first.key });
  socket.send({ op: 'call', id: 1, ...upgradeOf(first) });
  t.match(await socket.take(({ id }) => id === 1), { status: 200 });
  socket.webSocket.close();
  const end = { method: 'POST', path: '/api/turn/end', body: { wakeAt: '2000-01-01T05:00:00.250Z' } };
  const operations = [upgradeOf(first), upgradeOf(first), end, upgradeOf(first)];
  const results = await first.client.batch(operations);
  t.same(
    results.map(({ status, body }) => (body as { code?: string }).code ?? status),
    ['upgrade_in_progress', 'command_budget_spent', 200, 'not_your_turn'],
  );
  t.match(results[1]?.body, { detail: /2000-01-02T00:00:00.000Z/ });
  await endOf(second, { wakeAt: null });
  t.match(await turnOf(first), { worldTime: '2000-01-01T05:00:00.250Z', commandsLeft: 0, wakeupsLeft: 98 });
  const refusals = { command_budget_spent: 1, upgrade_in_progress: 1 };
  t.match(entrantOf(await gameOf(serving), first), { commands: 2, refusals, wakeups: 2 });
});

t.test('an event wakes its player at the instant at which it happens, and others sleep on', async (t) => {
  const serving = await beginTurnWorld(t);
  const [first, second] = await begun(serving);
  await upgrade(first);
  await endOf(first, { wakeOn: ['building_completed'] });
  await turnOf(second);
  await endOf(second, { wakeOn: ['building_completed', 'incoming_fleet'], wakeAt: '2000-01-01T23:59:59.999Z' });
  const { worldTime } = await turnOf(first);
  const { events } = await first.client.read<{ events: { type: string; at: string }[] }>(
    `/api/event/player/${first.id}?since=0`,
  );
  t.match(events.at(-1), { type: 'building_completed', at: worldTime }, 'it can be read when the turn begins');
  await endOf(first, { wakeOn: [] });
  t.match(await turnOf(second), { worldTime: '2000-01-01T23:59:59.999Z', turn: 2 });
  await endOf(second);
  t.match(await gameOver(serving), { state: 'over', worldTime: '2000-01-02T00:00:00.000Z', turn: 4 });
});

t.test('a scout wakes its target from a budget of its own, and the turn says who sent it', async (t) => {
  const serving = await beginTurnWorld(t);
  const [spy, target] = await begun(serving, { until: '2000-01-03T00:00:00Z', wakeupsPerDay: 24 });
  t.match(await turnOf(spy), { wokenBy: { reason: 'wish', type: null, seq: null, playerId: null } });
  await spy.client.command('/api/building/construct', { planetId: spy.planetId, buildingType: 'shipyard' });
  t.match(await endOf(spy, { wakeAt: '2000-01-01T01:00:00Z' }), { wokenBy: null });
  await turnOf(target);
  const wish = { wakeAt: '2000-01-02T12:00:00Z', wakeOn: ['incoming_fleet', 'espionage_detected'] as const };
  await endOf(target, { ...wish, wakeOn: [...wish.wakeOn] });
  await turnOf(spy);
  const scout = { planetId: spy.planetId, shipType: 'scout', count: 1 };
  await spy.client.command('/api/shipyard/build', scout, 201);
  await endOf(spy, { wakeOn: ['ships_completed'] });
  t.match(await turnOf(spy), {
    wokenBy: { reason: 'event', type: 'ships_completed', playerId: null },
    wakeupsLeft: 21,
  });
  const flight = {
    originPlanetId: spy.planetId,
    targetPlanetId: target.planetId,
    playerId: spy.id,
    mission: 'espionage',
    drive: 'combustion',
    ships: [{ shipType: 'scout', count: 1 }],
  };
  await spy.client.command('/api/fleet/launch', flight);
  await endOf(spy, { wakeAt: null });
  const woken = await turnOf(target);
  t.match(woken, {
    turn: 2,
    wokenBy: { reason: 'event', type: 'incoming_fleet', playerId: spy.id },
    wakeupsLeft: 23,
    wakeupsByOthersLeft: WAKEUPS_BY_OTHERS_PER_DAY_DEFAULT - 1,
  });
  const { seq = 0 } = woken.wokenBy ?? {};
  const { events } = await target.client.read<{ events: { type: string }[] }>(
    `/api/event/player/${target.id}?since=${Number(seq) - 1}`,
  );
  t.match(events[0], { type: 'incoming_fleet' });
  await endOf(target);
  const detected = await turnOf(target);
  t.match(detected, { turn: 3, wokenBy: { type: 'espionage_detected', playerId: spy.id } });
  t.equal(Date.parse(detected.worldTime) - Date.parse(woken.worldTime), WAKES_OF_SENDER_APART_MS);
  await endOf(target);
  t.match(
    await turnOf(target),
    { turn: 4, worldTime: '2000-01-02T12:00:00.000Z', wokenBy: { reason: 'wish' } },
    'its own wish has stayed',
  );
  await endOf(target, { wakeAt: null });
  t.match(entrantOf(await gameOver(serving), target), { wakeups: 4, wakeupsByOthers: 2 });
});

t.test('a request for a turn waits, in bounded number, and is answered when the server stops', async (t) => {
  const serving = await beginTurnWorld(t);
  const [first, second] = await begun(serving);
  const key = [`Authorization: Bearer ${second.key}`];
  const ask = requestBytes('GET', '/api/turn?wait=30', key);
  const places = Array.from({ length: TURN_READERS_MAX + 1 }, () => RawConnection.open(serving.port));
  const all = await Promise.all(places);
  for (const connection of all) connection.send(ask);
  await until(() => all.some(({ unread }) => unread.length > 0));
  const refused = all.find(({ unread }) => unread.length > 0) as RawConnection;
  t.match(bodyOf(await refused.reply()), { code: 'rate_limited', limit: { name: 'turn_readers' } });
  const connections = all.filter((connection) => connection !== refused);
  refused.close();
  t.match(await turnOf(first), { state: 'active' }, 'others may wait');
  connections[0]?.close();
  while ((await second.client.send('GET', '/api/turn?wait=1')).status !== 200) await pause(1);
  const operator = await RawConnection.open(serving.port);
  const held = requestBytes('GET', '/api/admin/turns?wait=30', [`Authorization: Bearer ${ADMIN_KEY}`]);
  const other = await RawConnection.open(serving.port);
  operator.send(held);
  other.send(requestBytes('GET', '/healthz'));
  await other.reply();
  const closed = serving.close();
  for (const connection of connections.slice(1)) t.match(bodyOf(await connection.reply()), { state: 'waiting' });
  t.match(bodyOf(await operator.reply()), { state: 'running' });
  for (const connection of [...connections, operator, other]) connection.close();
  await closed;
});

t.test('a request may wait before the game begins', async (t) => {
  const serving = await beginTurnWorld(t);
  const [ada, bob] = pairOf(await seats(serving, 'ada', 'bob'));
  t.match(await ada.client.read('/api/turn'), { state: 'waiting', turn: 0, until: null });
  t.match(await gameOf(serving), { state: 'idle', entrants: [] });
  const waiting = [ada, bob].map(({ client }) => client.send('GET', '/api/turn?wait=30'));
  await gameOf(serving);
  await beginGame(serving, [ada]);
  t.match(await waiting[0], { body: { state: 'active' } });
  await endOf(ada, { wakeAt: null });
  t.match(await waiting[1], { status: 403, body: { code: 'forbidden' } }, 'who is not in the game learns it');
});

t.test('a request with an Idempotency-Key takes effect once, and leaves nothing in the log', async (t) => {
  const serving = await beginTurnWorld(t);
  const players = { names: ['ada'], keySecret: 'sixteen characters' };
  const created = await serving.admin.request('POST', '/api/admin/players', withKey('make', players));
  const again = await serving.admin.request('POST', '/api/admin/players', withKey('make', players));
  t.same([again.text, again.headers['idempotency-replayed']], [created.text, 'true']);
  const [row] = (created.body as BulkPlayersBody).players;
  const ada = {
    id: row?.id ?? '',
    name: 'ada',
    key: row?.apiKey ?? '',
    planetId: row?.planetId ?? '',
    client: serving.client.as(row?.apiKey ?? ''),
  };
  await beginGame(serving, [ada]);
  await turnOf(ada);
  const { path, body } = upgradeOf(ada);
  const send = (key: string, to = path, what: object = body) => ada.client.request('POST', to, withKey(key, what));
  const first = await send('one');
  t.equal(first.status, 200);
  t.same((await send('one')).text, first.text);
  t.match((await send('one', path, upgradeOf(ada, 'silver_mine').body)).body, { code: 'idempotency_key_reused' });
  const wish = { wakeAt: '2000-01-01T20:00:00Z' };
  const [ended, repeated] = [await send('end', '/api/turn/end', wish), await send('end', '/api/turn/end', wish)];
  t.same([ended.status, repeated.status], [200, 200]);
  t.equal(repeated.text, ended.text, 'it does not end the next turn');
  await turnOf(ada);
  t.match(entrantOf(await gameOf(serving), ada), { commands: 1 }, 'a repetition does not count as a command');
  const kept: number[] = [];
  serving.world.sequencer.commandCounts.visit((type, _, count) => type === 'keep_reply' && void kept.push(count));
  t.same(kept, [0]);
});

t.test('a turn whose real time is over is ended, and who never ends one is withdrawn', async (t) => {
  const alarms = new VirtualScheduler(new VirtualTime());
  // Time passes when the test says so, and slices of work have real turns.
  const scheduler = altered<Scheduler>(alarms, { soon: NODE_SCHEDULER.soon, nextTurn: NODE_SCHEDULER.nextTurn });
  const serving = await beginTurnWorld(t, { server: { turns: { scheduler, elapsedMs: () => 0 } } });
  const [first, second] = await begun(serving, { wallSecondsPerTurn: 1, until: '2000-01-09T00:00:00Z' });
  t.match(await turnOf(first), { wallMsLeft: 1_000 });
  await upgrade(first);
  t.equal(alarms.pass(1_000), 1);
  await turnOf(second);
  await endOf(second, { wakeAt: null });
  for (let overruns = 1; overruns < OVERRUNS_MAX; overruns += 1) {
    t.match(await turnOf(first), { state: 'active', turn: overruns + 1 });
    t.equal(alarms.pass(1_000), 1, 'the end of the other turn has stopped its clock');
  }
  t.match(await turnOf(first), { state: 'over' });
  t.match(entrantOf(await gameOver(serving), first), { overruns: OVERRUNS_MAX, isWithdrawn: true, commands: 1 });
});

t.test('an entrant that the operator withdraws has no further turn', async (t) => {
  const serving = await beginTurnWorld(t);
  const [first, second] = await begun(serving);
  const withdraw = (player: Seat) =>
    serving.admin.command<TurnsBody>('/api/admin/turns/withdraw', { playerId: player.id });
  const waiting = turnOf(second);
  await gameOf(serving);
  t.match(entrantOf(await withdraw(second), second), { isWithdrawn: false, wakeups: 0 });
  t.match(await waiting, { state: 'over' }, 'it need not wait any longer');
  await endOf(first, { wakeAt: '2000-01-01T01:00:00Z' });
  t.match(await turnOf(first), { worldTime: '2000-01-01T01:00:00.000Z' });
  t.match(entrantOf(await gameOf(serving), second), { isWithdrawn: true, wakeups: 0 });
  await upgrade(first);
  t.match(entrantOf(await withdraw(first), first), { isWithdrawn: true, wakeups: 2 });
  t.match((await upgrade(first)).body, { code: 'not_your_turn' });
  t.match(await gameOver(serving), { worldTime: '2000-01-02T00:00:00.000Z' });
  t.equal(
    (await beginGame(serving, [first], { until: '2000-01-03T00:00:00Z' })).state,
    'running',
    'another game can begin',
  );
});

for (const { does, path, body } of [
  { does: 'is retired', path: ({ id }: Seat) => `/api/admin/player/${id}/retire`, body: {} },
  {
    does: 'is retired with all who are inactive',
    path: () => '/api/admin/players/retire',
    body: { inactiveForSeconds: INACTIVE_SECONDS_MIN, atMost: 1 },
  },
  { does: 'gets its keys revoked', path: ({ id }: Seat) => `/api/admin/player/${id}/key/revoke`, body: {} },
]) {
  t.test(`a player who ${does} in its turn loses it at once`, async (t) => {
    const serving = await beginTurnWorld(t);
    const [ada, bob] = pairOf(await seats(serving, 'ada', 'bob'));
    // In the first game time passes, so that both are inactive. Of these, the one with the lowest id is retired first: ada.
    for (let day = 2; ; day += 1) {
      await beginGame(serving, [ada, bob], { orderSeed: day, until: `2000-01-0${day}T00:00:00Z` });
      if (day > 2 && (await gameOf(serving)).activePlayerId === ada.id) break;
      await Promise.all([ada, bob].map(async (seat) => turnOf(seat).then(() => endOf(seat, { wakeAt: null }))));
      await gameOver(serving);
    }
    await turnOf(ada);
    const waiting = turnOf(bob);
    await serving.admin.command(path(ada), body);
    t.match(await waiting, { state: 'active' }, 'the next one has its turn, long before the real time is over');
    const { turn, entrants, activePlayerId } = await gameOf(serving);
    t.match({ turn, activePlayerId }, { turn: 1, activePlayerId: bob.id });
    t.match(entrants[0], { isWithdrawn: true, wakeups: 0, overruns: 0 }, 'as if it had been gone before');
    await endOf(bob, { wakeAt: null });
    t.match(await gameOver(serving), { state: 'over', turn: 1 });
  });
}

t.test('another key in its turn, and what the operator does to others, cost nobody a turn', async (t) => {
  const serving = await beginTurnWorld(t);
  const [first, second] = await begun(serving);
  await turnOf(first);
  await serving.admin.command(`/api/admin/player/${first.id}/key`, { oldKeyValidSeconds: 3_600 }, 201);
  await serving.admin.command(`/api/admin/player/${second.id}/key/revoke`, {});
  t.match(await turnOf(first), { state: 'active', turn: 1 });
  await endOf(first, { wakeAt: null });
  const over = await gameOver(serving);
  t.match(entrantOf(over, first), { isWithdrawn: false, wakeups: 1 });
  t.match(entrantOf(over, second), { isWithdrawn: true, wakeups: 0 }, 'it could not act in its turn');
});

t.test('what a game cannot be begun or ended with is refused', async (t) => {
  const serving = await beginTurnWorld(t);
  const { admin, client } = serving;
  const [ada, bob] = pairOf(await seats(serving, 'ada', 'bob'));
  const entrants = [{ playerId: ada.id }];
  const rows: readonly (readonly [changes: object, path: string])[] = [
    [{ entrants: [] }, '/entrants'],
    [{ entrants: [...entrants, { playerId: ada.id }] }, '/entrants/1/playerId'],
    [{ until: '1999-12-31T23:59:59Z' }, '/until'],
    [{ until: '2000-01-01T00:00:00Z' }, '/until'],
    [{ until: '2000-02-30T00:00:00Z' }, '/until'],
    [{ wallSecondsPerTurn: 0 }, '/wallSecondsPerTurn'],
    [{ orderSeed: -1 }, '/orderSeed'],
    [{ wakeupsPerDay: 0 }, '/wakeupsPerDay'],
    [{ wakeupsPerDay: WAKEUPS_PER_DAY_MAX + 1 }, '/wakeupsPerDay'],
    [{ wakeupsByOthersPerDay: -1 }, '/wakeupsByOthersPerDay'],
    [{ wakeupsByOthersPerDay: WAKEUPS_PER_DAY_MAX + 1 }, '/wakeupsByOthersPerDay'],
    [{ commandsPerDay: COMMANDS_PER_DAY_MAX + 1 }, '/commandsPerDay'],
    [{ wallSecondsPerTurn: WALL_SECONDS_PER_TURN_MAX + 1 }, '/wallSecondsPerTurn'],
    [{ entrants: Array.from({ length: ENTRANTS_MAX + 1 }, (_, n) => ({ playerId: `player-${n}` })) }, '/entrants'],
  ];
  for (const [changes, path] of rows) {
    const body = { ...GAME, entrants, ...changes };
    t.match(
      await admin.refusal('POST', '/api/admin/turns', body),
      { code: 'invalid_request', errors: [{ path }] },
      path,
    );
  }
  t.match(await bob.client.refusal('POST', '/api/turn/end'), { code: 'not_your_turn' }, 'no game has begun');
  await beginGame(serving, [ada]);
  await turnOf(ada);
  for (const wakeAt of ['2000-01-01T00:00:00Z', '1999-01-01T00:00:00Z', '2000-02-30T00:00:00Z', 'soon'])
    t.match(await ada.client.refusal('POST', '/api/turn/end', { wakeAt }), { errors: [{ path: '/wakeAt' }] }, wakeAt);
  t.match(await ada.client.refusal('POST', '/api/turn/end', { wakeOn: ['dinner'] }), { code: 'invalid_request' });
  t.match(await bob.client.refusal('GET', '/api/turn'), { code: 'forbidden' }, 'bob is not in the game');
  t.match(await bob.client.refusal('POST', '/api/turn/end'), { code: 'forbidden' });
  t.match(await client.refusal('GET', '/api/turn'), { code: 'unauthenticated' });
  t.match(await ada.client.refusal('GET', '/api/turn?wait=31'), { code: 'invalid_request' });
  const operations = [{ method: 'GET', path: '/api/turn?wait=1' }];
  const results = await ada.client.batch(operations);
  t.match(results, [{ status: 400 }], 'a batch does not wait');
  t.match(await admin.refusal('POST', '/api/admin/clock/advance', { seconds: 1 }), { code: 'forbidden' });
  t.match(await client.refusal('POST', '/api/game/player', { name: 'late', isBot: true }), {
    code: 'registration_closed',
  });
  t.match(await ada.client.refusal('POST', `/api/game/player/${ada.id}/key`), { code: 'forbidden' });
  t.match(
    await ada.client.read<TurnBody>('/api/turn'),
    { state: 'active', turn: 1 },
    'nothing of it has ended the turn',
  );
  const open = await begin(t, { auth: 'key' });
  t.match(await open.admin.refusal('GET', '/api/admin/turns'), { code: 'forbidden' }, 'the clock is not that of turns');
});

/** Plays the same game by different ways. @returns what is left of it */
async function playedBy(serving: Serving, way: 'requests' | 'batch' | 'calls'): Promise<readonly unknown[]> {
  const players = await seats(serving, 'ada', 'bob', 'eve');
  await beginGame(serving, players, { until: '2000-01-03T00:00:00Z', wakeupsPerDay: 6 });
  const kinds = ['iron_mine', 'silver_mine', 'zentrale', 'ember_mine'];
  await Promise.all(
    players.map(async (player) => {
      const socket = way === 'calls' ? await FrameClient.open(serving.port, { key: player.key }) : null;
      for (;;) {
        const { state, turn } = await turnOf(player);
        if (state === 'over') break;
        const operations = [upgradeOf(player, kinds[turn % kinds.length]), upgradeOf(player, 'iron_mine')];
        if (way === 'batch') await player.client.command('/api/batch', { operations });
        else
          for (const operation of operations) {
            if (socket === null)
              await player.client.request('POST', operation.path, withKey(Math.random().toString(), operation.body));
            else {
              socket.send({ op: 'call', id: 'call', ...operation });
              await socket.take(({ id }) => id === 'call');
            }
          }
        await endOf(player);
      }
      socket?.webSocket.close();
    }),
  );
  const { worldTime: _time, ...game } = await gameOver(serving);
  return [game, await serving.play.hash()];
}

t.test('the same game leaves the same state and log, whatever way its commands come', async (t) => {
  const other = transport === 'native' ? 'javascript' : transport;
  const expected = await playedBy(await beginTurnWorld(t), 'requests');
  t.same(await playedBy(await beginTurnWorld(t, { server: { transport: other } }), 'requests'), expected);
  t.same(await playedBy(await beginTurnWorld(t), 'batch'), expected);
  t.same(await playedBy(await beginTurnWorld(t), 'calls'), expected);
  const [game] = expected as [TurnsBody];
  t.ok(game.turn > 12 && game.entrants.every(({ commands }) => commands > 8), `${game.turn} turns`);
});

t.test('keys follow from a secret and the name, if the operator gives one', async (t) => {
  const keySecret = 'a secret of the operator';
  const key = `gxd_${createHmac('sha256', keySecret).update('ada').digest('base64url')}`;
  for (const names of [
    ['ada', 'bob'],
    ['bob', 'ada'],
  ]) {
    const { admin, client } = await begin(t, { auth: 'key' });
    const { players } = await admin.command<BulkPlayersBody>('/api/admin/players', { names, keySecret }, 201);
    t.same(
      players.map(({ name }) => name),
      names,
    );
    const ada = players[names.indexOf('ada')];
    t.equal(ada?.apiKey, key);
    await client.as(key).read(`/api/game/state/${ada?.id}`);
    const more = { count: 1, namePrefix: 'ada', keySecret };
    const { players: numbered } = await admin.command<BulkPlayersBody>('/api/admin/players', more, 201);
    t.equal(numbered[0]?.apiKey, `gxd_${createHmac('sha256', keySecret).update('ada-1').digest('base64url')}`);
    const again = await admin.command<BulkPlayersBody>('/api/admin/players', { names: ['ada', 'new'] }, 201);
    t.match(again.players, [
      { created: false, apiKey: undefined },
      { created: true, apiKey: /^gxd_/ },
    ]);
    t.match(await admin.refusal('POST', '/api/admin/players', { names: ['x', 'y', 'x'] }), {
      errors: [{ path: '/names/2' }],
    });
    t.match(await admin.refusal('POST', '/api/admin/players', { names: ['x'], keySecret: 'short' }), {
      errors: [{ path: '/keySecret' }],
    });
  }
  const { admin } = await begin(t, { auth: 'key' });
  const many = Array.from({ length: NAMED_PLAYERS_MAX + 1 }, (_, n) => `n${n}`);
  t.match(await admin.refusal('POST', '/api/admin/players', { names: many }), { errors: [{ path: '/names' }] });
  const full = await begin(t, { auth: 'key', settings: { systemsPerGalaxy: 1 } });
  const { players } = await full.play.bots(10_000, 'all');
  t.match(await full.admin.refusal('POST', '/api/admin/players', { names: ['late'] }), { code: 'universe_full' });
  const known = await full.admin.command<BulkPlayersBody>('/api/admin/players', { names: ['all-1', 'late'] }, 201);
  t.match(known.players, [{ name: 'all-1', created: false }], `of ${players.length} players`);
});
