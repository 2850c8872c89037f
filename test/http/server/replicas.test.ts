// What clients see where several processes serve one world: seqs, refusals of standbys, waiting, handovers. The test sets the role of the
// process; how it comes about is tested with persistence/replication/.
import t from 'tap';
import { MIN_SEQ_WAIT_MS } from '../../../http/limits.js';
import { StreamReader } from '../support/event-client.js';
import { FrameClient } from '../support/frame-client.js';
import { type GameClient, type Reply, statusesOf, withKey } from '../support/game-client.js';
import { RawConnection, requestBytes } from '../support/raw-connection.js';
import { beginReplicated, LEADER_URL, type Replicated } from '../support/replicas.js';
import { Scrape } from '../support/scrape.js';
import { begin, beginHeld } from '../support/serving.js';
import { until } from '../support/waiting.js';

const after = (seq: number | string) => ({ headers: { 'x-min-seq': String(seq) } });
const seqOf = ({ headers }: Reply): number => Number(headers['x-world-seq'] ?? Number.NaN);
const NEWCOMER = { name: 'ada', isBot: true };
const PLAYERS = '/api/game/player';

function create(client: GameClient, name: string): Promise<Reply> {
  return client.request('POST', PLAYERS, { body: { name, isBot: true } });
}

/** Adds an entry, whatever the role of the process. @returns its seq */
function entry({ writer, replica }: Replicated): number {
  writer.advanceTo(writer.nowMs + 1);
  replica.applied();
  return writer.lastSeq;
}

/** Waits until a number of requests wait at the gate. */
function waiting(client: GameClient, count: number): Promise<Scrape> {
  return Scrape.until(client, (scrape) => scrape.value('replica_requests_waiting') === count);
}

t.test('a world of one process knows none of it', async (t) => {
  const { client } = await begin(t, { auth: 'key' });
  const reply = await client.request('GET', '/api/leaderboard', after('nonsense'));
  t.equal(reply.status, 200);
  t.notOk('x-world-seq' in reply.headers);
  t.match(await client.read('/api/status'), { replica: null });
  t.equal((await client.request('GET', '/readyz?role=leader')).status, 200);
  const { headers } = await client.send('GET', '/healthz', { headers: { origin: 'https://a.example' } });
  t.notMatch(headers['access-control-expose-headers'], /seq|location/);
});

t.test('replies that depend on the world have a seq, and a command sees its own', async (t) => {
  const serving = await beginReplicated(t);
  const { client, writer } = serving;
  const created = await client.request('POST', PLAYERS, withKey('one', NEWCOMER));
  t.equal(seqOf(created), writer.lastSeq - 1, 'the last entry keeps the reply');
  const { id } = created.body as { id: string };
  const state = await client.request('GET', `/api/game/state/${id}`);
  t.equal(seqOf(state), writer.durableSeq);
  t.equal(seqOf(await client.request('HEAD', `/api/game/state/${id}`)), writer.durableSeq);
  const tag = { headers: { 'if-none-match': state.headers['etag'] ?? '' } };
  const unchanged = await client.request('GET', `/api/game/state/${id}`, tag);
  t.match(unchanged, { status: 304, headers: { 'x-world-seq': String(writer.durableSeq) } });
  t.equal(
    seqOf(await client.request('GET', '/api/game/state/player-99')),
    writer.lastSeq,
    'a refusal rests on the world, too',
  );
  entry(serving);
  await until(() => writer.durableSeq === writer.lastSeq);
  const again = await client.request('POST', PLAYERS, withKey('one', NEWCOMER));
  t.match(again.headers, { 'idempotency-replayed': 'true', 'x-world-seq': String(writer.durableSeq) });
  t.equal(
    seqOf(await client.request('GET', `/api/event/player/${id}/stream`)),
    writer.durableSeq,
    'on the head of a stream',
  );
  t.equal(seqOf(await client.request('GET', `/api/event/player/${id}?since=0`)), writer.durableSeq);
  t.equal(seqOf(await client.request('GET', '/api/status')), writer.durableSeq);
  for (const path of ['/healthz', '/metrics', '/openapi.json', '/docs', '/api/errors', '/nowhere'])
    t.notOk('x-world-seq' in (await client.send('GET', path)).headers, path);
  const malformed = await client.request('POST', PLAYERS, { body: { name: 7 } });
  t.notOk('x-world-seq' in malformed.headers);
});

// It fails if the seq is simply the last one: then a failover could undo what the client has read.
t.test('no seq is ahead of what is durable', async (t) => {
  const { client, log, world } = await beginHeld(t, { isReplicated: true });
  const { headers } = await create(client, 'ada');
  log.hold();
  const late = create(client, 'bob');
  await until(() => log.isWaiting);
  const read = await client.request('GET', '/api/catalog');
  t.ok(world.sequencer.lastSeq > world.sequencer.durableSeq);
  t.equal(seqOf(read), world.sequencer.durableSeq);
  t.equal(seqOf(read), Number(headers['x-world-seq']));
  log.release();
  t.equal(seqOf(await late), world.sequencer.durableSeq);
});

t.test('x-min-seq waits until the process has applied the entry', async (t) => {
  const serving = await beginReplicated(t);
  const { client, writer, replica } = serving;
  for (const wrong of ['-1', '1.5', 'seven', '1, 2', '9'.repeat(16), ' '])
    t.equal((await client.request('GET', '/api/leaderboard', after(wrong))).status, 400, wrong);
  t.equal((await client.request('GET', '/healthz', after('nonsense'))).status, 200, 'it needs no world');
  for (const role of ['leader', 'standby'] as const) {
    replica.becomes({ role });
    const next = writer.lastSeq + 1;
    const replies = ['GET', 'HEAD'].map((method) => client.request(method, '/api/leaderboard', after(next)));
    await waiting(client, 2);
    t.equal(entry(serving), next);
    for (const reply of await Promise.all(replies)) {
      t.equal(reply.status, 200);
      t.ok(seqOf(reply) >= next);
    }
  }
  const beganAtMs = performance.now();
  const behind = await client.request('GET', '/api/leaderboard', after(writer.lastSeq + 1));
  t.match(behind, { status: 503, headers: { 'retry-after': '1' }, body: { code: 'replica_behind' } });
  t.ok(performance.now() - beganAtMs >= MIN_SEQ_WAIT_MS - 1);
});

t.test('a client that goes away frees its place', async (t) => {
  const { client, port } = await beginReplicated(t);
  const connection = await RawConnection.open(port);
  connection.send(requestBytes('GET', '/api/leaderboard', ['x-min-seq: 1000000']));
  await waiting(client, 1);
  connection.close();
  await waiting(client, 0);
  const socket = await FrameClient.open(port);
  socket.send({ op: 'call', id: 1, method: 'GET', path: '/api/leaderboard', minSeq: 1_000_000 });
  await waiting(client, 1);
  socket.close();
  await waiting(client, 0);
  const calls = (await Scrape.of(client)).family('websocket_calls_total').samples;
  t.equal([...calls].find(([sample]) => sample.includes('aborted'))?.[1], 1);
});

t.test('a standby names the leader for commands, with the path and the query of the request', async (t) => {
  const { client, replica, play } = await beginReplicated(t);
  const { id } = await play.newcomer('ada');
  replica.becomes({ role: 'standby', leaderUrl: `${LEADER_URL}/galaxy/` });
  const refused = await client.request('POST', '/api/game/planet/planet-1%2F%C3%A9/colonize?a=%20b', {
    body: { playerId: id },
  });
  t.match(refused, {
    status: 421,
    body: { code: 'not_leader' },
    headers: { location: `${LEADER_URL}/galaxy/api/game/planet/planet-1%2F%C3%A9/colonize?a=%20b` },
  });
  t.equal((await client.request('POST', PLAYERS, { body: { name: 7 } })).status, 400, 'what is malformed goes nowhere');
  t.equal((await client.request('GET', `/api/game/state/${id}`)).status, 200);
  t.equal((await client.request('GET', '/readyz')).status, 200);
  t.match(await client.request('GET', '/readyz?role=leader'), { status: 421 });
  t.match(await client.request('GET', '/readyz?role=king'), { status: 400 });
  replica.becomes({ leaderUrl: null });
  t.match(await create(client, 'bob'), { status: 503, body: { code: 'no_leader' }, headers: { 'retry-after': '1' } });
  const cors = await client.send('GET', '/healthz', { headers: { origin: 'https://a.example' } });
  t.notOk('access-control-expose-headers' in cors.headers);
});

t.test('pages may read the new headers, and send theirs', async (t) => {
  const { client } = await beginReplicated(t, { auth: 'key' });
  const origin = 'https://a.example';
  const { headers } = await client.send('GET', '/api/status', { headers: { origin } });
  t.match(headers['access-control-expose-headers'], /x-world-seq, location$/);
  const asked = { headers: { origin, 'access-control-request-method': 'POST' } };
  const preflight = await client.send('OPTIONS', '/api/status', asked);
  t.match(preflight.headers['access-control-allow-headers'], /x-min-seq$/);
});

t.test('a leader that is not sure answers nothing about the world', async (t) => {
  const { client, replica, play } = await beginReplicated(t);
  const { id } = await play.newcomer('ada');
  replica.becomes({ mayAnswer: false });
  for (const path of [`/api/game/state/${id}`, '/api/leaderboard', '/api/catalog', '/api/map'])
    t.match(await client.request('GET', path), { status: 503, body: { code: 'no_leader' } }, path);
  t.match(await client.request('HEAD', '/api/leaderboard'), { status: 503 });
  t.match(await create(client, 'bob'), { status: 503, body: { code: 'no_leader' } });
  t.equal((await client.request('GET', '/readyz')).status, 503);
  for (const path of ['/healthz', '/metrics', '/openapi.json', '/docs', '/api/errors', '/'])
    t.equal((await client.send('GET', path)).status, 200, path);
  t.match(await client.read('/api/status'), {
    replica: { id: 'this-process', role: 'leader', epoch: 3, leaderUrl: LEADER_URL, mayAnswer: false, leaseAgeMs: 120 },
  });
  replica.becomes({ mayAnswer: true });
  t.equal((await client.request('GET', '/api/leaderboard')).status, 200);
});

t.test('a leader that stays unsure sends readers of events away', async (t) => {
  const { client, replica, port } = await beginReplicated(t);
  const socket = await FrameClient.open(port);
  const stream = await StreamReader.open(port, '/api/event/world/stream');
  replica.becomes({ mayAnswer: false });
  t.match(await socket.take(({ op }) => op === 'error'), { problem: { code: 'no_leader' } });
  t.equal(await socket.closed(), 1013);
  await stream.rest();
  t.equal((await Scrape.of(client)).value('event_readers_cut_off_total{reason="no_leader"}'), 1);
});

t.test('a batch with a command goes to the leader as a whole', async (t) => {
  const { client, replica } = await beginReplicated(t);
  replica.becomes({ role: 'standby' });
  const read = { method: 'GET', path: '/api/leaderboard' };
  const command = { method: 'POST', path: PLAYERS, body: NEWCOMER };
  const post = (operations: object[], headers = {}) =>
    client.request('POST', '/api/batch', { body: { operations }, headers });
  t.match(await post([read, read]), { status: 200, body: { results: [{ status: 200 }, { status: 200 }] } });
  for (const headers of [{}, { 'idempotency-key': 'one' }])
    t.match(await post([read, command], headers), { status: 421, headers: { location: `${LEADER_URL}/api/batch` } });
});

t.test('commands wait for the end of a handover', async (t) => {
  const { client, replica, port } = await beginReplicated(t);
  const batch = { operations: [{ method: 'POST', path: PLAYERS, body: { name: 'bob', isBot: true } }] };
  const socket = await FrameClient.open(port);
  replica.becomes({ isHandingOver: true });
  const keyed = client.request('POST', PLAYERS, withKey('one', NEWCOMER));
  const batched = client.request('POST', '/api/batch', withKey('two', batch));
  const called = socket.ask({
    op: 'call',
    id: 1,
    method: 'POST',
    path: PLAYERS,
    body: { name: 'cid', isBot: true },
    idempotencyKey: 'three',
  });
  await waiting(client, 3);
  t.equal((await client.request('GET', '/api/leaderboard')).status, 200, 'reads go on');
  // The next one is not known yet: commands that come now wait, too.
  replica.becomes({ role: 'standby', leaderUrl: null, isHandingOver: false });
  const later = create(client, 'dan');
  await waiting(client, 4);
  replica.becomes({ leaderUrl: LEADER_URL });
  for (const reply of [await keyed, await batched, await later])
    t.match(reply, { status: 421, headers: { location: String } });
  t.match(await called, { status: 421, location: `${LEADER_URL}${PLAYERS}`, body: { code: 'not_leader' } });
  await waiting(client, 0);
  socket.close();
  const counts = (await Scrape.of(client)).value('replica_refusals_total{code="not_leader"}');
  t.equal(counts, 4);
});

t.test('if no other process takes over, the commands that waited are carried out once', async (t) => {
  const { client, replica, port } = await beginReplicated(t);
  const batch = { operations: [{ method: 'POST', path: PLAYERS, body: { name: 'bob', isBot: true } }] };
  const socket = await FrameClient.open(port);
  replica.becomes({ isHandingOver: true });
  const firsts = [
    client.request('POST', PLAYERS, withKey('one', NEWCOMER)),
    client.request('POST', '/api/batch', withKey('two', batch)),
  ];
  const call = {
    op: 'call',
    method: 'POST',
    path: PLAYERS,
    body: { name: 'cid', isBot: true },
    idempotencyKey: 'three',
  };
  const called = socket.ask({ ...call, id: 1 });
  await waiting(client, 3);
  replica.becomes({ isHandingOver: false });
  const replies = await Promise.all(firsts);
  t.same(statusesOf(replies), [201, 200]);
  t.match(await called, { status: 201 });
  const repeated = [
    await client.request('POST', PLAYERS, withKey('one', NEWCOMER)),
    await client.request('POST', '/api/batch', withKey('two', batch)),
  ];
  for (const [index, reply] of repeated.entries()) {
    t.equal(reply.headers['idempotency-replayed'], 'true');
    t.equal(reply.text, replies[index]?.text);
  }
  t.match(await socket.ask({ ...call, id: 2 }), { status: 201, replayed: true });
  t.match(await client.read('/api/status'), { players: 3 });
  socket.close();
});

t.test('a server that stops answers what waits', async (t) => {
  const { client, replica, server, port } = await beginReplicated(t);
  const connection = await RawConnection.open(port);
  replica.becomes({ isHandingOver: true });
  connection.send(requestBytes('POST', PLAYERS, [], JSON.stringify(NEWCOMER)));
  await waiting(client, 1);
  const stopped = server.stop();
  t.equal((await connection.reply()).status, 503);
  t.ok(await stopped);
});

t.test('calls over a WebSocket have the same answers', async (t) => {
  const serving = await beginReplicated(t, { auth: 'key' });
  const { client, port, replica, writer } = serving;
  const { apiKey } = await client.command<{ apiKey: string }>(PLAYERS, NEWCOMER, 201);
  const socket = await FrameClient.open(port);
  replica.becomes({ role: 'standby' });
  const hello = socket.ask({ op: 'hello', id: 0, key: apiKey, minSeq: writer.lastSeq + 1 });
  await waiting(client, 1);
  const seq = entry(serving);
  t.match(await hello, { op: 'welcome' });
  const path = '/api/game/state/player-1';
  t.match(await socket.ask({ op: 'call', id: 1, method: 'GET', path, minSeq: seq }), { status: 200, worldSeq: seq });
  const ahead = await socket.ask({ op: 'call', id: 2, method: 'GET', path, minSeq: seq + 1 });
  t.match(ahead, { status: 503, body: { code: 'replica_behind' } });
  const command = {
    op: 'call',
    method: 'POST',
    path: '/api/research/start?a=1',
    body: { researchType: 'drive_ion', playerId: 'player-1' },
  };
  t.match(await socket.ask({ ...command, id: 3 }), { status: 421, location: `${LEADER_URL}/api/research/start?a=1` });
  const minimal = await socket.ask({ ...command, id: 4, prefer: 'return=minimal' });
  t.strictSame(Object.keys(minimal).sort(), ['code', 'id', 'location', 'op', 'status']);
  t.match(await socket.ask({ op: 'call', id: 5, method: 'GET', path, minSeq: -1 }), { op: 'error' });
  replica.becomes({ role: 'leader', mayAnswer: false });
  t.match(await socket.ask({ op: 'call', id: 6, method: 'GET', path }), { status: 503, body: { code: 'no_leader' } });
  socket.close();
});

// A reader that has the event from another process must not get a reply that it is lost.
t.test('a standby waits for the event after which a reader continues', async (t) => {
  const { client, port, replica, play } = await beginReplicated(t);
  const { id } = await play.newcomer('ada');
  const { lastSeq } = await client.read<{ lastSeq: number }>(`/api/event/player/${id}`);
  replica.becomes({ role: 'standby' });
  const since = `since=${lastSeq + 1}`;
  const socket = await FrameClient.open(port);
  const subscribed = socket.ask({ op: 'subscribe', id: 1, playerId: id, since: lastSeq + 1 });
  const onMap = socket.ask({ op: 'subscribe', id: 2, topic: 'map', since: 1_000 });
  const [poll, stream] = await Promise.all([
    client.request('GET', `/api/event/player/${id}?${since}`),
    client.request('GET', `/api/event/player/${id}/stream?${since}`),
  ]);
  for (const reply of [poll, stream]) t.match(reply, { status: 503, body: { code: 'replica_behind' } });
  t.match(await subscribed, { op: 'error', problem: { code: 'replica_behind' } });
  t.match(await onMap, { op: 'error', problem: { code: 'replica_behind' } });
  const again = client.request('GET', `/api/event/player/${id}?${since}`);
  const later = socket.ask({ op: 'subscribe', id: 3, playerId: id, since: lastSeq + 1 });
  const dropped = socket.ask({ op: 'subscribe', id: 4, topic: 'world', since: 1_000 });
  await waiting(client, 3);
  socket.send({ op: 'unsubscribe', id: 5, topic: 'world' });
  await socket.take(({ op }) => op === 'unsubscribed');
  replica.becomes({ role: 'leader' });
  t.match(await again, { status: 410 }, 'a leader knows that the event does not exist');
  t.match(await later, { op: 'error', problem: { code: 'events_expired' } });
  t.equal(
    await Promise.race([dropped.then(() => 'answered'), client.request('GET', '/healthz').then(() => 'silent')]),
    'silent',
  );
  dropped.catch(() => {});
  socket.close();
});

t.test('status and metrics tell the role', async (t) => {
  const { client, replica } = await beginReplicated(t);
  replica.becomes({ role: 'standby', lag: { entries: 12, ms: 340 } });
  const { replica: shown } = await client.read<{ replica: { members: unknown[] } }>('/api/status');
  t.match(shown, { role: 'standby', lag: { entries: 12, ms: 340 } });
  t.same(shown.members[0], {
    id: 'this-process',
    url: LEADER_URL,
    role: 'leader',
    seq: 7,
    version: '1.0.0',
    reportedAgoMs: 40,
  });
  const scrape = await Scrape.of(client);
  const values = ['is_leader', 'epoch', 'lag_entries', 'lag_seconds', 'lease_age_seconds', 'members'];
  t.same(
    values.map((name) => scrape.value(`replica_${name}`)),
    [0, 3, 12, 0.34, 0.12, 2],
  );
  const tag = (await client.request('GET', '/api/status')).headers['etag'] ?? '';
  replica.becomes({ role: 'leader' });
  t.equal((await client.request('GET', '/api/status', { headers: { 'if-none-match': tag } })).status, 200);
});
