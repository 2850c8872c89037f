// The parts of the WebSocket that need no connection: how frames are gathered into writes. And the limits of time after which a
// connection without a key, or of a client that does not read, is closed.
import { mock } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import {
  KEYS_PER_SOCKET_MAX,
  NATIVE_CORK_BYTES_MAX,
  READER_STALL_MS,
  SOCKET_CLOSE_MS,
  SOCKET_HELLO_MS,
  STREAM_PART_BYTES_MAX,
} from '../../http/limits.js';
import { KeyRing } from '../../http/sockets/key-ring.js';
import { UNSENT_REPLIES } from '../../http/transport/byte-budget.js';
import { NativeSocket } from '../../http/transport/native-socket.js';
import { CLOSE_CODES, type FrameListener } from '../../http/transport/web-socket.js';
import { FrameClient } from './support/frame-client.js';
import { begin } from './support/serving.js';
import { until } from './support/waiting.js';

/** A native WebSocket that notes what is written: the messages, and the bytes of each cork. */
class NotedSocket {
  readonly messages: string[] = [];
  readonly writes: number[] = [];
  bufferedBytes = 0;
  closeCode: number | undefined;
  isDestroyed = false;
  #corkBytes = 0;
  #fragments: Buffer[] = [];

  send(message: string): void {
    this.messages.push(message);
    this.#corkBytes += Buffer.byteLength(message) + 10;
  }
  sendFirstFragment(part: Uint8Array): void {
    this.#fragments = [];
    this.sendFragment(part);
  }
  sendFragment(part: Uint8Array): void {
    this.#fragments.push(Buffer.from(part));
    this.writes.push(part.length + 10);
  }
  sendLastFragment(part: Uint8Array): void {
    this.sendFragment(part);
    this.messages.push(Buffer.concat(this.#fragments).toString());
  }
  cork(writes: () => void): void {
    this.#corkBytes = 0;
    writes();
    this.writes.push(this.#corkBytes);
  }
  getBufferedAmount(): number {
    return this.bufferedBytes;
  }
  end(code: number): void {
    this.closeCode = code;
  }
  close(): void {
    this.isDestroyed = true;
  }
}

const LISTENER: FrameListener = {
  received() {},
  controlled: () => true,
  lagged() {},
  late() {},
  drained() {},
  closed() {},
};
const HOST = { admit: () => '127.0.0.1', open: () => LISTENER };
const OPENING = { authorization: '', forwardedFor: '', address: '127.0.0.1', owner: '127.0.0.1' };

t.test('frames are gathered into writes that fit into the buffer of the library', async (t) => {
  const noted = new NotedSocket();
  const socket = new NativeSocket(noted, HOST, OPENING);
  const short = Array.from({ length: 40 }, (_, id) => `{"op":"reply","id":${id},"status":200}`);
  t.ok(socket.send(short));
  t.equal(noted.writes.length, 1, 'one write for what comes together');
  const frames = ['a'.repeat(2_000), 'ä'.repeat(2_000), ...short, 'long €'.repeat(200_000), 'b'.repeat(4_000), 'last'];
  noted.messages.length = 0;
  t.ok(socket.send(frames));
  t.strictSame(noted.messages, frames, 'in order and whole, however they are cut');
  t.ok(noted.writes.every((bytes) => bytes <= Math.max(NATIVE_CORK_BYTES_MAX, STREAM_PART_BYTES_MAX + 10)));
});

t.test('a connection is closed once its client has taken everything, or after a while', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const [slow, dead] = [new NotedSocket(), new NotedSocket()];
  for (const noted of [slow, dead]) {
    noted.bufferedBytes = 1;
    const socket = new NativeSocket(noted, HOST, OPENING);
    t.notOk(socket.send(['frame']), 'its client lags');
    socket.close(CLOSE_CODES.tryAgainLater, 'overloaded');
    t.notOk(socket.send(['more']), 'nothing follows');
    if (noted === slow) {
      noted.bufferedBytes = 0;
      socket.drained();
    }
  }
  await new Promise(setImmediate);
  t.equal(slow.closeCode, 1013);
  mock.timers.tick(SOCKET_CLOSE_MS);
  t.ok(dead.isDestroyed);
});

t.test('a connection has a bounded number of keys', async (t) => {
  const keys = new KeyRing();
  for (let number = 1; number <= KEYS_PER_SOCKET_MAX; number += 1) t.ok(keys.add(number, `hash-${number}`));
  t.notOk(keys.add(KEYS_PER_SOCKET_MAX + 1, 'one too many'));
  t.ok(keys.add(1, 'another key of a player that is known'));
  t.equal(keys.of(1), 'another key of a player that is known');
});

t.test('a connection without a key is closed after a while', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const { port } = await begin(t, { auth: 'key' });
  const socket = await FrameClient.open(port);
  mock.timers.tick(SOCKET_HELLO_MS);
  t.match(await socket.take(({ op }) => op === 'error'), { problem: { code: 'unauthenticated' } });
  t.equal(await socket.closed(), 1008);
});

t.test('a client that reads nothing for long is cut off with a reason', async (t) => {
  const { port, client } = await begin(t);
  const socket = await FrameClient.open(port);
  socket.webSocket.pause();
  for (let id = 0; id < 250; id += 1) socket.send({ op: 'call', id, method: 'GET', path: '/api/catalog' });
  await until(() => UNSENT_REPLIES.usedBytes > 0);
  const now = performance.now.bind(performance);
  performance.now = () => now() + READER_STALL_MS;
  t.teardown(() => {
    performance.now = now;
  });
  while (!(await client.send('GET', '/metrics')).text.includes(ONE_STALLED)) await delay(50);
  performance.now = now;
  socket.webSocket.resume();
  const code = await socket.closed();
  t.ok(code === 1013 || code === 1006, `closed with ${code}`);
  if (code === 1013) t.match(socket.frames.at(-1), { op: 'error', problem: { code: 'overloaded' } });
});

/** In /metrics. */
const ONE_STALLED = 'galaxyd_event_readers_cut_off_total{reason="stalled"} 1';
