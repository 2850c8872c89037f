// GET /metrics, as Prometheus reads it: every metric is there, means what it says and changes when it should; no client
// can make the text grow, and a scrape disturbs no other client.
import { spawnSync } from 'node:child_process';
import { on, once } from 'node:events';
import t from 'tap';
import { WebSocket } from 'ws';
import { COUNTERS, GAUGES, HISTOGRAMS } from '../../../http/pages/metric-table.js';
import { ROUTES } from '../../../http/routes/table.js';
import { RouteCounts } from '../../../http/server/request-counts.js';
import { WorldServer } from '../../../http/world-server.js';
import { openWorld } from '../../../persistence/open-world.js';
import { NO_SNAPSHOTS, type SnapshotReport } from '../../../persistence/upkeep/snapshot-keeper.js';
import { manifestAt } from '../../support/manifest.js';
import { MemoryStore } from '../../support/stores/memory-store.js';
import { StreamReader } from '../support/event-client.js';
import { GameClient, statusesOf } from '../support/game-client.js';
import { RawConnection, requestBytes } from '../support/raw-connection.js';
import { Scrape } from '../support/scrape.js';
import { begin, beginHeld, isNative, storeOnDisk } from '../support/serving.js';

t.test('every metric of the table is there with its help and its type, and so are those of the process', async (t) => {
  const { client } = await begin(t);
  await Scrape.of(client);
  const { families } = await Scrape.of(client);
  for (const [type, rows] of [
    ['counter', COUNTERS],
    ['gauge', GAUGES],
    ['histogram', HISTOGRAMS],
  ] as const) {
    for (const { name, help } of rows) t.match(families.get(`galaxyd_${name}`), { type, help }, name);
  }
  for (const { name } of COUNTERS) t.match(name, /_total$/);
  for (const name of [
    'galaxyd_event_loop_delay_seconds',
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'process_start_time_seconds',
    'nodejs_heap_size_used_bytes',
    'nodejs_gc_duration_seconds',
  ]) {
    t.ok(families.has(name), name);
  }
  const own = [...COUNTERS, ...GAUGES, ...HISTOGRAMS].map(({ name }) => `galaxyd_${name}`);
  for (const name of families.keys()) {
    const isKnown = own.includes(name) || name === 'galaxyd_event_loop_delay_seconds';
    t.ok(isKnown || /^(process|nodejs)_/.test(name), name);
  }
});

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;
const withoutPromtool = hasPromtool ? false : 'promtool is not installed (Debian: apt-get install prometheus)';
t.test('promtool finds no fault in it', { skip: withoutPromtool }, async (t) => {
  const { client, play } = await begin(t);
  await play.newcomer('Ada');
  await client.request('GET', '/metrics');
  const { text: input } = await client.request('GET', '/metrics');
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
  t.same([status, stdout, stderr], [0, '', '']);
});

t.test('it is text in the Prometheus format, with the headers of every reply', async (t) => {
  const { client } = await begin(t);
  const { headers, text } = await client.request('GET', '/metrics');
  t.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  const head = await client.request('HEAD', '/metrics');
  t.equal(head.text, '');
  t.ok(Math.abs(Number(head.headers['content-length']) - text.length) < 4_096, 'HEAD reports about the same length');
  t.equal((await client.request('GET', '/metrics?name=x')).status, 200, 'a query is ignored');
});

t.test('every client gets it, even without a key, and it names no player', async (t) => {
  const { client, play } = await begin(t, { auth: 'key' });
  await play.newcomer('somebody');
  const { text } = await client.request('GET', '/metrics');
  t.notMatch(text, /player-\d|planet-\d|fleet-\d|queue-\d|somebody/);
});

t.test('requests are counted by the template of the route, the method and the status', async (t) => {
  const { client, admin, play } = await begin(t);
  const { playerId, planetId } = await play.rich('ada');
  const before = await Scrape.of(client);
  const state = `/api/game/state/${playerId}`;
  const { headers } = await client.request('GET', state);
  await client.request('GET', state);
  await client.request('GET', state, { headers: { 'if-none-match': headers['etag'] as string } });
  await client.request('HEAD', state);
  await client.refusal('GET', '/api/game/state/player-999');
  await play.upgrade(planetId);
  await client.refusal('POST', '/api/building/upgrade', { planetId, buildingType: 'iron_mine' });
  await client.refusal('POST', '/api/building/upgrade', { planetId });
  await client.refusal('GET', '/nowhere');
  await client.refusal('POST', state, {});
  await client.send('DELETE', state);
  await client.send('PATCH', '/nowhere');
  await client.as('wrong').refusal('GET', '/api/admin/state-hash');
  await admin.refusal('POST', '/api/admin/clock/advance', { seconds: -1 });
  t.same((await Scrape.of(client)).growth('http_requests_total', before), {
    '{route="/api/game/state/:playerId",method="GET",code="200"}': 2,
    '{route="/api/game/state/:playerId",method="GET",code="304"}': 1,
    '{route="/api/game/state/:playerId",method="GET",code="404"}': 1,
    '{route="/api/game/state/:playerId",method="HEAD",code="200"}': 1,
    '{route="/api/building/upgrade",method="POST",code="200"}': 1,
    '{route="/api/building/upgrade",method="POST",code="400"}': 1,
    '{route="/api/building/upgrade",method="POST",code="409"}': 1,
    '{route="/api/admin/state-hash",method="GET",code="401"}': 1,
    '{route="/api/admin/clock/advance",method="POST",code="400"}': 1,
    '{route="unrouted",method="GET",code="404"}': 1,
    '{route="unrouted",method="POST",code="405"}': 1,
    '{route="unrouted",method="other",code="404"}': 1,
    '{route="unrouted",method="other",code="405"}': 1,
  });
});

t.test('every status that the route table knows is counted as itself', async (t) => {
  const statuses = new Set([304, ...ROUTES.flatMap(({ replies }) => statusesOf(replies))]);
  for (const status of statuses) {
    const { get } = new RouteCounts('/');
    get.answered(status, 1);
    get.visit((code, count) => t.same([code, count], [String(status), 1]));
  }
});

t.test('the duration of replies is counted by route, and adds up', async (t) => {
  const { client } = await begin(t);
  for (let count = 0; count < 5; count += 1) await client.read('/api/status');
  await client.request('HEAD', '/api/status');
  const scrape = await Scrape.of(client);
  t.equal(scrape.value('http_request_duration_seconds_count{route="/api/status"}'), 6);
  t.equal(scrape.value('http_request_duration_seconds_bucket{le="+Inf",route="/api/status"}'), 6);
  const sum = scrape.value('http_request_duration_seconds_sum{route="/api/status"}') ?? 0;
  t.ok(sum > 0 && sum < 60, `${sum} s`);
  t.equal(
    scrape.value('http_request_duration_seconds_count{route="/healthz"}'),
    undefined,
    'this route had no request',
  );
  t.not(scrape.value('http_request_duration_seconds_bucket{le="0.00025",route="/api/status"}'), undefined, '0.25 ms');
});

t.test('commands are counted by type and result, including those of a batch', async (t) => {
  const { client, play } = await begin(t);
  const { planetId } = await play.rich('ada');
  const before = await Scrape.of(client);
  const upgrade = { method: 'POST', path: '/api/building/upgrade', body: { planetId, buildingType: 'iron_mine' } };
  const operations = [upgrade, upgrade, { method: 'GET', path: '/api/status' }, { method: 'GET', path: '/metrics' }];
  const results = await client.batch(operations);
  t.same(statusesOf(results), [200, 409, 200, 404], 'the metrics themselves cannot be part of a batch');
  await play.newcomer('bob');
  await play.toNextTimer();
  const after = await Scrape.of(client);
  t.same(after.growth('engine_commands_total', before), {
    '{type="advance_time",result="accepted"}': 1,
    '{type="create_player",result="accepted"}': 1,
    '{type="upgrade_building",result="accepted"}': 1,
    '{type="upgrade_building",result="upgrade_in_progress"}': 1,
  });
  t.equal(after.value('http_requests_total{route="/api/batch",method="POST",code="200"}'), 1, 'as one request');
  t.equal(after.value('http_requests_total{route="/api/building/upgrade",method="POST",code="200"}'), undefined);
});

t.test('records of the log are counted with their entries and the time they took', async (t) => {
  const { client, play } = await begin(t, { store: await storeOnDisk(t) });
  await play.newcomer('ada');
  const before = await Scrape.of(client);
  const create = (name: string) => ({ method: 'POST', path: '/api/game/player', body: { name, isBot: true } });
  await client.command('/api/batch', { operations: ['bob', 'eve', 'dan'].map(create) });
  const after = await Scrape.of(client);
  const growth = (sample: string): number => (after.value(sample) ?? 0) - (before.value(sample) ?? 0);
  t.equal(growth('log_batch_entries_count'), 1);
  t.equal(growth('log_batch_entries_sum'), 3);
  t.equal(growth('log_batch_entries_bucket{le="2"}'), 0);
  t.equal(growth('log_batch_entries_bucket{le="4"}'), 1);
  t.equal(growth('log_flush_duration_seconds_count'), 1);
  t.ok(growth('log_flush_duration_seconds_sum') > 0);
  t.equal(after.value('seq'), 5);
  t.equal(after.value('durable_seq'), 5);
  t.ok((after.value('disk_free_bytes') ?? 0) > 0, 'the disk has room');
});

t.test('replies that wait for the disk are counted, and so are clients that leave before', async (t) => {
  const { client, log, port } = await beginHeld(t);
  log.hold();
  const leaver = await RawConnection.open(port);
  const stayer = await RawConnection.open(port);
  for (const [name, connection] of Object.entries({ leaver, stayer })) {
    connection.send(requestBytes('POST', '/api/game/player', [], JSON.stringify({ name, isBot: true })));
  }
  const held = await Scrape.until(client, (scrape) => scrape.value('replies_held') === 2);
  t.equal(held.value('seq'), 3);
  t.equal(held.value('durable_seq'), 1);
  t.equal(held.value('http_requests_in_flight'), 3, 'and the scrape itself');
  leaver.leave();
  const aborted = 'http_requests_total{route="/api/game/player",method="POST",code="aborted"}';
  await Scrape.until(client, (scrape) => scrape.value(aborted) === 1);
  log.release();
  t.equal((await stayer.reply()).status, 201);
  stayer.close();
  const after = await Scrape.of(client);
  t.equal(after.value('replies_held'), 0);
  t.equal(after.value('durable_seq'), 3);
  t.equal(after.value('http_requests_in_flight'), 1);
  t.equal(after.value('http_requests_total{route="/api/game/player",method="POST",code="201"}'), 1);
  t.equal(after.value(aborted), 1);
});

t.test('a request that is malformed is counted', async (t) => {
  const { client, port } = await begin(t);
  const connection = await RawConnection.open(port);
  connection.send('POST /api/batch HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n{}');
  await connection.rest();
  // Node's own parser refuses it before our code knows its route.
  const counted = isNative ? 'route="/api/batch",method="POST"' : 'route="unrouted",method="other"';
  t.equal((await Scrape.of(client)).value(`http_requests_total{${counted},code="400"}`), 1);
});

t.test('pending timers are counted', async (t) => {
  const { client, play } = await begin(t);
  const { planetId } = await play.rich('ada');
  t.equal((await Scrape.of(client)).value('timers_pending'), 0);
  await play.upgrade(planetId);
  t.equal((await Scrape.of(client)).value('timers_pending'), 1);
  await play.toNextTimer();
  const after = await Scrape.of(client);
  t.equal(after.value('timers_pending'), 0);
  t.equal(after.value('timer_lag_seconds'), 0, 'a timer is not late if the operator skips time');
});

t.test('readers of events are counted while they are open, and so is what they are sent', async (t) => {
  const { client, play, port } = await begin(t);
  const { id: playerId } = await play.newcomer('ada');
  const path = `/api/event/player/${playerId}`;
  const stream = await StreamReader.open(port, `${path}/stream?since=0`);
  await stream.event();
  const poll = client.request('GET', `${path}?since=1&wait=30`);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'galaxyd.v1');
  const frames = on(socket, 'message');
  await once(socket, 'open');
  socket.send(JSON.stringify({ op: 'subscribe', playerId }));
  const open = await Scrape.until(
    client,
    (scrape) => scrape.value('event_long_polls_held') === 1 && scrape.value('event_subscriptions') === 1,
  );
  t.equal(open.value('event_streams'), 1);
  t.equal(open.value('websocket_connections'), 1);
  await play.research(playerId);
  t.equal((await poll).status, 200);
  await stream.event();
  for await (const [bytes] of frames) if (String(bytes).startsWith('{"op":"event"')) break;
  const after = await Scrape.of(client);
  t.same(after.growth('events_delivered_total', open), {
    '{reader="long_poll"}': 1,
    '{reader="stream"}': 1,
    '{reader="socket"}': 1,
  });
  t.equal(after.value('event_long_polls_held'), 0);
  stream.close();
  socket.terminate();
  const isOver = (scrape: Scrape): boolean =>
    ['event_streams', 'websocket_connections', 'event_subscriptions'].every((name) => scrape.value(name) === 0);
  const { families } = await Scrape.until(client, isOver);
  const cuts = [...(families.get('galaxyd_event_readers_cut_off_total')?.samples.values() ?? [])];
  t.ok(cuts.length > 0 && cuts.every((count) => count === 0), 'they have left by themselves');
});

t.test('a reader that is cut off is counted with the reason', async (t) => {
  const { client, admin, port } = await begin(t, { auth: 'key' });
  const body = { name: 'ada', isBot: true };
  const { id, apiKey } = await client.command<{ id: string; apiKey: string }>('/api/game/player', body, 201);
  const headers = { authorization: `Bearer ${apiKey}` };
  const stream = await StreamReader.open(port, `/api/event/player/${id}/stream?since=1`, headers);
  await stream.block();
  const before = await Scrape.of(client);
  await admin.command(`/api/admin/player/${id}/key/revoke`);
  t.match((await stream.rest()).at(-1), { event: 'error', data: /"code":"unauthenticated"/ });
  t.same((await Scrape.of(client)).growth('event_readers_cut_off_total', before), { '{reason="unauthenticated"}': 1 });
});

t.test('snapshot metrics are those that the keeper reports, and absent if there are no snapshots', async (t) => {
  const world = await openWorld({ store: new MemoryStore(), clock: 'manual' });
  const report: { -readonly [K in keyof SnapshotReport]: SnapshotReport[K] } = { ...NO_SNAPSHOTS };
  const snapshots = { report, take: () => Promise.reject(new Error('not here')) };
  const server = await WorldServer.start({
    world: { ...world, snapshots },
    host: '127.0.0.1',
    port: 0,
    metricsMaxAgeMs: 0,
  });
  const client = new GameClient(server.port);
  t.teardown(async () => {
    client.close();
    await server.stop();
    await world.close();
  });
  const none = await Scrape.of(client);
  for (const name of ['snapshot_seq', 'snapshot_age_seconds', 'snapshot_duration_seconds']) {
    t.equal(none.value(name), undefined, name);
  }
  t.equal(none.value('snapshots_failed_total'), 0);
  t.equal(none.value('snapshot_is_late'), 0);

  report.newest = manifestAt(77, { createdAtMs: Date.now() - 90_000 });
  report.durationMs = 1_500;
  report.takenCount = 3;
  report.failedCount = 2;
  report.isLate = true;
  const some = await Scrape.of(client);
  t.equal(some.value('snapshot_seq'), 77);
  t.equal(some.value('snapshot_duration_seconds'), 1.5);
  t.ok((some.value('snapshot_age_seconds') ?? 0) >= 90);
  t.equal(some.value('snapshots_taken_total'), 3);
  t.equal(some.value('snapshots_failed_total'), 2);
  t.equal(some.value('snapshot_is_late'), 1);

  report.newest = manifestAt(77, { createdAtMs: Date.now() + 90_000 });
  report.durationMs = null;
  const strange = await Scrape.of(client);
  t.equal(strange.value('snapshot_age_seconds'), 0, 'a machine whose clock was set back');
  t.equal(strange.value('snapshot_duration_seconds'), undefined, 'another process made it');
});

t.test('a thousand unknown paths only raise a counter', async (t) => {
  const { client, play } = await begin(t);
  const { playerId } = await play.rich('ada');
  await client.refusal('GET', '/nowhere');
  await client.read(`/api/game/state/${playerId}`);
  await client.refusal('GET', '/api/game/state/nobody');
  await Scrape.of(client);
  const before = await Scrape.of(client);
  const paths = Array.from({ length: 1_000 }, (_, number) => `/${(number * 7_919).toString(36)}/marker-${number}`);
  await Promise.all(paths.map((path) => client.send('GET', path)));
  await Promise.all(paths.map((path) => client.send('GET', `/api/game/state${path.replaceAll('/', '-')}`)));
  await Promise.all(paths.map((path) => client.send('GET', `/api/game/state/x${path.replaceAll('/', '-')}`)));
  const { text } = await client.request('GET', '/metrics');
  t.notMatch(text, 'marker-');
  const after = Scrape.ofText(text);
  t.same(after.growth('http_requests_total', before), {
    '{route="unrouted",method="GET",code="404"}': 2_000,
    '{route="/api/game/state/:playerId",method="GET",code="404"}': 1_000,
  });
  t.equal(after.sampleCount, before.sampleCount);
});

t.test('a scrape reads no player, planet or fleet', async (t) => {
  const { client, admin, play, world } = await begin(t);
  await play.bots(5_000, 'bot');
  const { players, planets, fleets } = world.engine.world;
  let looks = 0;
  for (const [table, methods] of [
    [players, [Symbol.iterator, 'forEach', 'map', 'filter', 'entries', 'values', 'reduce']],
    [planets, ['values', 'get', 'has']],
    [fleets, [Symbol.iterator, 'forEach', 'entries', 'values', 'get']],
  ] as const) {
    for (const method of methods) {
      const original = Reflect.get(table, method) as (...rest: unknown[]) => unknown;
      Object.defineProperty(table, method, {
        configurable: true,
        value: (...rest: unknown[]) => {
          looks += 1;
          return original.apply(table, rest);
        },
      });
    }
  }
  const { seq } = await admin.read<{ seq: number }>('/api/admin/state-hash');
  t.ok(looks > 0, 'the hash of the state does read them');
  looks = 0;
  t.equal((await Scrape.of(client)).value('seq'), seq);
  t.equal(looks, 0);
});

t.test('many simultaneous scrapes are all answered and counted', async (t) => {
  const { client } = await begin(t);
  const replies = await Promise.all(Array.from({ length: 50 }, () => client.request('GET', '/metrics')));
  for (const { text } of replies) Scrape.ofText(text);
  const total = (await Scrape.of(client)).value('http_requests_total{route="/metrics",method="GET",code="200"}');
  t.equal(total, 50);
});

t.test('a metric that throws gives 500 and is reported as a bug, and the server goes on', async (t) => {
  const world = await openWorld({ store: new MemoryStore(), clock: 'manual' });
  const bugs: unknown[] = [];
  let isBroken = true;
  const snapshots = {
    get report() {
      if (isBroken) throw new Error('no report');
      return NO_SNAPSHOTS;
    },
    take: () => Promise.reject(new Error('not here')),
  };
  const onBug = (error: unknown): void => void bugs.push(error);
  const server = await WorldServer.start({
    world: { ...world, snapshots },
    host: '127.0.0.1',
    port: 0,
    metricsMaxAgeMs: 0,
    onBug,
  });
  const client = new GameClient(server.port);
  t.teardown(async () => {
    client.close();
    await server.stop();
    await world.close();
  });
  t.equal((await client.refusal('GET', '/metrics')).code, 'internal_error');
  t.match(bugs, [{ message: 'no report' }]);
  isBroken = false;
  t.equal((await Scrape.of(client)).value('snapshot_is_late'), 0);
  t.equal(bugs.length, 1);
});
