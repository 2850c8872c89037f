// The parts of the WebSocket that need no connection: how frames are gathered into writes. And the limits of time after which a
// connection without a key, or of a client that does not read, is closed.

import { mock } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { SharedBudget } from '../../../http/admission/owners.js';
import {
  CONNECTIONS_PER_ADDRESS_MAX,
  EARLY_REFUSAL_DELAY_MS,
  GATHERED_BODY_BYTES_MAX,
  INLINE_TURN_MS,
  KEYS_PER_SOCKET_MAX,
  NATIVE_CORK_BYTES_MAX,
  READER_STALL_MS,
  SOCKET_BACKLOG_MAX,
  SOCKET_CLOSE_MS,
  SOCKET_CONTROL_FRAMES_MAX,
  SOCKET_FRAME_BYTES_MAX,
  SOCKET_HELLO_MS,
  STREAM_PART_BYTES_MAX,
  SUBSCRIPTIONS_MAX,
  UNSENT_REPLY_BYTES_MAX,
  WORK_SLICE_MS,
} from '../../../http/limits.js';
import { UNSENT_REPLIES } from '../../../http/server/body-budget.js';
import { NativeSocket } from '../../../http/server/native/native-socket.js';
import { CLOSE_CODES, type FrameListener, type FrameSocket } from '../../../http/server/web-socket.js';
import type { Connection } from '../../../http/sockets/connection.js';
import { KeyRing } from '../../../http/sockets/connection-state.js';

import type { Sockets } from '../../../http/sockets/sockets.js';
import { FrameClient } from '../support/frame-client.js';
import { servedSockets } from '../support/served-sockets.js';
import { begin } from '../support/serving.js';
import { turns, until } from '../support/waiting.js';

/** A native WebSocket that notes what is written: the messages, and the bytes of each cork. */
class NotedSocket {
  readonly messages: string[] = [];
  readonly writes: number[] = [];
  bufferedBytes = 0;
  /** True if each write leaves some bytes in the buffer of the library. */
  isKernelSlow = false;
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
    this.#wrote(part.length + 10);
  }
  sendLastFragment(part: Uint8Array): void {
    this.sendFragment(part);
    this.messages.push(Buffer.concat(this.#fragments).toString());
  }
  cork(writes: () => void): void {
    this.#corkBytes = 0;
    writes();
    this.#wrote(this.#corkBytes);
  }
  #wrote(bytes: number): void {
    this.writes.push(bytes);
    if (this.isKernelSlow) this.bufferedBytes += 1;
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
  received: () => null,
  controlled: () => null,
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

t.test('nothing is given to the library while it has unsent bytes', async (t) => {
  const noted = new NotedSocket();
  const socket = new NativeSocket(noted, HOST, OPENING);
  // The kernel takes the first portion of each write in part.
  noted.isKernelSlow = true;
  const frames = [
    'long'.repeat(10_000),
    ...Array.from({ length: 40 }, (_, id) => `frame ${id}`),
    'long'.repeat(10_000),
  ];
  t.notOk(socket.send([...frames]));
  t.equal(noted.writes.length, 1);
  t.notOk(socket.send(['behind']));
  t.ok(socket.unsentBytes > 70_000, `${socket.unsentBytes}`);
  for (let writes = noted.writes.length; ; writes += 1) {
    t.equal(noted.writes.length, writes);
    if (noted.messages.length === frames.length + 1) break;
    noted.bufferedBytes = 0;
    socket.drained();
    await turns();
  }
  t.strictSame(noted.messages, [...frames, 'behind']);
  noted.bufferedBytes = 0;
  t.equal(socket.unsentBytes, 0);
});

t.test('a client that sends too much is closed with a reason, before the library hands over the rest', async (t) => {
  const { sockets } = await servedSockets(t);
  const rows = [
    ['Too many frames', SOCKET_BACKLOG_MAX, (socket: NativeSocket) => socket.received(new ArrayBuffer(2), false)],
    ['Too many pings', SOCKET_CONTROL_FRAMES_MAX, (socket: NativeSocket) => socket.controlled('ping')],
  ] as const;
  for (const [detail, countMax, receive] of rows) {
    for (const bufferedBytes of [0, 1]) {
      const noted = new NotedSocket();
      const socket = new NativeSocket(noted, sockets, OPENING);
      for (let count = 0; count < countMax; count += 1) receive(socket);
      t.same([noted.closeCode, noted.isDestroyed], [undefined, false]);
      noted.bufferedBytes = bufferedBytes;
      receive(socket);
      if (bufferedBytes > 0) t.ok(noted.isDestroyed, 'one that does not read gets no reason');
      else {
        t.equal(noted.closeCode, 1008);
        t.match(noted.messages.at(-1), `"detail":"${detail}`);
      }
      socket.closed();
    }
  }
});

t.test('the longer frames are read, the fewer are handled in the same turn', async (t) => {
  const { sockets } = await servedSockets(t);
  let endMs = Number.NaN;
  const connection = {
    handleWaiting: (until: number) => {
      endMs = until - performance.now();
    },
  };
  sockets.arrived(connection as Connection);
  const readAtMs = performance.now() + INLINE_TURN_MS;
  while (performance.now() < readAtMs);
  await turns();
  t.ok(endMs <= WORK_SLICE_MS, `${endMs}`);
});

t.test('a client has as many connections as are free, and others find room', async (t) => {
  const places = new SharedBudget(16, 6);
  const openAll = (owner: string | number): number => {
    let count = 0;
    for (; places.hasRoom(owner); count += 1) places.take(owner);
    return count;
  };
  t.equal(openAll('one'), 6, 'the most that one may have');
  t.equal(openAll(2), 5, 'half of the rest');
  t.equal(openAll('three'), 3);
  places.give(2);
  t.equal(openAll('three'), 0);
  t.ok(places.hasRoom('four'));
  t.ok(CONNECTIONS_PER_ADDRESS_MAX * SOCKET_FRAME_BYTES_MAX <= GATHERED_BODY_BYTES_MAX, 'their frames are bounded');
});

t.test('one client or one key leaves WebSockets to others, also on the loopback interface', async (t) => {
  const { port, play, client } = await begin(t, { auth: 'key', server: { connectionsMax: 40, rateLimits: null } });
  const [one, two] = [await play.newcomer('one'), await play.newcomer('two')] as unknown as { apiKey: string }[];
  const open = async (key?: string) => FrameClient.open(port, key === undefined ? {} : { key }).catch(() => null);
  const sockets: FrameClient[] = [];
  for (let socket = await open(one?.apiKey); socket !== null; socket = await open(one?.apiKey)) sockets.push(socket);
  t.equal(sockets.length, 15);
  const other = await open(two?.apiKey);
  t.match(await other?.ask({ op: 'ping', id: 1 }), { op: 'pong' });
  const keyless = await open();
  t.match(await keyless?.ask({ op: 'hello', id: 2, key: one?.apiKey }), { problem: { code: 'rate_limited' } });
  t.equal(await keyless?.closed(), 1008);
  const refused = 'route="/ws",method="GET",code="429"} 1';
  t.match((await client.send('GET', '/metrics')).text, refused);
  for (const socket of [...sockets, other]) socket?.close();
});

t.test('of the connections of a client that does not read, the one with the most to be read gives way', async (t) => {
  const { sockets } = await servedSockets(t);
  const clients = [4, 8, 3].map((mebibytes) => new Unread(sockets, mebibytes * 1024 * 1024));
  for (const { listener } of clients) listener.lagged();
  t.equal(UNSENT_REPLIES.used, 15 * 1024 * 1024, 'nearly half of all');
  const last = new Unread(sockets, 5 * 1024 * 1024);
  last.listener.lagged();
  t.strictSame(
    [...clients, last].map(({ isDestroyed }) => isDestroyed),
    [false, true, false, false],
  );
  for (const { listener } of [...clients, last]) listener.closed();
  t.equal(UNSENT_REPLIES.used, 0);
});

t.test('many connections of a client, each with little to be read, leave room to others', async (t) => {
  const { sockets } = await servedSockets(t);
  const hoard = Array.from({ length: 300 }, () => new Unread(sockets, 256 * 1024));
  for (const { listener } of hoard) listener.lagged();
  t.equal(UNSENT_REPLIES.used, UNSENT_REPLY_BYTES_MAX / 2);
  const other = new Unread(sockets, 2 * 1024 * 1024, { ...OPENING, address: '127.0.0.2', owner: '127.0.0.2' });
  other.listener.lagged();
  t.notOk(other.isDestroyed);
  t.equal(UNSENT_REPLIES.used, UNSENT_REPLY_BYTES_MAX / 2 + 2 * 1024 * 1024);
  for (const { listener } of [...hoard, other]) listener.closed();
  t.equal(UNSENT_REPLIES.used, 0);
});

t.test('one client leaves subscriptions to others', async (t) => {
  const { sockets } = await servedSockets(t);
  const { subscriptionPlaces } = sockets;
  const begun = new Read(sockets);
  begun.subscribe();
  await until(() => begun.frames.length === 2);
  for (; subscriptionPlaces.hasRoom(OPENING.owner); subscriptionPlaces.take(OPENING.owner));
  t.equal(subscriptionPlaces.shareMax, SUBSCRIPTIONS_MAX / 2);
  const further = [{ topic: 'map' }, { topic: 'world' }].map((topic) => {
    const [own, other] = [
      new Read(sockets),
      new Read(sockets, { ...OPENING, address: '127.0.0.2', owner: '127.0.0.2' }),
    ];
    own.subscribe(topic);
    other.subscribe(topic);
    return { own, other };
  });
  await until(() => further.every(({ own, other }) => own.frames.length === 2 && other.frames.length === 2));
  for (const { own, other } of further) {
    const limit = { name: 'subscriptions_per_client', maximum: Number };
    t.match(own.frames[1], { op: 'error', problem: { code: 'rate_limited', limit } });
    t.match(other.frames[1], { op: 'subscribed' });
  }
  for (const { listener } of [begun, ...further.map(({ other }) => other)]) listener.closed();
  t.ok(subscriptionPlaces.hasRoom(OPENING.owner), 'connections give back their places');
});

t.test('if the queue is full of other work, a call is refused as overloaded', async (t) => {
  const { sockets } = await servedSockets(t);
  let isDone = false;
  const endless = { isDone: false, step: () => isDone, failed: () => {} };
  for (let owner = 1; sockets.work.add(owner, endless); owner += 1);
  const client = new Read(sockets);
  client.unsentBytes = 1;
  await until(() => client.frames.length === 1);
  client.listener.received('{"op":"call","id":1,"method":"GET","path":"/api/status"}');
  client.unsentBytes = 0;
  client.listener.drained();
  await until(() => client.frames.length === 2);
  t.match(client.frames[1], { op: 'reply', id: 1, status: 503, body: { code: 'overloaded' } });
  isDone = true;
  await until(() => sockets.work.size === 0);
});

t.test('a client that ignores refusals on many connections loses one after the other', async (t) => {
  mockTimeouts(t);
  const rateLimits = { perSecond: 0.01, burst: 100 };
  const { port, play } = await begin(t, { auth: 'key', server: { rateLimits } });
  const [one, two] = [await play.newcomer('one'), await play.newcomer('two')] as unknown as { apiKey: string }[];
  const open = (player?: { apiKey: string }) => FrameClient.open(port, { key: player?.apiKey ?? '' });
  const sockets = [await open(one), await open(one), await open(one)];
  const sentCount = 450;
  for (const socket of sockets) for (let id = 0; id < sentCount; id += 1) socket.send({ op: 'ping', id });
  t.equal(await Promise.race(sockets.map((socket) => socket.closed())), 1008);
  const isOpen = ({ closeCode }: FrameClient): boolean => closeCode === undefined;
  const waited = sockets.find(isOpen) as FrameClient;
  t.ok(waited, 'as long as its refusals wait, a connection stays');
  const other = await open(two);
  t.match(await other.ask({ op: 'ping', id: 1 }), { op: 'pong' });
  await until(() => {
    mock.timers.tick(EARLY_REFUSAL_DELAY_MS);
    return !isOpen(waited) || waited.frames.length > sentCount;
  });
  t.match(waited.frames.at(-1), { problem: { code: 'rate_limited', limit: { name: 'requests' } } });
  for (const socket of [...sockets, other]) socket.close();
});

/**
 * Mocks timers until the end of the test. Connections that end when the server stops clear their timeouts shortly afterwards. Node must
 * still mock them then: it would clear a timeout of the next test in their place.
 */
function mockTimeouts(t: Test): void {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(async () => {
    await turns();
    mock.timers.reset();
  });
}

/** A connection whose client reads everything. */
class Read implements FrameSocket {
  readonly listener: FrameListener;
  unsentBytes = 0;
  readonly frames: unknown[] = [];

  constructor(sockets: Sockets, opening = OPENING) {
    this.listener = sockets.open(this, opening);
  }

  subscribe(topic: object = { topic: 'map' }): void {
    this.listener.received(JSON.stringify({ op: 'subscribe', ...topic }));
  }
  send(frames: readonly string[]): boolean {
    this.frames.push(...frames.map((frame) => JSON.parse(frame) as unknown));
    return this.unsentBytes === 0;
  }
  close(): void {}
  destroy(): void {}
}

/** A connection whose client has not read the answers to its pings. */
class Unread implements FrameSocket {
  readonly listener: FrameListener;
  isDestroyed = false;

  constructor(
    sockets: Sockets,
    readonly unsentBytes: number,
    opening = OPENING,
  ) {
    this.listener = sockets.open(this, opening);
  }

  send(): boolean {
    return false;
  }
  close(): void {}
  destroy(): void {
    this.isDestroyed = true;
  }
}

t.test('a connection is closed once its client has taken everything, or after a while', async (t) => {
  mockTimeouts(t);
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
  mockTimeouts(t);
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
  await until(() => UNSENT_REPLIES.used > 0);
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

/** A line of /metrics. */
const ONE_STALLED = 'galaxyd_event_readers_cut_off_total{reason="stalled"} 1';
