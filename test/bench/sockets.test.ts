// The bench of WebSocket: its frames, how it joins the instants of commands and events, and that short runs measure what they
// say, with commands that succeed and readers that lose nothing.
import t from 'tap';
import { startEchoServer } from '../../bench/servers/peers.js';
import { CALL_MIXES } from '../../bench/sockets/call-client.js';
import { measureCalls } from '../../bench/sockets/call-loops.js';
import { FrameReader, frameBytes, OPCODES, textFrame } from '../../bench/sockets/frames.js';
import { eventLatencies, READER_FORM_NAMES, READER_FORMS } from '../../bench/sockets/read-world.js';
import { defaultTransport } from '../../http/server/native/native-library.js';
import { ONLY_LONG } from '../support/process/lengths.js';
import { bench } from './support/bench.js';

/** The echo is uWebSockets.js. */
const hasEcho = defaultTransport() === 'native';

/** Stands for wrk, whose own tests are in loads.test.ts. */
const INSTANT_LOOP = {
  loader: 'none',
  measure: async () => ({
    requestsPerSecond: 1_000,
    answered: 1_000,
    bytesPerReply: 1,
    failures: 0,
    p50Ms: 1,
    p99Ms: 1,
    p999Ms: 1,
    maxMs: 1,
  }),
};

/** What a server sends. */
function serverFrame(text: string): Buffer {
  const { length } = text;
  const head = length < 126 ? [0x81, length] : [0x81, 126, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), Buffer.from(text)]);
}

t.test('frames are found however their bytes are cut', async (t) => {
  const texts = ['a', 'b'.repeat(125), 'c'.repeat(126), 'd'.repeat(300), ''];
  const bytes = Buffer.concat(texts.map(serverFrame));
  const expected = texts.map((text) => `1 ${text}`).join();
  const wrong: number[] = [];
  for (let size = 1; size <= bytes.length; size += 1) {
    const found: string[] = [];
    const reader = new FrameReader((opcode, piece, start, end) => {
      found.push(`${opcode} ${piece.toString('utf8', start, end)}`);
    });
    for (let at = 0; at < bytes.length; at += size) reader.take(bytes.subarray(at, at + size));
    if (found.join() !== expected) wrong.push(size);
  }
  t.same(wrong, [], 'sizes of the pieces');
});

t.test('a frame of a client is masked with zeros; what no server sends ends the bench', async (t) => {
  t.same([...textFrame('hi')], [0x81, 0x82, 0, 0, 0, 0, 104, 105]);
  t.same([...textFrame('x'.repeat(200)).subarray(0, 8)], [0x81, 0xfe, 0, 200, 0, 0, 0, 0]);
  t.same([...frameBytes(OPCODES.continuation, 'hi', false).subarray(0, 2)], [0, 0x82], 'a fragment');
  // The head of a masked frame is enough to refuse it.
  const masked = textFrame('hi').subarray(0, 2);
  t.throws(() => new FrameReader(() => {}).take(masked), { message: /no whole, unmasked message/ });
  const fragment = Buffer.from([1, 1, 65]);
  t.throws(() => new FrameReader(() => {}).take(fragment), { message: /no whole/ }, 'a fragment');
  const reader = new FrameReader(() => {}, true);
  reader.take(Buffer.concat([fragment, Buffer.from([0x89, 0])]));
  t.throws(() => reader.take(fragment), { message: /mixed/ }, 'a message within another one');
});

t.test('the n-th command of a planet belongs to its n-th event', async (t) => {
  const at = (planetIndex: number, ...atMs: number[]) => ({ planetIndex, atMs });
  const dues = [at(0, 10, 20), at(3, 10), at(4, 50)];
  const replies = [at(0, 15, 25), at(3, 15), at(4, 55)];
  // Planet 4 lacks its event, and planet 7 was never commanded.
  const latencies = eventLatencies({ dues, replies }, [at(3, 16), at(0, 14, 26), at(7, 1)]);
  t.match(latencies, { dueP50Ms: 6, replyP50Ms: 1 });
  t.ok(latencies.replyP99Ms > 0.9 && latencies.dueP99Ms < 6.1);
});

t.test('every player is read once, by however many connections', async (t) => {
  const players = Array.from({ length: 50 }, (_, index) => ({ index, playerId: `player-${index}`, since: 7 }));
  for (const name of READER_FORM_NAMES) {
    const { connections, unread } = READER_FORMS[name];
    const lists = connections(players, 4);
    t.same(
      lists.flat().sort((a, b) => a.index - b.index),
      players,
      name,
    );
    t.equal(lists.length, name === 'single' ? 50 : 4, name);
    t.equal(unread(players, 4).length, name === 'unread' ? 40 : 0, name);
  }
});

t.test('calls are measured beside an echo, single requests and batches', { skip: ONLY_LONG }, async (t) => {
  const size = ['--players', '40', '--connections', '2', '--in-flight', '4', '--seconds', '0.1', '--rounds', '1'];
  const { rows, faults } = await bench(['call', 'upgrade-cancel', ...size], INSTANT_LOOP);
  t.equal(rows('calls').length, 5);
  t.same(faults, []);
  for (const row of rows('calls')) {
    const load = String(row['load']);
    t.ok(Number(row['commands/s']) > 0, load);
    t.equal(Number(row['to echo']) > 0, hasEcho && load.startsWith('call '), load);
  }
});

t.test('a refused call is a failure, and so is one without a reply', { skip: !hasEcho }, async (t) => {
  const { beginPath } = CALL_MIXES.ships;
  const request = JSON.stringify({ op: 'call', id: 1000, method: 'POST', path: beginPath });
  const reply = '{"op":"reply","id":1000,"status":404,"code":"planet_not_found"}';
  const places = { idAt: request.indexOf('1000'), replyIdAt: reply.indexOf('1000'), idLength: 4 };
  const markAt = request.indexOf(beginPath) + beginPath.lastIndexOf('/') + 1;
  const server = await startEchoServer({ ...places, markAt, replies: [{ mark: 'b', reply }] });
  t.teardown(() => server.stop());
  const task = { url: server.url, mix: 'ships', connections: 2, inFlight: 2, planetIds: ['1', '2', '3', '4'] } as const;
  const refused = await measureCalls({ ...task, seconds: 0.1 });
  t.match(refused, { accepted: 0, failures: refused.commandCount, firstFailure: reply });
  t.ok(refused.commandCount > 0);

  // It knows no request, so it answers nothing.
  const deaf = await startEchoServer({ ...places, markAt: 0, replies: [] });
  t.teardown(() => deaf.stop());
  const lost = await measureCalls({ ...task, url: deaf.url, seconds: 0.1, graceMs: 100 });
  t.match(lost, { accepted: 0, commandCount: 0, failures: 4, firstFailure: 'a call was not answered' });
});

t.test('readers get every event, and come back after a restart', async (t) => {
  // Every player alone on a connection is what comes after the restart.
  const size = ['--players', '40', '--connections', '3', '--seconds', '0.5', '--rounds', '1', '--rate', '400'];
  const { rows, faults } = await bench(['subscribers', 'unread', ...size], INSTANT_LOOP);
  t.same(faults, [], 'nothing is lost, nothing fails');
  t.match(rows('readers at most'), [{ 'lost events': 'none' }]);
  const [unread] = rows('readers of events');
  t.match(unread, { readers: 'unread', connections: 33, 'lost events': 'none', failures: 0 });
  for (const figure of ['events/s', 'due to event p50 ms', 'command p99 ms'])
    t.ok(Number(unread?.[figure]) > 0, figure);
  const [back] = rows('readers after a restart');
  t.match(back, { 'readers that come back at once after a restart': 40, 'lost events': 'none' });
  t.ok(Number(back?.['missed events']) > 0, 'something had been missed');
});

t.test('viewers of the map all get the same frames beside commands', { skip: ONLY_LONG }, async (t) => {
  const size = ['--viewers', '20', '--players', '40', '--seconds', '2', '--rounds', '1', '--rate', '200'];
  const { rows, faults } = await bench(['viewers', ...size], INSTANT_LOOP);
  t.same(faults, []);
  const [row] = rows('viewers of the map');
  for (const figure of ['frames/s of each', 'KiB/min of each', 'viewed: p99 ms'])
    t.ok(Number(row?.[figure]) > 0, figure);
});
