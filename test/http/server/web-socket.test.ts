// The WebSocket over both transports: calls answer like requests, subscriptions resume, keys decide, and limits refuse
// without losing anything.
import t from 'tap';
import {
  CALLS_PER_SOCKET_MAX,
  FRAME_ID_LENGTH_MAX,
  SOCKET_BACKLOG_MAX,
  SUBSCRIPTIONS_PER_SOCKET_MAX,
} from '../../../http/limits.js';
import { type Frame, FrameClient } from '../support/frame-client.js';
import type { Play } from '../support/play.js';
import { field, RawConnection, requestBytes } from '../support/raw-connection.js';
import { begin, beginHeld } from '../support/serving.js';
import { turns } from '../support/waiting.js';

const call = (id: string | number, method: string, path: string, body?: object, more: object = {}) => ({
  op: 'call',
  id,
  method,
  path,
  ...(body && { body }),
  ...more,
});
const MINIMAL = { prefer: 'return=minimal' };

t.test('a call answers like the request over HTTP', async (t) => {
  const { client, port, play } = await begin(t);
  const { playerId, planetId } = await play.rich('caller');
  const socket = await FrameClient.open(port);
  const paths = [
    `/api/game/state/${playerId}`,
    `/api/game/planet/${planetId}`,
    '/api/game/state/player-99',
    '/api/nothing',
  ];
  for (const path of paths) {
    const { status, text } = await client.request('GET', path);
    const reply = await socket.ask(call(path, 'GET', path));
    const { requestId: _, ...expected } = JSON.parse(text) as Record<string, unknown>;
    const { requestId: __, ...body } = reply.body as Record<string, unknown>;
    t.strictSame({ status: reply.status, body }, { status, body: expected }, path);
  }
  const upgrade = { planetId, buildingType: 'iron_mine' };
  t.equal((await socket.ask(call(1, 'POST', '/api/building/upgrade', upgrade, MINIMAL))).status, 200);
  t.strictSame(await socket.ask(call(2, 'POST', '/api/building/upgrade', upgrade, MINIMAL)), {
    op: 'reply',
    id: 2,
    status: 409,
    code: 'upgrade_in_progress',
  });
  t.equal((await socket.ask(call(3, 'GET', '/api/building/upgrade'))).status, 405);
  t.equal((await socket.ask(call(4, 'POST', '/api/building/upgrade', { planetId }))).status, 400);
  t.equal((await socket.ask(call(5, 'POST', '/api/batch', { operations: [] }))).status, 404, 'no batches');
  socket.close();
});

t.test('the fields of a call may stand in any order, with spaces and escapes', async (t) => {
  const { port, play } = await begin(t);
  const { playerId } = await play.rich('caller');
  const socket = await FrameClient.open(port);
  const path = `/api/game/state/${playerId}`;
  const texts = [
    `{"op":"call","id":1,"method":"GET","path":"${path}","prefer":"return=minimal"}`,
    `{"prefer":"return=minimal","path":"${path}","method":"GET","id":2,"op":"call"}`,
    ` { "op" : "call", "id" : 3, "method" : "GET", "path" : "${path.replaceAll('/', '\\/')}" , "prefer":"return=minimal"} `,
    `{"op":"call","id":4,"method":"GET","path":"${path}","body":1,"prefer":"return=minimal"}`,
    // Not JSON, although it begins and ends like a call.
    `{"op":"call","id":05,"method":"GET","path":"${path}","prefer":"return=minimal"}`,
    `{"op":"call","id":6,"method":"POST","path":"${path}","body":{},"x":{},"prefer":"return=minimal"}`,
    `{"op":"call","id":7,"method":"POST","path":"${path}","body":{"prefer":"return=minimal"}`,
  ];
  for (const text of texts) socket.webSocket.send(text);
  for (const id of [1, 2, 3])
    t.strictSame(await socket.take((frame) => frame.id === id), { op: 'reply', id, status: 200 });
  t.match(await socket.take(({ id }) => id === 4), { status: 400, code: 'invalid_request' });
  t.match(await socket.take(({ op }) => op === 'error'), { problem: { code: 'malformed_json' } });
  t.match(await socket.take(({ id }) => id === 6), { op: 'error', problem: { code: 'invalid_request' } });
  t.match(await socket.take(({ op }) => op === 'error'), { problem: { code: 'malformed_json' } });
  socket.close();
});

t.test('a key repeats a call, over either protocol', async (t) => {
  const { client, port, play } = await begin(t);
  const { planetId } = await play.rich('caller');
  const socket = await FrameClient.open(port);
  const upgrade = { planetId, buildingType: 'iron_mine' };
  const keyed = { ...MINIMAL, idempotencyKey: 'once' };
  const first = await socket.ask(call(1, 'POST', '/api/building/upgrade', upgrade, keyed));
  const { body } = first as { readonly body: { readonly queueId: string } };
  t.strictSame(first, { op: 'reply', id: 1, status: 200, body });
  t.match(body, { queueId: /^queue-/, finishAt: String, resources: { iron: Number } });
  t.match(await socket.ask(call(2, 'POST', '/api/building/upgrade', upgrade, keyed)), { status: 200, replayed: true });
  const again = await socket.ask(call(3, 'POST', '/api/building/upgrade', upgrade, { idempotencyKey: 'once' }));
  t.strictSame(again, { op: 'reply', id: 3, status: 200, replayed: true, body }, 'in the form of the first reply');
  const other = { planetId, buildingType: 'silver_mine' };
  t.match(await socket.ask(call(4, 'POST', '/api/building/upgrade', other, keyed)), { code: 'idempotency_key_reused' });
  const headers = { 'idempotency-key': 'once' };
  const overHttp = await client.request('POST', '/api/building/upgrade', { body: JSON.stringify(upgrade), headers });
  t.equal(overHttp.headers['idempotency-replayed'], 'true');
  t.strictSame(overHttp.body, body);
  socket.close();
});

t.test('replies wait for the disk, and too many calls are refused without losing one', async (t) => {
  const { port, play, log } = await beginHeld(t);
  log.release();
  const { playerId, planetId } = await play.rich('caller');
  const socket = await FrameClient.open(port);
  await socket.take(({ op }) => op === 'welcome');
  log.hold();
  socket.send(call('upgrade', 'POST', '/api/building/upgrade', { planetId, buildingType: 'iron_mine' }, MINIMAL));
  for (let id = 1; id < CALLS_PER_SOCKET_MAX + 3; id += 1)
    socket.send(call(id, 'GET', `/api/game/state/${playerId}`, undefined, MINIMAL));
  for (let refused = 0; refused < 3; refused += 1)
    t.match(await socket.take(({ op }) => op === 'reply'), { status: 429, code: 'rate_limited' });
  await turns();
  t.strictSame(socket.frames, [], 'what depends on the upgrade waits as well');
  log.release();
  for (let owed = 0; owed < CALLS_PER_SOCKET_MAX; owed += 1)
    t.equal((await socket.take(({ op }) => op === 'reply')).status, 200);
  t.equal((await socket.ask(call('last', 'GET', `/api/game/state/${playerId}`, undefined, MINIMAL))).status, 200);
  socket.close();
});

t.test('a stopping server sends what it owes, then closes', async (t) => {
  const { port, play, log, server } = await beginHeld(t);
  log.release();
  const { planetId } = await play.rich('caller');
  const [owed, idle] = [await FrameClient.open(port), await FrameClient.open(port)];
  await owed.take(({ op }) => op === 'welcome');
  log.hold();
  owed.send(call(1, 'POST', '/api/building/upgrade', { planetId, buildingType: 'iron_mine' }, MINIMAL));
  await turns();
  const stopped = server.stop();
  t.equal(await idle.closed(), 1001);
  t.match(await owed.ask(call(2, 'POST', '/api/building/upgrade', { planetId, buildingType: 'iron_mine' }, MINIMAL)), {
    status: 503,
  });
  log.release();
  t.equal((await owed.take(({ id }) => id === 1)).status, 200);
  t.equal(await owed.closed(), 1001);
  t.ok(await stopped);
});

t.test('subscriptions continue where the client is', async (t) => {
  const { port, play } = await begin(t);
  const { playerId, planetId } = await play.rich('reader');
  const other = await play.rich('other');
  const socket = await FrameClient.open(port);
  const all: Frame[] = [];
  t.match(await socket.ask({ op: 'subscribe', id: 1, playerId, since: 0 }), { op: 'subscribed', playerId });
  socket.send(call(2, 'POST', '/api/building/upgrade', { planetId, buildingType: 'iron_mine' }, MINIMAL));
  socket.send(
    call(3, 'POST', '/api/building/upgrade', { planetId: other.planetId, buildingType: 'iron_mine' }, MINIMAL),
  );
  do all.push(await socket.take(({ op }) => op === 'event'));
  while (all.at(-1)?.type !== 'building_started');
  t.strictSame(
    all.map(({ seq }) => seq),
    all.map((_, index) => index + 1),
    'without a gap',
  );
  t.ok(all.every((event) => event.playerId === playerId && event.topic === undefined));
  const second = await FrameClient.open(port);
  second.send({ op: 'subscribe', playerId, since: all.length - 1 });
  const resumed = await second.take(({ op }) => op === 'event');
  t.strictSame(resumed, all.at(-1), 'the last one again');
  t.match(await second.ask({ op: 'subscribe', id: 5, playerId }), { problem: { code: 'invalid_request' } });
  t.match(await second.ask({ op: 'unsubscribe', id: 6, playerId }), { op: 'unsubscribed', playerId });
  t.match(await second.ask({ op: 'subscribe', id: 7, playerId, since: 10_000 }), {
    problem: { code: 'events_expired' },
  });
  t.match(await second.ask({ op: 'subscribe', id: 8, topic: 'world', since: 0 }), { op: 'subscribed', topic: 'world' });
  t.match(await second.take(({ op }) => op === 'event'), { topic: 'world', seq: 1, type: 'player_joined' });
  t.match(await second.ask({ op: 'subscribe', id: 9, playerId: 'player-99' }), {
    problem: { code: 'player_not_found' },
  });
  socket.close();
  second.close();
});

t.test('a connection has a bounded number of subscriptions', async (t) => {
  const { port, admin } = await begin(t);
  const count = SUBSCRIPTIONS_PER_SOCKET_MAX + 1;
  await admin.command('/api/admin/players', { count, namePrefix: 'many' }, 201);
  const socket = await FrameClient.open(port);
  for (let number = 1; number <= count; number += 1) {
    socket.send({ op: 'subscribe', id: number, playerId: `player-${number}` });
    if (number % SOCKET_BACKLOG_MAX === 0) await socket.take(({ id }) => id === number);
  }
  t.match(await socket.take(({ id }) => id === count), { problem: { code: 'rate_limited' } });
  t.equal(
    socket.frames.filter(({ op }) => op === 'subscribed').length,
    count - 1 - Math.floor(count / SOCKET_BACKLOG_MAX),
  );
  socket.close();
});

t.test('keys decide what a connection may do', async (t) => {
  const { port, play, admin } = await begin(t, {
    auth: 'key',
    server: { spectatorKey: 'a-spectator-key', rateLimits: null },
  });
  const [one, two] = [await keyed(play, 'one'), await keyed(play, 'two')];
  const stateOf = (id: string) => `/api/game/state/${id}`;
  const socket = await FrameClient.open(port);
  t.match(await socket.ask(call(1, 'GET', stateOf(one.id), undefined, MINIMAL)), { status: 401 });
  t.match(await socket.ask({ op: 'subscribe', id: 2, topic: 'world' }), { problem: { code: 'unauthenticated' } });
  t.match(await socket.ask({ op: 'ping', id: 3 }), { op: 'pong' });
  t.match(await socket.ask({ op: 'hello', id: 4, key: 'gxd_wrong' }), { problem: { code: 'unauthenticated' } });
  t.match(await socket.ask({ op: 'hello', id: 5, key: one.apiKey }), { op: 'welcome', playerId: one.id });
  t.match(await socket.ask(call(6, 'GET', stateOf(one.id), undefined, MINIMAL)), { status: 200 });
  t.match(await socket.ask(call(7, 'GET', stateOf(two.id), undefined, MINIMAL)), { status: 403 });
  t.match(await socket.ask({ op: 'subscribe', id: 8, playerId: two.id }), { problem: { code: 'not_owner' } });
  t.match(await socket.ask({ op: 'hello', id: 9, key: two.apiKey }), { op: 'welcome', playerId: two.id });
  const ofOne = { ...MINIMAL, playerId: one.id };
  t.match(await socket.ask(call(10, 'GET', stateOf(two.id), undefined, MINIMAL)), { status: 200 }, 'the last key');
  t.match(
    await socket.ask(call(11, 'GET', stateOf(one.id), undefined, ofOne)),
    { status: 200 },
    'the one that is named',
  );
  t.match(await socket.ask(call(12, 'GET', stateOf(one.id), undefined, { playerId: 'player-99' })), { status: 401 });
  for (const player of [one, two])
    t.match(await socket.ask({ op: 'subscribe', id: player.id, playerId: player.id }), { op: 'subscribed' });
  await admin.command(`/api/admin/player/${one.id}/key/revoke`);
  for (const { planets } of [one, two]) await play.grant(planets[0].id);
  t.match(await socket.take(({ op }) => op === 'event'), { playerId: two.id });
  t.match(await socket.take(({ op }) => op === 'error'), { playerId: one.id, problem: { code: 'unauthenticated' } });
  const header = await FrameClient.open(port, { key: two.apiKey });
  t.match(await header.take(({ op }) => op === 'welcome'), { playerId: two.id }, 'a key in the header does as well');
  const spectator = await FrameClient.open(port, { key: 'a-spectator-key' });
  t.match(await spectator.ask({ op: 'subscribe', id: 1, topic: 'world', since: 0 }), { op: 'subscribed' });
  t.match(await spectator.ask({ op: 'subscribe', id: 2, playerId: one.id }), { op: 'error', problem: { status: 401 } });
  t.match(await spectator.ask(call(3, 'GET', stateOf(one.id), undefined, MINIMAL)), { status: 401 });
  for (const each of [socket, header, spectator]) each.close();
});

t.test('calls take tokens of the rate limit', async (t) => {
  const { port, play } = await begin(t, { auth: 'key', server: { rateLimits: { perSecond: 1, burst: 4 } } });
  const { apiKey, id } = await keyed(play, 'one');
  const socket = await FrameClient.open(port, { key: apiKey });
  const replies = await Promise.all(
    [1, 2, 3, 4, 5].map((number) => socket.ask(call(number, 'GET', `/api/game/state/${id}`, undefined, MINIMAL))),
  );
  // Opening the connection took one from the address or the player, and so did the key.
  t.ok(replies.some(({ status, code }) => status === 429 && code === 'rate_limited'));
  t.ok(replies.some(({ status }) => status === 200));
  socket.close();
});

t.test('an upgrade that is not ours is refused, or ignored', async (t) => {
  const { port } = await begin(t);
  const upgrade = (path: string, fields: readonly string[]) =>
    requestBytes('GET', path, ['Connection: Upgrade', ...fields]);
  const ours = ['Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
  const rows: [name: string, path: string, fields: string[], status: number][] = [
    ['of a foreign page', '/ws', [...ours, 'Sec-WebSocket-Version: 13', 'Origin: https://elsewhere.example'], 403],
    ['of a page that cannot be read', '/ws', [...ours, 'Sec-WebSocket-Version: 13', 'Origin: \xff'], 400],
    ['of another subprotocol', '/ws', [...ours, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Protocol: chat'], 400],
    ['of the page itself', '/ws', [...ours, 'Sec-WebSocket-Version: 13', 'Origin: http://localhost'], 101],
    ['on another path', '/healthz', [...ours, 'Sec-WebSocket-Version: 13'], 200],
    ['to another protocol', '/healthz', ['Upgrade: h2c'], 200],
  ];
  for (const [name, path, fields, status] of rows) {
    const connection = await RawConnection.open(port);
    connection.send(Buffer.from(upgrade(path, fields).toString(), 'latin1'));
    t.equal((await connection.reply()).status, status, name);
    connection.close();
  }
});

t.test('a handshake opens a WebSocket only if it is as RFC 6455 says, section 4.2.1', async (t) => {
  const { port } = await begin(t);
  const sound = {
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13',
  };
  /** undefined leaves a field out. */
  const rows: readonly (readonly [
    name: string,
    change: Readonly<Record<string, string | undefined>>,
    status: number,
  ])[] = [
    ['sound', {}, 101],
    ['in other letters', { Upgrade: 'WebSocket', Connection: 'keep-alive, UPGRADE' }, 101],
    ['with an extension', { 'Sec-WebSocket-Extensions': 'permessage-deflate' }, 101],
    ['without Upgrade', { Upgrade: undefined }, 400],
    ['with another Upgrade', { Upgrade: 'h2c' }, 400],
    ['without Connection', { Connection: undefined }, 400],
    ['with another Connection', { Connection: 'keep-alive' }, 400],
    ['with a Connection that only looks like it', { Connection: 'upgrades' }, 400],
    ['without a key', { 'Sec-WebSocket-Key': undefined }, 400],
    ['with an empty key', { 'Sec-WebSocket-Key': '' }, 400],
    ['with a key of 15 bytes', { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25j' }, 400],
    ['with a key of 17 bytes', { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZWE=' }, 400],
    ['with a key that is not base64', { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZ!==' }, 400],
    ['without a version', { 'Sec-WebSocket-Version': undefined }, 400],
    ['of another version', { 'Sec-WebSocket-Version': '8' }, 400],
    ['of two versions', { 'Sec-WebSocket-Version': '13, 8' }, 400],
    ['with a body', { 'Content-Length': '2' }, 400],
    ['with chunks', { 'Transfer-Encoding': 'chunked' }, 400],
    ['with a body of no bytes', { 'Content-Length': '0' }, 101],
  ];
  for (const [name, change, status] of rows) {
    const fields = Object.entries({ ...sound, ...change }).filter(([, value]) => value !== undefined);
    const lines = fields.map(([key, value]) => `${key}: ${value}`);
    const connection = await RawConnection.open(port);
    connection.send(requestBytes('GET', '/ws', lines));
    const reply = await connection.reply();
    t.equal(reply.status, status, name);
    if (status === 400) t.equal(field(reply, 'sec-websocket-version'), '13', 'and names the version');
    connection.close();
  }
});

t.test('an id is bounded', async (t) => {
  const { port } = await begin(t);
  const socket = await FrameClient.open(port);
  const id = 'x'.repeat(FRAME_ID_LENGTH_MAX);
  t.match(await socket.ask({ op: 'ping', id }), { op: 'pong' });
  socket.send({ op: 'ping', id: `${id}x` });
  const refused = await socket.take(({ op }) => op === 'error');
  t.equal(refused.id, undefined);
  socket.close();
});

interface KeyedPlayer {
  readonly id: string;
  readonly apiKey: string;
  readonly planets: readonly [{ readonly id: string }];
}

/** A new player with its key, which the schema of the reply has only with keys. */
async function keyed(play: Play, name: string): Promise<KeyedPlayer> {
  return (await play.newcomer(name)) as unknown as KeyedPlayer;
}
