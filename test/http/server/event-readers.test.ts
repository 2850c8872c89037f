// Readers of events over both servers: long polls that wait, and streams. No event comes before it is durable, none is missing, and a
// reader that leaves, or whose server stops, leaves nothing behind.
import t from 'tap';
import { EVENT_READERS_PER_PLAYER_MAX } from '../../../http/limits.js';
import { type EventPageBody, type ReadEvent, StreamReader } from '../support/event-client.js';
import { checked, type GameClient } from '../support/game-client.js';
import { field, RawConnection, requestBytes } from '../support/raw-connection.js';
import { ADMIN_KEY, begin, beginHeld, type Serving } from '../support/serving.js';
import { turns, until } from '../support/waiting.js';

/** A player who can start upgrades. */
async function reader({ client, play }: Serving, name = 'reader') {
  const { playerId, planetId } = await play.rich(name);
  const path = `/api/event/player/${playerId}`;
  const { lastSeq } = await client.read<EventPageBody>(path);
  const upgrade = () =>
    client.request('POST', '/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } });
  return { playerId, planetId, path, lastSeq, upgrade };
}

/** The present value of a metric. */
async function metric({ client }: Serving, name: string): Promise<number> {
  const { text } = await client.send('GET', '/metrics');
  return Number(new RegExp(`^galaxyd_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

async function untilMetric(serving: Serving, name: string, value: number): Promise<void> {
  while ((await metric(serving, name)) !== value);
}

/** Sends a request that the server holds. @param count long polls held then */
async function held(
  serving: Serving,
  path: string,
  count: number,
  lines: readonly string[] = [],
): Promise<RawConnection> {
  const connection = await RawConnection.open(serving.port);
  connection.send(requestBytes('GET', path, lines));
  await untilMetric(serving, 'event_long_polls_held', count);
  return connection;
}

/** The reply to a held request, which must be a page. */
async function page(path: string, connection: RawConnection): Promise<EventPageBody> {
  const { status, body } = checked('GET', path, await connection.reply());
  if (status !== 200) throw new Error(`${path} → ${status}`);
  return body as EventPageBody;
}

/** A player of a world with keys, and a client that sends its key. */
async function member({ client }: Serving, name: string): Promise<{ id: string; player: GameClient; key: string }> {
  const { id, apiKey } = await client.command<{ id: string; apiKey: string }>(
    '/api/game/player',
    { name, isBot: true },
    201,
  );
  return { id, player: client.as(apiKey), key: apiKey };
}

/** Bots with long names join. */
async function join({ admin }: Serving, letter: string, count: number): Promise<void> {
  await admin.command('/api/admin/players', { count, namePrefix: letter.repeat(48) }, 201);
}

/** The data of the chunks that have ended. */
function wholeChunks(text: string): string[] {
  const chunks: string[] = [];
  for (let at = 0; ; ) {
    const [line = '', digits = ''] = /^([0-9a-f]+)\r\n/i.exec(text.slice(at)) ?? [];
    const begin = at + line.length;
    const end = begin + Number.parseInt(digits, 16);
    if (text.slice(end, end + 2) !== '\r\n') return chunks;
    chunks.push(text.slice(begin, end));
    at = end + 2;
  }
}

t.test('a long poll waits for the next event, and for no longer than it asked', async (t) => {
  const serving = await begin(t);
  const { path, lastSeq, upgrade } = await reader(serving);
  const wanted = `${path}?since=${lastSeq}&wait=30`;
  const connection = await held(serving, wanted, 1);
  const { headers } = await upgrade();
  const reply = await connection.reply();
  t.match(JSON.parse(reply.body.toString()), {
    events: [{ seq: lastSeq + 1, type: 'building_started' }],
    lastSeq: lastSeq + 1,
  });
  t.equal(field(reply, 'x-world-time'), headers['x-world-time'], 'the time of the answer, not of the question');
  t.equal(await metric(serving, 'event_long_polls_held'), 0);
  connection.send(requestBytes('GET', `${path}?since=${lastSeq + 1}&wait=1`));
  t.same(await page(wanted, connection), { events: [], lastSeq: lastSeq + 1, oldestSeq: 1 });
  connection.close();
});

t.test('a poll that has nothing to wait for is answered at once', async (t) => {
  const serving = await begin(t);
  const { client } = serving;
  const { path, lastSeq } = await reader(serving);
  t.same(await client.read(`${path}?wait=30`), { events: [], lastSeq, oldestSeq: 1 }, 'without since');
  const all = await client.read<EventPageBody>(`${path}?since=0&wait=30`);
  t.same(
    all.events.map(({ seq }) => seq),
    Array.from({ length: lastSeq }, (_, index) => index + 1),
  );
  t.same((await client.read<EventPageBody>(`${path}?since=0&limit=1`)).events, all.events.slice(0, 1));
  t.equal((await client.request('HEAD', `${path}?since=${lastSeq}&wait=30`)).status, 200, 'HEAD');
  for (const since of [lastSeq + 1, 999_999_999_999_999]) {
    t.match(await client.refusal('GET', `${path}?since=${since}&wait=30`), { code: 'events_expired', oldestSeq: 1 });
  }
  for (const query of ['since=-1', 'since=x', 'since=1&wait=31', 'limit=0', 'limit=501', 'wait=0.5']) {
    t.match(await client.refusal('GET', `${path}?${query}`), { code: 'invalid_request' }, query);
  }
});

t.test('a batch may read events, but not wait for them', async (t) => {
  const serving = await begin(t);
  const { path, lastSeq } = await reader(serving);
  const operations = [`${path}?since=0`, `${path}?since=0&wait=1`, `${path}/stream`].map((path) => ({
    method: 'GET',
    path,
  }));
  const results = await serving.client.batch(operations);
  t.match(results, [
    { status: 200, body: { lastSeq } },
    { status: 400, body: { code: 'invalid_request', errors: [{ path: 'wait' }] } },
    { status: 404 },
  ]);
});

t.test('an idle player costs no body: 304, also after a wait', async (t) => {
  const serving = await begin(t);
  const { path, lastSeq, upgrade } = await reader(serving);
  const idle = `${path}?since=${lastSeq}`;
  const tag = (await serving.client.request('GET', idle)).headers['etag'] ?? '';
  const headers = { 'if-none-match': tag };
  t.equal((await serving.client.request('GET', idle, { headers })).status, 304);
  t.equal((await serving.client.request('GET', `${idle}&wait=1`, { headers })).status, 304);
  await upgrade();
  t.equal((await serving.client.request('GET', idle, { headers })).status, 200);
});

t.test('no event is shown before it is on disk, in either mode', async (t) => {
  for (const durability of ['durable', 'relaxed'] as const) {
    const serving = await beginHeld(t, { durability });
    const { path, playerId, lastSeq, upgrade } = await reader(serving);
    const connection = await held(serving, `${path}?since=${lastSeq}&wait=30`, 1);
    const stream = await StreamReader.open(serving.port, `${path}/stream?since=${lastSeq}`);
    serving.log.hold();
    const upgraded = upgrade();
    await until(() => serving.log.isWaiting);
    await turns();
    t.equal(connection.unread.length, 0, durability);
    t.same(await serving.client.read(path), { events: [], lastSeq, oldestSeq: 1 });
    if (durability === 'relaxed') {
      const { body, headers } = await serving.client.request('GET', `/api/game/state/${playerId}`);
      t.match(
        body,
        { lastEventSeq: lastSeq },
        'the state shows what is applied, but no seq of an event that may be lost',
      );
      serving.log.release();
      t.match((await page(path, connection)).events, [{ seq: lastSeq + 1 }]);
      const again = { headers: { 'if-none-match': headers['etag'] ?? '' } };
      t.match(await serving.client.request('GET', `/api/game/state/${playerId}`, again), {
        status: 200,
        body: { lastEventSeq: lastSeq + 1 },
      });
    } else {
      serving.log.release();
      t.match((await page(path, connection)).events, [{ seq: lastSeq + 1 }]);
    }
    t.equal((await stream.event()).seq, lastSeq + 1);
    t.equal((await upgraded).status, 200);
    connection.close();
    stream.close();
  }
});

t.test('a client that leaves leaves nothing behind', async (t) => {
  const serving = await begin(t);
  const { path, lastSeq, upgrade } = await reader(serving);
  for (const leave of ['leave', 'close'] as const) {
    const connection = await held(serving, `${path}?since=${lastSeq}&wait=30`, 1);
    connection[leave]();
    await untilMetric(serving, 'event_long_polls_held', 0);
    const stream = await StreamReader.open(serving.port, `${path}/stream`);
    await untilMetric(serving, 'event_streams', 1);
    stream.close();
    await untilMetric(serving, 'event_streams', 0);
  }
  t.equal((await upgrade()).status, 200, 'and nobody is missed');
});

t.test('a stopping server answers long polls at once, and ends streams', async (t) => {
  const serving = await begin(t);
  const { path, lastSeq } = await reader(serving);
  const wanted = `${path}?since=${lastSeq}&wait=30`;
  const connection = await held(serving, wanted, 1);
  // Its last byte comes when the server is stopping.
  const late = await RawConnection.open(serving.port);
  const lateRequest = requestBytes('GET', `${path}/stream`);
  late.send(Buffer.concat([requestBytes('GET', '/healthz'), lateRequest.subarray(0, -1)]));
  await late.reply();
  const stream = await StreamReader.open(serving.port, `${path}/stream`);
  t.equal((await stream.block())?.id, String(lastSeq));
  const stopped = serving.server.stop();
  late.send(lateRequest.subarray(-1));
  t.same(await page(wanted, connection), { events: [], lastSeq, oldestSeq: 1 });
  t.same(await stream.rest(), []);
  t.match(checked('GET', `${path}/stream`, await late.reply()).body, { code: 'shutting_down' });
  t.ok(await stopped, 'nobody is waited for');
});

t.test('the readers of one player are limited, and others do not notice', async (t) => {
  const serving = await begin(t);
  const { path, lastSeq, upgrade } = await reader(serving);
  const other = await reader(serving, 'other');
  const wanted = `${path}?since=${lastSeq}&wait=30`;
  const connections: RawConnection[] = [];
  while (connections.length < EVENT_READERS_PER_PLAYER_MAX) {
    connections.push(await held(serving, wanted, connections.length + 1));
  }
  const limit = { name: 'event_readers', maximum: EVENT_READERS_PER_PLAYER_MAX };
  for (const refused of [wanted, `${path}/stream`]) {
    t.match(await serving.client.refusal('GET', refused), { code: 'rate_limited', limit, retryAfterMs: 1_000 });
  }
  t.equal((await serving.client.request('GET', path)).status, 200, 'who does not wait takes no place');
  const stream = await StreamReader.open(serving.port, `${other.path}/stream`);
  t.equal(stream.status, 200);
  stream.close();
  connections.pop()?.leave();
  await untilMetric(serving, 'event_long_polls_held', connections.length);
  connections.push(await held(serving, wanted, EVENT_READERS_PER_PLAYER_MAX));
  await upgrade();
  for (const connection of connections) t.equal((await page(wanted, connection)).lastSeq, lastSeq + 1);
  for (const connection of connections) connection.close();
  t.equal((await serving.client.request('GET', `${path}/stream`)).status, 200, 'all places are free again');
});

t.test('a connection whose reply waits for events carries no other request', async (t) => {
  const serving = await begin(t);
  const { path, lastSeq } = await reader(serving);
  const connection = await held(serving, `${path}?since=${lastSeq}&wait=30`, 1);
  connection.send(requestBytes('GET', '/healthz'));
  t.equal((await connection.rest()).length, 0, 'closed without a reply');
  await untilMetric(serving, 'event_long_polls_held', 0);
});

t.test('a stream shows every event once, in order, and resumes after the last one', async (t) => {
  const serving = await begin(t);
  const { path, playerId, lastSeq } = await reader(serving);
  const grant = (): Promise<unknown> => serving.play.grant(`planet-1-0-26`, { iron: 1 });
  const expected = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
  const seqs = (events: readonly ReadEvent[]) => events.map(({ seq }) => seq);
  const first = await StreamReader.open(serving.port, `${path}/stream?since=0`);
  t.match(first.message.headers, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  t.same(await first.block(), { id: '0', event: '', data: '' }, 'a client that leaves now resumes from here');
  t.same(seqs(await first.events(lastSeq)), expected(1, lastSeq));
  for (let count = 0; count < 3; count += 1) await grant();
  t.same(seqs(await first.events(3)), expected(lastSeq + 1, 3));
  first.close();
  for (let count = 0; count < 3; count += 1) await grant();
  const headers = { 'last-event-id': String(lastSeq + 3) };
  const second = await StreamReader.open(serving.port, `${path}/stream?since=0`, headers);
  t.same(seqs(await second.events(3)), expected(lastSeq + 4, 3), 'Last-Event-ID takes precedence');
  second.close();
  const third = await StreamReader.open(serving.port, `${path}/stream`);
  t.equal((await third.block())?.id, String(lastSeq + 6), 'without since it begins after the last event');
  await grant();
  t.match(await third.event(), { seq: lastSeq + 7, playerId, type: 'resources_granted' });
  third.close();
  t.match(await serving.client.refusal('GET', `${path}/stream?since=99`), { code: 'events_expired', oldestSeq: 1 });
  const bad = await serving.client.request('GET', `${path}/stream`, { headers: { 'last-event-id': '7a' } });
  t.match(bad, { status: 400, body: { code: 'invalid_request', errors: [{ path: 'Last-Event-ID' }] } });
});

t.test('a client that reads whole chunks sees an event at once (RFC 9112, section 7.1)', async (t) => {
  const serving = await begin(t);
  const { path, upgrade } = await reader(serving);
  const connection = await RawConnection.open(serving.port);
  t.teardown(() => connection.close());
  connection.send(requestBytes('GET', `${path}/stream`));
  await until(() => connection.unread.includes('200 OK'));
  await upgrade();
  await until(() => connection.unread.includes('building_started'));
  await turns();
  const [, chunks = ''] = connection.unread.toString('latin1').split('\r\n\r\n', 2);
  t.match(wholeChunks(chunks).join(''), /^event: building_started$/m);
});

t.test('the world topic shows what is public, in an open world fleets too', async (t) => {
  const serving = await begin(t);
  const { client, play } = serving;
  const stream = await StreamReader.open(serving.port, '/api/event/world/stream?since=0');
  const { playerId, planetId } = await play.fleetOwner('sender', { transport: 1 });
  const targetPlanetId = await play.neighbour(planetId);
  const ships = [{ type: 'transport', count: 1 }];
  await client.command(`/api/game/planet/${targetPlanetId}/colonize`, { playerId }, 201);
  await play.launch({ playerId, originPlanetId: planetId, targetPlanetId, ships, mission: 'transport' });
  const types = (await stream.events(3)).map(({ type }) => type);
  t.same(types, ['player_joined', 'planet_colonized', 'fleet_launched']);
  const { events, lastSeq } = await client.read<EventPageBody>('/api/event/world?since=0');
  t.same(
    events.map(({ type }) => type),
    types,
  );
  t.equal(lastSeq, 3);
  stream.close();
});

t.test('with keys a player reads its own events, and everybody with a key the world topic', async (t) => {
  const serving = await begin(t, { auth: 'key', server: { spectatorKey: 'only-for-watching' } });
  const { client, admin } = serving;
  const [ada, bob] = [await member(serving, 'ada'), await member(serving, 'bob')];
  const own = `/api/event/player/${ada.id}?since=0`;
  t.match(await ada.player.read<EventPageBody>(own), { events: [{ type: 'player_created' }] });
  const spectator = client.as('only-for-watching');
  for (const path of [own, `/api/event/player/${ada.id}/stream`]) {
    t.match(await bob.player.refusal('GET', path), { code: 'not_owner' });
    for (const other of [client, spectator]) t.match(await other.refusal('GET', path), { code: 'unauthenticated' });
  }
  const world = '/api/event/world?since=0';
  for (const caller of [ada.player, bob.player, spectator, admin]) {
    t.match(await caller.read<EventPageBody>(world), {
      events: [{ type: 'player_joined' }, { type: 'player_joined' }],
    });
  }
  for (const path of [world, '/api/event/world/stream']) {
    t.match(await client.refusal('GET', path), { code: 'unauthenticated' });
    t.match(await client.as('only-for-watchin').refusal('GET', path), { code: 'unauthenticated' });
  }
  t.match(await spectator.refusal('GET', `/api/game/state/${ada.id}`), { code: 'unauthenticated' });
  t.match(await spectator.refusal('GET', '/api/admin/state-hash'), { code: 'unauthenticated' });
});

t.test('who loses its key, or is retired, reads no further event', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const { admin } = serving;
  const deeds = [
    ['unauthenticated', (id: string) => `/api/admin/player/${id}/key/revoke`],
    ['player_not_found', (id: string) => `/api/admin/player/${id}/retire`],
  ] as const;
  for (const [code, deed] of deeds) {
    const { id, player, key } = await member(serving, code);
    const path = `/api/event/player/${id}`;
    const { lastSeq } = await player.read<EventPageBody>(path);
    const authorization = `Bearer ${key}`;
    const connection = await held(serving, `${path}?since=${lastSeq}&wait=30`, 1, [`Authorization: ${authorization}`]);
    const stream = await StreamReader.open(serving.port, `${path}/stream`, { authorization });
    const world = await StreamReader.open(serving.port, '/api/event/world/stream', {
      authorization: `Bearer ${ADMIN_KEY}`,
    });
    await admin.command(deed(id));
    t.match(checked('GET', path, await connection.reply()).body, { code });
    const [begun, error] = await stream.rest();
    t.match(begun, { id: String(lastSeq) });
    t.equal(error?.event, 'error');
    t.match(JSON.parse(error?.data ?? ''), { code });
    connection.close();
    world.close();
  }
});

t.test('a client that reads late gets every event, as long as they are kept', async (t) => {
  const serving = await begin(t);
  const stream = await StreamReader.open(serving.port, '/api/event/world/stream?since=0');
  stream.message.pause();
  // Megabytes, but fewer events than a topic keeps.
  await join(serving, '€', 6_000);
  await join(serving, '¥', 3_000);
  const { lastSeq } = await serving.client.read<EventPageBody>('/api/event/world');
  t.equal(lastSeq, 9_000);
  stream.message.resume();
  const events = await stream.events(lastSeq);
  t.ok(events.every(({ seq }, index) => seq === index + 1));
  stream.close();
});

t.test('a reader that lags until its next event is no longer kept is cut off with the reason', async (t) => {
  const serving = await begin(t);
  const stream = await StreamReader.open(serving.port, '/api/event/world/stream?since=0');
  stream.message.pause();
  for (const letter of ['€', '¥', '£']) await join(serving, letter, 10_000);
  stream.message.resume();
  const blocks = await stream.rest();
  const last = blocks.at(-1);
  t.equal(last?.event, 'error');
  t.match(JSON.parse(last?.data ?? ''), { code: 'events_expired' });
  const ids = blocks.slice(1, -1).map(({ id }) => Number(id));
  t.ok(
    ids.every((id, index) => id === index + 1),
    'up to there nothing is missing',
  );
});
