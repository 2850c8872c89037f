// Several players that share the WebSocket of a client: which keys are sent and when, against a server that the test plays; and that a
// real server takes each player's calls and subscriptions for its own.
import { GalaxydClient, type GameEvent, operation } from 'galaxyd-client';
import t from 'tap';
import { turns, until } from '../../http/support/waiting.js';
import { FakeNetwork, type FakeWebSocket } from '../support/fake-web-socket.js';
import { beginWithClient } from '../support/serving-client.js';

const BASE = { baseUrl: 'http://127.0.0.1:1' };
const upgrade = operation.post('/api/building/upgrade', { body: { planetId: 'planet-1', buildingType: 'iron_mine' } });
const status = operation.get('/api/status');

/** Waits for so many frames, and takes them. */
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
