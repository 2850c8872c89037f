// The hostile bench: its table of loads, its counting of replies, and that a short run measures what it says.
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { type HostileResult, type HostileTask, Payload } from '../../bench/hostile/hostile-client.js';
import { HOSTILE_LOADS, HOSTILE_NAMES, type HostileName, largeBatch } from '../../bench/hostile/hostile-loads.js';
import { upgradesAndCancels } from '../../bench/hostile/innocent-client.js';
import { ReplyReader, renderRequest } from '../../bench/loads/load-connection.js';
import { startStay } from '../../bench/processes/child-measurement.js';
import type { Row } from '../../bench/runner/table.js';
import { failuresText, repliesTo } from '../../bench/scenarios/hostile.js';
import { postRequest } from '../../bench/servers/game-client.js';
import { BATCH_BODY_BYTES_MAX, BATCH_OPERATIONS_MAX } from '../../http/limits.js';
import { begin } from '../http/support/serving.js';
import { ONLY_LONG } from '../support/process/lengths.js';
import { bench } from './support/bench.js';

const NAMES = { playerId: 'player-1', settlerId: 'player-2', planetIds: ['planet-1-0-26', 'planet-1-0-27'] } as const;
const HOSTILE_CLIENT = new URL('../../bench/hostile/hostile-client.js', import.meta.url);
/** Longer than the tests take: the load is asked to finish before. */
const SECONDS_MAX = 60;
/** What /metrics must say of most loads: connections are cut off. */
const CUT_OFF = /^galaxyd_event_readers_cut_off_total\{reason="misbehaved"\} [1-9]/m;
/** And of the other ones. */
const METRIC_OF_LOAD: Partial<Record<HostileName, RegExp>> = {
  'sockets-costly-calls': /^galaxyd_websocket_calls_total\{.*\/api\/game\/state.*\} [1-9]\d\d+$/m,
  'sockets-slow-frames': /^galaxyd_websocket_connections 980$/m,
  'sockets-catch-ups': /^galaxyd_websocket_connections 600$/m,
  'sockets-held': /^galaxyd_http_requests_total\{.*"\/ws".*"429"\} [1-9]/m,
};

t.test('replies are counted however their bytes are cut, pipelined and without a body', async (t) => {
  const text = [
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
    'HTTP/1.1 304 Not Modified\r\n\r\n',
    'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 17\r\n\r\nHTTP/1.1 200 OK\r\n',
    'HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n',
  ].join('');
  for (let size = 1; size <= text.length; size += 1) {
    const statuses: number[] = [];
    const counter = new ReplyReader({ isPipelined: true });
    for (let at = 0; at < text.length; at += size)
      counter.take(Buffer.from(text.slice(at, at + size)), ({ status }) => statuses.push(status));
    t.same(statuses, [200, 304, 503, 201], `in pieces of ${size} bytes`);
  }
  const partial = new ReplyReader({ isPipelined: true });
  partial.take(Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhell'), () => t.fail('it is incomplete'));
  t.throws(() => new ReplyReader({ isPipelined: true }).take(Buffer.from('HTTP/1.1 200 OK\r\n\r\nbody'), () => {}), {
    message: /length/,
  });
});

t.test('every load is within the limits of a request, so that nothing but its cost can refuse it', async (t) => {
  for (const name of HOSTILE_NAMES) {
    const load = HOSTILE_LOADS[name];
    const { body } = 'request' in load ? load.request(NAMES) : {};
    if (body === undefined || !body.includes('operations')) continue;
    t.ok(Buffer.byteLength(body) <= BATCH_BODY_BYTES_MAX, `${name}: ${body.length} bytes`);
    const { operations } = JSON.parse(body) as { operations: unknown[] };
    t.ok(operations.length <= BATCH_OPERATIONS_MAX, `${name}: ${operations.length} operations`);
  }
  const shapeErrors = HOSTILE_LOADS['shape-errors'].request(NAMES).body?.length ?? 0;
  t.ok(Math.abs(shapeErrors - 605_000) < 50_000, `${shapeErrors} bytes, about those of the report`);
  t.equal(largeBatch(NAMES.settlerId).body?.length, 605_000);
});

t.test('each write of creations has names that no other one has, and stays a whole request', async (t) => {
  const payload = new Payload(renderRequest(HOSTILE_LOADS['batch-creations'].request(), 'host'));
  const [first, second] = [payload.next(), payload.next()].map(namesIn);
  t.equal(first?.length, 1_000);
  t.equal(new Set([...(first ?? []), ...(second ?? [])]).size, 2_000);
  const plain = Buffer.from('GET / HTTP/1.1\r\n\r\n');
  t.equal(new Payload(plain).next(), plain, 'what has no mark is not copied');
});

function namesIn(request: Buffer): string[] {
  const body = request.toString().split('\r\n\r\n')[1] ?? '';
  const { operations } = JSON.parse(body) as { operations: { body: { name: string } }[] };
  return operations.map(({ body: { name } }) => name);
}

t.test('the innocent client cancels what it began, and leaves a planet on which something failed', async (t) => {
  const upgrades = ['planet-1', 'planet-2'].map((planetId) => {
    return { ...postRequest('/api/building/upgrade', { planetId }), headers: { authorization: `of ${planetId}` } };
  });
  const next = upgradesAndCancels(upgrades);
  const planetOf = (body: string | undefined) => JSON.parse(body ?? '') as { planetId: string };
  const begun = { status: 200, body: Buffer.from('{"id":"planet-1","queue":[{"queueId":"queue-7"}]}') };
  t.match(next(undefined), { path: '/api/building/upgrade', body: /planet-1/ });
  t.match(next(begun), {
    path: '/api/building/cancel',
    body: /queue-7/,
    headers: { authorization: 'of planet-1' },
  });
  t.match(next({ status: 200, body: Buffer.from('{"id":"planet-1"}') }), { path: '/api/building/upgrade' });
  const refused = next({ status: 409, body: Buffer.from('{}') });
  t.equal(planetOf(refused.body).planetId, 'planet-2', 'after a refusal');
  t.equal(planetOf(next(undefined).body).planetId, 'planet-1', 'after a broken connection');
});

t.test('failures are those of the innocent client, with large batches and how the server ended', async (t) => {
  const waits = { samples: 40, failures: 1, p50Ms: 7, p99Ms: 81, maxMs: 93 };
  const both = { read: waits, command: { ...waits, failures: 2 } };
  t.equal(failuresText(both, undefined), '3 of 80');
  const ended = failuresText({ ...both, largeBatch: { ...waits, failures: 40 } }, 'SIGABRT');
  t.equal(ended, '3 of 80; of large batches 40 of 40; the server ended with SIGABRT');
});

t.test('the hostile client is limited as far as its replies are 429', async (t) => {
  const result = { seconds: 5, statuses: { 200: 617, 429: 5553 }, closed: 7, processorSeconds: 1 };
  t.same(repliesTo(result), { 'hostile replies/s': 1_234, 'limited %': 90, closed: 7 });
  t.match(repliesTo({ ...result, statuses: {} }), { 'limited %': null });
});

t.test('the server sees of each hostile WebSocket what its row says', async (t) => {
  for (const name of HOSTILE_NAMES.filter((one) => 'frame' in HOSTILE_LOADS[one])) {
    const { port, client, play, close } = await begin(t);
    const { id: settlerId } = await play.newcomer('settler');
    const task: HostileTask = {
      url: `http://127.0.0.1:${port}`,
      ...{ name, names: { ...NAMES, settlerId }, headers: {}, localAddress: '127.0.0.1', secondsMax: SECONDS_MAX },
    };
    const stay = await startStay<HostileTask, HostileResult>(HOSTILE_CLIENT, task);
    const seen = METRIC_OF_LOAD[name] ?? CUT_OFF;
    while (!seen.test((await client.send('GET', '/metrics')).text)) await delay(50);
    const { statuses, closed } = await stay.leave();
    t.pass(`${name}: ${seen}`);
    if (name === 'sockets-costly-calls') t.match({ statuses, closed }, { statuses: { 200: Number }, closed: 0 });
    await close();
  }
});

t.test(
  'a short run measures each row against servers of its own, idle first and last',
  { skip: ONLY_LONG },
  async (t) => {
    const words = ['hostile', 'reads', 'slow-uploads', '--limits', 'on', '--seconds', '0.5'];
    const { rows, faults, notes, lines } = await bench(words);
    const measured = rows('an innocent client beside a hostile one');
    t.match(notes[0], /0\.5 s each/);
    t.same(
      measured.map(({ hostile, limits }) => `${hostile} ${limits}`),
      ['idle on', 'reads on', 'slow-uploads on', 'idle on'],
    );
    for (const row of measured) requirePlausible(t, row);
    t.same(faults, [], 'the servers live, and nothing of the innocent fails beside nothing');
    const [idle, reads, uploads] = measured;
    t.match([idle?.['hostile replies/s'], idle?.['limited %']], [null, null]);
    t.match(reads?.['failures'], /^0 of /);
    const limited = Number(reads?.['limited %']);
    t.ok(limited > 0 && limited < 100, `the hostile client is limited: ${limited} %`);
    t.match(uploads?.['failures'], /of large batches \d+ of [1-9]/);
    t.match(lines.at(-1), /100 %/);
  },
);

function requirePlausible(t: Test, row: Row): void {
  t.match(row['failures'], /^\d+ of [1-9]/, `${row['hostile']}: samples`);
  for (const what of ['GET', 'command']) {
    const [p50, p99, max] = ['p50', 'p99', 'max'].map((name) => Number(row[`${what} ${name} ms`]));
    t.ok(Number(p50) > 0 && Number(p50) <= Number(p99) && Number(p99) <= Number(max), `${row['hostile']}: ${what}`);
  }
}
