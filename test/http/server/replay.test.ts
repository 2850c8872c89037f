// A replay behind one listener: what a jump does to those who are connected.
import t from 'tap';
import type { ReplayPositionBody } from '../../../http/schemas/replay.js';
import { REPLAY_MOVEMENTS_MAX } from '../../../persistence/limits.js';
import { FrameClient } from '../support/frame-client.js';
import { RawConnection, requestBytes } from '../support/raw-connection.js';
import { ADMIN_KEY, beginReplay } from '../support/serving.js';
import { turns, until } from '../support/waiting.js';

t.test('a jump back ends WebSockets, streams and entity tags, and readers that are ahead read afresh', async (t) => {
  const { client, port } = await beginReplay(t);
  const { last } = await client.read<ReplayPositionBody>('/api/replay');
  await client.command('/api/replay', { seq: last.seq });
  const tag = (await client.request('GET', '/api/leaderboard')).headers['etag'] ?? '';
  const socket = await FrameClient.open(port);
  socket.send({ op: 'subscribe', topic: 'world', id: 1 });
  const { lastSeq = 0 } = await socket.take(({ op }) => op === 'subscribed');
  t.ok(lastSeq > 0);
  const waiting = client.as('').request('GET', `/api/event/world?since=${lastSeq}&wait=30`);
  await client.command('/api/replay', { seq: 1 });
  await until(() => socket.closeCode !== undefined);
  t.equal(socket.closeCode, 1001, 'as at a restart');
  t.match((await waiting).body, { events: [] });
  t.equal((await client.request('GET', '/api/leaderboard', { headers: { 'if-none-match': tag } })).status, 200);
  t.match(await client.read('/api/status'), { seq: 1, players: 0, isReplay: true });
  t.match((await client.request('GET', `/api/event/world?since=${lastSeq}`)).body, { code: 'events_expired' });
});

t.test('going on to the next event ends nothing, and sends it', async (t) => {
  const { client, port } = await beginReplay(t);
  const socket = await FrameClient.open(port);
  socket.send({ op: 'subscribe', topic: 'world', since: 0, id: 1 });
  await socket.take(({ op }) => op === 'subscribed');
  const { seq } = await client.command<ReplayPositionBody>('/api/replay', { step: 'event' });
  t.ok(seq > 1);
  t.match(await socket.take(({ op }) => op === 'event'), { type: 'player_joined', seq: 1 });
  t.equal(socket.closeCode, undefined);
  t.match((await client.request('POST', '/api/replay', { body: { seq: 1_000_000 } })).body, {
    code: 'invalid_request',
  });
  t.match((await client.request('POST', '/api/replay', { body: { to: '1999-01-01T00:00:00Z' } })).body, {
    code: 'invalid_request',
  });
  t.match(await client.read('/api/replay'), { seq });
  socket.webSocket.terminate();
});

t.test('only so many movements wait for the newest one: further ones are refused', async (t) => {
  const { client, port, replay } = await beginReplay(t);
  let fail: (error: Error) => void = () => {};
  const source = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const movements = [replay.show(() => source)];
  await turns();
  const pipelining = await RawConnection.open(port);
  const move = requestBytes('POST', '/api/replay', [], JSON.stringify({ seq: 1 }));
  pipelining.send(Buffer.concat([move, move]));
  t.equal((await pipelining.rest()).length, 0, 'one that is sent behind another one closes its connection');
  while (movements.length < REPLAY_MOVEMENTS_MAX) movements.push(replay.move({ seq: 1 }));
  t.match((await client.request('POST', '/api/replay', { body: { seq: 1 } })).body, { code: 'overloaded' });
  fail(new Error('no such game'));
  await Promise.allSettled(movements);
  t.match(await client.command('/api/replay', { seq: 1 }), { seq: 1 }, 'those that have ended leave room');
});

t.test('with a key, a WebSocket shows nothing before it has brought it', async (t) => {
  const { admin, port } = await beginReplay(t, { adminKey: ADMIN_KEY });
  const socket = await FrameClient.open(port);
  socket.send({ op: 'subscribe', topic: 'world', since: 0, id: 1 });
  t.match(await socket.take(({ id }) => id === 1), { op: 'error', problem: { code: 'unauthenticated' } });
  socket.send({ op: 'hello', key: ADMIN_KEY, id: 2 });
  await socket.take(({ op }) => op === 'welcome');
  socket.send({ op: 'subscribe', playerId: 'player-1', id: 3 });
  t.match(await socket.take(({ id }) => id === 3), { problem: { code: 'player_not_found' } });
  await admin.command('/api/replay', { step: 'event' });
  socket.send({ op: 'subscribe', playerId: 'player-1', since: 0, id: 4 });
  t.match(await socket.take(({ id }) => id === 4), { op: 'subscribed' });
  t.match(await socket.take(({ op }) => op === 'event'), { type: 'player_created' });
  socket.webSocket.terminate();
});
