// The WebSocket of the TypeScript client, against a server that the test plays frame by frame: what the client sends, what it
// repeats after a connection is lost, and which errors it reports. Several players share it: each key is sent before what needs it.
import { EventsExpired, GalaxydClient, GalaxydProblem, type GameEvent, operation } from 'galaxyd-client';
import t from 'tap';
import { turns, until } from '../../http/support/waiting.js';
import { freePort } from '../../support/process/free-port.js';
import { FakeNetwork, type FakeWebSocket } from '../support/fake-web-socket.js';
import { beginWithClient, interposed } from '../support/serving-client.js';

/** What a restored world counts on by, at least. */
const LINEAGE_GAP_MIN = 2 ** 32;
const BASE = { baseUrl: 'http://127.0.0.1:1/below' };
const upgrade = operation.post('/api/building/upgrade', { body: { planetId: 'planet-1', buildingType: 'iron_mine' } });

const status = operation.get('/api/status');

/** Events of a player as the server sends them. */
function events(playerId: string, ...seqs: readonly number[]): object[] {
  const at = '2000-01-01T00:00:00.000Z';
  return seqs.map((seq) => ({ op: 'event', seq, type: 'building_completed', at, playerId, data: {} }));
}

const seqsOf = (received: readonly GameEvent[]): number[] => received.map(({ seq }) => seq);

/** Reads some events. */
async function read<Item>(reader: AsyncIterator<Item>, count: number): Promise<Item[]> {
  const items: Item[] = [];
  while (items.length < count) {
    const { value, done } = await reader.next();
    if (done === true) throw new Error(`the iteration ended after ${items.length} items`);
    items.push(value);
  }
  return items;
}

/** Waits for a frame of a kind, and removes what was sent up to it. */
async function frame(connection: FakeWebSocket, op: string) {
  await until(() => connection.sent.some((one) => one.op === op));
  const index = connection.sent.findIndex((one) => one.op === op);
  const [found] = connection.sent.splice(0, index + 1).slice(-1);
  if (found === undefined) throw new Error(`there is no ${op}`);
  return found;
}

t.test('a reader gets each event once; the next connection continues after the last', async (t) => {
  const network = new FakeNetwork();
  const galaxyd = new GalaxydClient({ ...BASE, apiKey: 'key-1', webSocket: network.webSocket });
  const reader = galaxyd.events('player-1', { since: 4 });
  const reading = read(reader, 5);
  const first = await network.next();
  t.equal(first.url, 'ws://127.0.0.1:1/below/ws');
  first.onopen();
  t.same(first.sent.shift(), { op: 'hello', key: 'key-1' });
  t.same(first.sent, [], 'nothing before the welcome');
  first.receive({ op: 'welcome', callsMax: 8 });
  const { id, ...asked } = await frame(first, 'subscribe');
  t.same(asked, { op: 'subscribe', playerId: 'player-1', since: 4 });
  first.receive({ op: 'subscribed', id, lastSeq: 6 }, ...events('player-1', 5, 6));
  first.lose();
  const second = await network.next();
  second.welcome();
  const again = await frame(second, 'subscribe');
  t.equal(again['since'], 6);
  second.receive(...events('player-1', 7), { op: 'subscribed', id: again.id, lastSeq: 9 });
  second.receive(...events('player-1', 6, 7, 8, 9));
  t.same(seqsOf(await reading), [5, 6, 7, 8, 9]);
  await reader.return?.();
  t.match(await frame(second, 'unsubscribe'), { playerId: 'player-1' });
});

t.test('without since it begins after the newest event, and stays there if the connection is lost', async (t) => {
  const network = new FakeNetwork();
  const reader = new GalaxydClient({ ...BASE, webSocket: network.webSocket }).events('player-1');
  const reading = read(reader, 1);
  const first = await network.next();
  first.welcome();
  const { id, since } = await frame(first, 'subscribe');
  t.equal(since, undefined);
  first.receive({ op: 'subscribed', id, lastSeq: 7 });
  first.lose(1013);
  const second = await network.next();
  second.welcome();
  const again = await frame(second, 'subscribe');
  t.equal(again['since'], 7);
  second.receive({ op: 'subscribed', id: again.id, lastSeq: 8 }, ...events('player-1', 8));
  t.same(seqsOf(await reading), [8]);
  await reader.return?.();
});

t.test('many readers share a connection; a player and topic world have sequences of their own', async (t) => {
  const network = new FakeNetwork();
  const galaxyd = new GalaxydClient({ ...BASE, webSocket: network.webSocket });
  const readers = [
    galaxyd.events('player-1', { since: 0 }),
    galaxyd.events('player-2', { since: 0 }),
    galaxyd.worldEvents({ since: 0 }),
  ];
  const reading = Promise.all(readers.map((reader) => read(reader, 2)));
  const connection = await network.next();
  connection.welcome();
  for (const _ of readers) connection.receive({ op: 'subscribed', id: (await frame(connection, 'subscribe')).id });
  const world = events('player-1', 1, 2).map((event) => ({ ...event, topic: 'world' }));
  connection.receive(...events('player-2', 1), ...world, ...events('player-1', 1, 2), ...events('player-2', 2));
  t.same((await reading).map(seqsOf), [
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
  await t.rejects(galaxyd.events('player-1').next(), { message: /player-1 already/ }, 'one reader for each player');
  for (const reader of readers) await reader.return?.();
  t.equal(network.connections.length, 1);
  await until(() => connection.isClosed);
});

t.test('events that have expired are an error of their own, which concerns one reader', async (t) => {
  const network = new FakeNetwork();
  const galaxyd = new GalaxydClient({ ...BASE, webSocket: network.webSocket });
  const expired = { code: 'events_expired', status: 410, detail: 'Gone.', oldestSeq: 40 };
  const reader = galaxyd.events('player-1', { since: 3 });
  const other = galaxyd.events('player-2', { since: 0 });
  const failing = read(reader, 2);
  const others = read(other, 2);
  const connection = await network.next();
  connection.welcome();
  const [one, two] = [await frame(connection, 'subscribe'), await frame(connection, 'subscribe')];
  connection.receive({ op: 'subscribed', id: two.id, lastSeq: 0 }, ...events('player-2', 1));
  connection.receive({ op: 'error', id: one.id, problem: expired }, ...events('player-2', 2));
  const error = await failing.catch((reason: unknown) => reason);
  t.ok(error instanceof EventsExpired && error instanceof GalaxydProblem, String(error));
  t.match(error, { oldestSeq: 40, code: 'events_expired' });
  t.same(seqsOf(await others), [1, 2]);
  t.same(await reader.next(), { done: true, value: undefined }, 'it has ended');
  await other.return?.();
});

t.test('with resync the state takes the place of what has expired', async (t) => {
  const network = new FakeNetwork();
  const headers = { 'x-world-time': '2000-01-01T00:00:00.000Z' };
  const { fetch } = interposed([() => Response.json({ id: 'player-1', lastEventSeq: 41 }, { headers })]);
  const galaxyd = new GalaxydClient({ ...BASE, fetch, webSocket: network.webSocket });
  const reader = galaxyd.events('player-1', { since: 3, resync: true });
  const reading = read(reader, 3);
  const connection = await network.next();
  connection.welcome();
  const { id } = await frame(connection, 'subscribe');
  connection.receive({ op: 'subscribed', id, lastSeq: 50 }, ...events('player-1', 4));
  const problem = { code: 'events_expired', status: 410, detail: '', oldestSeq: 40 };
  connection.receive({ op: 'error', playerId: 'player-1', problem });
  const again = await frame(connection, 'subscribe');
  t.equal(again['since'], 41);
  connection.receive({ op: 'subscribed', id: again.id, lastSeq: 50 }, ...events('player-1', 42));
  const [before, resync, after] = await reading;
  t.match(before, { seq: 4 });
  t.match(resync, { type: 'resync', seq: 41, state: { id: 'player-1' } });
  t.match(after, { seq: 42 });
  await reader.return?.();
});

t.test('a gap is an error, not a surprise', async (t) => {
  const network = new FakeNetwork();
  const reader = new GalaxydClient({ ...BASE, webSocket: network.webSocket }).events('player-1', { since: 0 });
  const reading = read(reader, 3);
  const connection = await network.next();
  connection.welcome();
  const { id } = await frame(connection, 'subscribe');
  connection.receive({ op: 'subscribed', id, lastSeq: 3 }, ...events('player-1', 1, 3));
  await t.rejects(reading, { message: 'seq 3 of player-1 came before seq 2' });
});

t.test('a restored world counts on from far above', async (t) => {
  const network = new FakeNetwork();
  const reader = new GalaxydClient({ ...BASE, webSocket: network.webSocket }).events('player-1', { since: 0 });
  const reading = read(reader, 3);
  const connection = await network.next();
  connection.welcome();
  const { id } = await frame(connection, 'subscribe');
  const first = LINEAGE_GAP_MIN + 2;
  connection.receive({ op: 'subscribed', id, lastSeq: first + 1 }, ...events('player-1', 1, first, first + 1));
  t.match(await reading, [{ seq: 1 }, { seq: first }, { seq: first + 1 }]);
  const next = read(reader, 1);
  connection.receive(...events('player-1', first + 3));
  await t.rejects(next, { message: `seq ${first + 3} of player-1 came before seq ${first + 2}` });
});

t.test('what a slow reader has not taken waits at the server', async (t) => {
  const network = new FakeNetwork();
  const reader = new GalaxydClient({ ...BASE, webSocket: network.webSocket }).events('player-1', { since: 0 });
  const first = reader.next();
  const connection = await network.next();
  connection.welcome();
  const { id } = await frame(connection, 'subscribe');
  const seqs = Array.from({ length: 1_500 }, (_, index) => index + 1);
  connection.receive({ op: 'subscribed', id, lastSeq: 1_500 }, ...events('player-1', ...seqs));
  t.match(await first, { value: { seq: 1 } });
  t.match(connection.sent, [{ op: 'unsubscribe' }], 'it asks for no more');
  t.same(seqsOf(await read(reader, 999)), seqs.slice(1, 1_000));
  const rest = read(reader, 500);
  const again = await frame(connection, 'subscribe');
  t.equal(again['since'], 1_000);
  connection.receive({ op: 'subscribed', id: again.id, lastSeq: 1_500 }, ...events('player-1', ...seqs.slice(1_000)));
  t.same(seqsOf(await rest), seqs.slice(1_000));
  await reader.return?.();
});

t.test('calls are pipelined, answered in any order, and sent again if the connection is lost', async (t) => {
  const network = new FakeNetwork();
  const { socket } = new GalaxydClient({ ...BASE, webSocket: network.webSocket });
  const calls = [
    socket.call(upgrade),
    socket.call(upgrade, { idempotencyKey: 'mine', isMinimal: true }),
    socket.call(operation.get('/api/status')),
  ];
  const first = await network.next();
  first.welcome(2);
  const sent = [await frame(first, 'call'), await frame(first, 'call')];
  t.same(first.sent, [], 'two at a time');
  t.match(sent, [
    {
      method: 'POST',
      path: '/api/building/upgrade',
      body: { buildingType: 'iron_mine' },
      idempotencyKey: /^[0-9a-f-]{36}$/,
    },
    { idempotencyKey: 'mine', prefer: 'return=minimal' },
  ]);
  first.receive({ op: 'reply', id: sent[1]?.id, status: 409, code: 'upgrade_in_progress' });
  t.match(await calls[1], { ok: false, status: 409, code: 'upgrade_in_progress', problem: null });
  t.match(await frame(first, 'call'), { method: 'GET', path: '/api/status' });
  first.lose();
  const second = await network.next();
  second.welcome(2);
  t.same(await frame(second, 'call'), sent[0], 'the same frame with the same key');
  const status = await frame(second, 'call');
  second.receive({ op: 'reply', id: status.id, status: 200, body: { name: 'galaxyd' } });
  second.receive({ op: 'reply', id: sent[0]?.id, status: 200, body: { id: 'planet-1' } });
  t.match(await Promise.all(calls), [
    { ok: true, body: { id: 'planet-1' } },
    { ok: false },
    { body: { name: 'galaxyd' } },
  ]);
});

t.test('nothing is sent into a connection that the server is closing, and the next one gets it', async (t) => {
  const network = new FakeNetwork();
  const { socket } = new GalaxydClient({ ...BASE, webSocket: network.webSocket });
  const opening = socket.call(status);
  const first = await network.next();
  first.welcome();
  first.receive({ op: 'reply', id: (await frame(first, 'call')).id, status: 200, body: {} });
  await opening;
  first.isClosing = true;
  const call = socket.call(upgrade);
  await turns(20);
  t.same(first.sent, []);
  first.lose();
  const second = await network.next();
  second.welcome();
  second.receive({ op: 'reply', id: (await frame(second, 'call')).id, status: 200, body: { id: 'planet-1' } });
  t.match(await call, { ok: true, body: { id: 'planet-1' } });
});

t.test('a refusal that passes is repeated with the same key', async (t) => {
  const network = new FakeNetwork();
  const { socket } = new GalaxydClient({ ...BASE, webSocket: network.webSocket });
  const call = socket.call(upgrade);
  const connection = await network.next();
  connection.welcome();
  const keys = new Set<unknown>();
  for (const answer of [
    { op: 'reply', status: 429, body: { code: 'rate_limited', status: 429, detail: '', retryAfterMs: 5 } },
    { op: 'reply', status: 409, code: 'idempotency_key_in_flight' },
    { op: 'error', problem: { code: 'overloaded', status: 503, detail: '' } },
    { op: 'reply', status: 200, body: {} },
  ]) {
    const { id, idempotencyKey } = await frame(connection, 'call');
    keys.add(idempotencyKey);
    connection.receive({ ...answer, id });
  }
  t.match(await call, { ok: true });
  t.equal(keys.size, 1);
});

t.test('a key that the server refuses ends all readers and calls', async (t) => {
  const network = new FakeNetwork();
  const galaxyd = new GalaxydClient({ ...BASE, apiKey: 'wrong', webSocket: network.webSocket });
  const outcomes = Promise.allSettled([galaxyd.events('player-1').next(), galaxyd.socket.call(upgrade)]);
  const first = await network.next();
  first.onopen();
  first.receive({ op: 'error', problem: { code: 'overloaded', status: 503, detail: '' } });
  const second = await network.next();
  second.onopen();
  second.receive({ op: 'error', problem: { code: 'unauthenticated', status: 401, detail: '' } });
  for (const outcome of await outcomes) {
    t.match(outcome, { status: 'rejected', reason: { name: 'GalaxydProblem', code: 'unauthenticated' } });
  }
  await turns();
  t.equal(network.connections.length, 2);
});

t.test('who has never reached a server learns soon that none is there', async (t) => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const galaxyd = new GalaxydClient({ baseUrl, firstContactMs: 300 });
  const silence = `no server answers at ${baseUrl}: connect ECONNREFUSED`;
  await t.rejects(galaxyd.get('/api/status'), { name: 'NoReply', message: `GET /api/status: ${silence}` });
  await t.rejects(galaxyd.events('player-1').next(), { name: 'NoReply', message: silence });
  await t.rejects(galaxyd.socket.call(upgrade), {
    name: 'NoReply',
    message: `POST /api/building/upgrade: ${silence}`,
    idempotencyKey: /^[0-9a-f-]{36}$/,
  });
});

t.test('a signal ends a reader and a call; a reader can be ended while it waits', async (t) => {
  const network = new FakeNetwork();
  const galaxyd = new GalaxydClient({ ...BASE, webSocket: network.webSocket });
  const controller = new AbortController();
  const { signal } = controller;
  const waiting: Promise<unknown>[] = [
    galaxyd.events('player-1', { signal }).next(),
    galaxyd.socket.call(upgrade, { signal }),
  ];
  const ended = galaxyd.worldEvents();
  const rest = ended.next();
  await network.next();
  controller.abort(new Error('enough'));
  for (const one of waiting) await t.rejects(one, { message: 'enough' });
  await ended.return?.();
  t.same(await rest, { done: true, value: undefined });
});

/** Waits for a number of frames, and takes them. */
async function sent(connection: FakeWebSocket, count: number) {
  await until(() => connection.sent.length >= count);
  return connection.sent.splice(0);
}

t.test('a key is sent once a connection, before the first frame that needs it', async (t) => {
  const network = new FakeNetwork();
  const party = new GalaxydClient({ ...BASE, apiKey: 'own', webSocket: network.webSocket });
  const one = party.forPlayer({ playerId: 'player-1', apiKey: 'key-1' });
  const two = party.forPlayer({ playerId: 'player-2', apiKey: 'key-2' });
  const calls = [
    one.socket.call(upgrade),
    one.socket.call(upgrade),
    two.socket.call(status),
    party.socket.call(status),
  ];
  const reader = two.events('player-2', { since: 0 });
  const event = reader.next();
  const first = await network.next();
  first.welcome();
  await turns();
  const frames = await sent(first, 8);
  t.match(frames, [
    { op: 'hello', key: 'own' },
    { op: 'hello', id: 'player-2', key: 'key-2' },
    { op: 'subscribe', playerId: 'player-2' },
    { op: 'hello', id: 'player-1', key: 'key-1' },
    { op: 'call', playerId: 'player-1' },
    { op: 'call', playerId: 'player-1' },
    { op: 'call', playerId: 'player-2' },
    { op: 'hello', id: '', key: 'own' },
    { op: 'call' },
  ]);
  t.notOk('playerId' in (frames.at(-1) ?? {}), 'the key of the client is the last one again');
  first.receive({ op: 'welcome', id: 'player-1', callsMax: 1 });
  first.lose();
  const second = await network.next();
  second.welcome();
  const again = await sent(second, 9);
  t.match(
    again.map(({ op, key }) => (op === 'hello' ? key : op)),
    ['own', 'key-2', 'subscribe', 'key-1', 'call', 'call', 'call', 'own', 'call'],
    'and so it is over the next one',
  );
  for (const { op, id } of again) if (op === 'call') second.receive({ op: 'reply', id, status: 200, body: {} });
  for (const call of calls) t.match(await call, { ok: true });
  second.receive({ op: 'subscribed', id: again[2]?.id, lastSeq: 1 });
  second.receive({ op: 'event', seq: 1, type: 'building_completed', at: '', playerId: 'player-2', data: {} });
  t.match(await event, { value: { seq: 1 } });
  await reader.return?.();
});

t.test('a wrong key fails what its player does, and nothing else', async (t) => {
  const network = new FakeNetwork();
  const party = new GalaxydClient({ ...BASE, webSocket: network.webSocket });
  const wrong = party.forPlayer({ playerId: 'player-1', apiKey: 'wrong' });
  const right = party.forPlayer({ playerId: 'player-2', apiKey: 'right' });
  const refused = t.rejects(wrong.socket.call(upgrade), { name: 'GalaxydProblem', code: 'unauthenticated' });
  const unread = t.rejects(wrong.events('player-1').next(), { code: 'unauthenticated' });
  const call = right.socket.call(upgrade);
  const first = await network.next();
  first.onopen();
  t.match(first.sent, [{ op: 'hello', key: 'wrong' }], 'without a key of its own it begins with that of a player');
  first.receive({ op: 'error', problem: { code: 'unauthenticated', status: 401, detail: '' } });
  await refused;
  await unread;
  const second = await network.next();
  second.welcome();
  const [hello, frame] = await sent(second, 2);
  t.match(hello, { op: 'hello', key: 'right' });
  second.receive({ op: 'reply', id: frame?.id, status: 200, body: {} });
  t.match(await call, { ok: true });
});

t.test('a key that the server does not take for now is sent again', async (t) => {
  const network = new FakeNetwork();
  const party = new GalaxydClient({ ...BASE, apiKey: 'own', webSocket: network.webSocket });
  const { socket } = party.forPlayer({ playerId: 'player-1', apiKey: 'key-1' });
  const early = socket.call(status);
  const connection = await network.next();
  connection.welcome();
  const [, , call] = await sent(connection, 3);
  connection.receive(
    { op: 'error', id: 'player-1', problem: { code: 'rate_limited', status: 429, detail: '' } },
    { op: 'reply', id: call?.id, status: 401, body: { code: 'unauthenticated', status: 401, detail: '' } },
  );
  t.match(await early, { ok: false, code: 'unauthenticated' });
  const late = socket.call(status);
  const [hello, next] = await sent(connection, 2);
  t.match([hello, next], [{ op: 'hello', key: 'key-1' }, { op: 'call' }]);
  connection.receive({ op: 'reply', id: next?.id, status: 200, body: {} });
  t.match(await late, { ok: true });
});

t.test('a call without an idempotency key is not sent twice', async (t) => {
  const network = new FakeNetwork();
  const { socket } = new GalaxydClient({ ...BASE, webSocket: network.webSocket });
  const flying = socket.call(upgrade, { idempotencyKey: null });
  const read = socket.call(status);
  const first = await network.next();
  first.welcome(2);
  const waiting = socket.call(upgrade, { idempotencyKey: null });
  const frames = await sent(first, 2);
  t.notOk(frames.some((frame) => 'idempotencyKey' in frame));
  first.lose();
  await t.rejects(flying, { name: 'NoReply', message: /connection was lost/, idempotencyKey: null });
  const second = await network.next();
  second.welcome();
  const again = await sent(second, 2);
  t.match(
    again,
    [{ path: '/api/status' }, { path: '/api/building/upgrade' }],
    'a read is repeated; one that waited is sent',
  );
  for (const { id } of again) second.receive({ op: 'reply', id, status: 200, body: {} });
  t.match(await Promise.all([read, waiting]), [{ ok: true }, { ok: true }]);
});

t.test('readers of many players subscribe a part at a time', async (t) => {
  const network = new FakeNetwork();
  const party = new GalaxydClient({ ...BASE, webSocket: network.webSocket });
  const readers = Array.from({ length: 200 }, (_, index) => party.events(`player-${index}`, { since: 0 }));
  for (const reader of readers) void reader.next().catch(() => {});
  const connection = await network.next();
  connection.welcome();
  const asked = await sent(connection, 128);
  t.equal(asked.length, 128);
  for (const { id } of asked) connection.receive({ op: 'subscribed', id, lastSeq: 0 });
  t.equal((await sent(connection, 72)).length, 72);
  for (const reader of readers) await reader.return?.();
});

t.test('a connection has a bounded number of players', async (t) => {
  const party = new GalaxydClient({ ...BASE, webSocket: new FakeNetwork().webSocket });
  for (let index = 0; index < 4_095; index += 1) party.forPlayer({ playerId: `player-${index}`, apiKey: 'key' });
  party.forPlayer({ playerId: 'player-0', apiKey: 'another' });
  t.throws(() => party.forPlayer({ playerId: 'one-more', apiKey: 'key' }), { name: 'RangeError', message: /4095/ });
});

t.test('a server takes each player for itself, and each pays for its own', async (t) => {
  const rateLimits = { perSecond: 1, burst: 20 };
  const { galaxyd, operator } = await beginWithClient(t, {}, { auth: 'key', server: { rateLimits } });
  const { body } = await operator.post('/api/admin/players', { body: { count: 60, namePrefix: 'bot' } });
  const { players } = body;
  const seats = players.map(({ id: playerId, apiKey }) => galaxyd.forPlayer({ playerId, apiKey }));
  const readers = seats.map((seat, index) => seat.events(players[index]?.id ?? '', { since: 0 }));
  const events = await Promise.all(readers.map((reader) => reader.next()));
  const receivers = events.map(({ value }) => (value as GameEvent).playerId);
  t.same(
    receivers,
    players.map(({ id }) => id),
    'more subscriptions than one player can pay for',
  );
  for (const reader of readers) await reader.return?.();
  const [one, two] = seats;
  const [mine = '', theirs = ''] = players.map(({ planetId }) => planetId);
  const build = (planetId: string) =>
    operation.post('/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } });
  t.match(await one?.socket.call(build(mine)), { ok: true });
  t.match(await two?.socket.call(build(mine)), { ok: false, code: 'not_owner' });
  t.match(await two?.socket.call(build(theirs)), { ok: true });
  const state = await two?.get('/api/game/state/{playerId}', { params: { path: { playerId: players[1]?.id ?? '' } } });
  t.equal(state?.body.id, players[1]?.id, 'over HTTP, too');
});
