// Clients that break the protocol of the WebSocket, or never read: they lose their connection, or wait, and nobody else
// notices. A client that reads late gets every byte.
import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import {
  CALLS_PER_SOCKET_MAX,
  CLIENT_SILENCE_MS,
  NODE_PORTION_LENGTH_MAX,
  SOCKET_BACKLOG_LENGTH_MAX,
  SOCKET_BACKLOG_MAX,
  SOCKET_CONTROL_FRAMES_MAX,
  SOCKET_FRAME_BYTES_MAX,
  SOCKET_REFUSALS_MAX,
} from '../../../http/limits.js';
import { UNSENT_REPLIES } from '../../../http/server/body-budget.js';
import { FrameClient } from '../support/frame-client.js';
import { connected, RawConnection, requestBytes } from '../support/raw-connection.js';
import { begin, beginHeld, isNative, type Serving } from '../support/serving.js';
import { until } from '../support/waiting.js';

const MEBIBYTE = 1024 * 1024;
const NOT_SEEN = 'its library does not show unfinished frames';
const READS_ON = 'its library reads on until the client closes, and throws away what it reads';
const { port, play, client } = await begin(t);
const { planetId } = await play.rich('innocent');
const innocent = await FrameClient.open(port);
/** Path of a long reply: the state of a player with as many planets as one may have. */
const path = await pathOfLongReply({ client, port }, (await play.newcomer('emperor')).id);

/** The connection that nobody may harm still works. */
async function innocentPlays(t: Test): Promise<void> {
  const reply = await innocent.ask({ op: 'call', id: 1, method: 'GET', path: `/api/game/planet/${planetId}` });
  t.equal(reply.status, 200, 'others are served');
}

const UPGRADE = requestBytes('GET', '/ws', [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
]);

async function upgraded(): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  connection.send(UPGRADE);
  await connection.reply();
  return connection;
}

/** A frame as its bytes, masked with zeros (RFC 6455, section 5.2). */
function frameBytes(opcode: number, payload: Buffer, { isMasked = true, claimsBytes = payload.length } = {}): Buffer {
  const head = Buffer.alloc(10);
  head[0] = 0x80 | opcode;
  head[1] = (isMasked ? 0x80 : 0) | 127;
  head.writeBigUInt64BE(BigInt(claimsBytes), 2);
  return Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0), payload]);
}

/** The same with a length in 7 bits, as control frames must have it. */
function shortFrameBytes(opcode: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length]), Buffer.alloc(4), payload]);
}

/** What the close frame says at the end of what the server sent; 1005 if it is empty, 1006 if there is none. */
function closeOf(bytes: Buffer): { readonly code: number; readonly reason: string } {
  for (let start = 0; start + 1 < bytes.length; ) {
    const short = (bytes[start + 1] as number) & 0x7f;
    const payload = start + (short < 126 ? 2 : 4);
    const end = payload + (short < 126 ? short : bytes.readUInt16BE(start + 2));
    if (bytes[start] === 0x88 && short === 0) return { code: 1005, reason: '' };
    if (bytes[start] === 0x88)
      return { code: bytes.readUInt16BE(payload), reason: bytes.toString('utf8', payload + 2, end) };
    start = end;
  }
  return { code: 1006, reason: '' };
}

t.test('frames that the protocol forbids end their connection', async (t) => {
  const ping = Buffer.from('{"op":"ping"}');
  const rows: readonly (readonly [name: string, bytes: Buffer, code: number])[] = [
    // The difference "unmaskedFrames".
    ...(isNative ? [] : [['not masked', frameBytes(1, ping, { isMasked: false }), 1002] as const]),
    ['longer than a frame may be', frameBytes(1, Buffer.alloc(10), { claimsBytes: SOCKET_FRAME_BYTES_MAX + 1 }), 1009],
    ['of an absurd length', frameBytes(1, Buffer.alloc(10), { claimsBytes: 2 ** 40 }), 1009],
    ['of an unknown kind', frameBytes(7, ping), 1002],
    ['not UTF-8', frameBytes(1, Buffer.from([0xff, 0xfe])), 1007],
    ['a continuation of nothing', frameBytes(0, ping), 1002],
    ['a ping of more than 125 bytes', frameBytes(9, Buffer.alloc(126)), 1002],
  ];
  for (const [name, bytes, code] of rows) {
    const connection = await upgraded();
    connection.send(bytes);
    const { code: closeCode, reason } = closeOf(await connection.rest());
    // The difference "forbiddenFrames".
    t.equal(closeCode, isNative ? 1006 : code, name);
    t.equal(reason === '', isNative, 'with a reason');
  }
  const connection = await upgraded();
  connection.send(shortFrameBytes(8, Buffer.alloc(1)));
  t.equal(closeOf(await connection.rest()).code, isNative ? 1005 : 1002, 'a close frame of one byte');
  await innocentPlays(t);
});

t.test('clients that are gone before their upgrade is refused change nothing', async (t) => {
  const foreign = Buffer.from(UPGRADE.toString().replace('\r\n\r\n', '\r\nOrigin: http://foreign.example\r\n\r\n'));
  for (let count = 0; count < 50; count += 1) {
    const connection = await RawConnection.open(port);
    connection.send(foreign);
    if (count % 2 === 0) await connection.reply();
    connection.leave();
  }
  await innocentPlays(t);
});

t.test('frames that are not requests are refused, and only a flood of them ends the connection', async (t) => {
  const socket = await FrameClient.open(port);
  const texts = [
    '',
    'null',
    '[]',
    '1',
    '"call"',
    '{}',
    '{"op":"call"}',
    '{"op":{"a":1}}',
    '{"op":"__proto__"}',
    '['.repeat(SOCKET_FRAME_BYTES_MAX - 100),
  ];
  for (const text of texts) socket.webSocket.send(text);
  socket.webSocket.send(
    `{"op":"call","id":1,"method":"POST","path":"/api/game/player","body":${'[1,'.repeat(7_000)}1${']'.repeat(7_000)}}`,
  );
  t.match(await socket.take(({ op }) => op === 'reply'), { status: 400 }, 'deep JSON is only a wrong body');
  t.equal(socket.frames.filter(({ op }) => op === 'error').length, texts.length);
  socket.webSocket.send('{"op":"pi', { fin: false });
  socket.webSocket.send('ng","id":2}', { fin: true });
  t.match(await socket.take(({ id }) => id === 2), { op: 'pong' }, 'a frame may come in fragments');
  for (let twice = 0; twice < 2; twice += 1) socket.send({ op: 'ping', id: 3 });
  for (let twice = 0; twice < 2; twice += 1) t.match(await socket.take(({ id }) => id === 3), { op: 'pong' });
  for (let count = 0; count < SOCKET_REFUSALS_MAX; count += 1) socket.webSocket.send('garbage');
  t.equal(await socket.closed(), 1008);
  await innocentPlays(t);
});

t.test('pings are answered, and too many of them end their connection with a reason', async (t) => {
  const socket = await FrameClient.open(port);
  let pongs = 0;
  socket.webSocket.on('pong', () => {
    pongs += 1;
  });
  for (let count = 0; count < SOCKET_CONTROL_FRAMES_MAX; count += 1) socket.webSocket.ping('x'.repeat(125));
  await until(() => pongs === SOCKET_CONTROL_FRAMES_MAX);
  t.match(await socket.ask({ op: 'ping', id: 1 }), { op: 'pong' });
  for (const kind of ['ping', 'pong'] as const) {
    const flooding = await FrameClient.open(port);
    for (let count = 0; count <= SOCKET_CONTROL_FRAMES_MAX; count += 1) flooding.webSocket[kind]();
    t.equal(await flooding.closed(), 1008, kind);
    t.match(flooding.frames.at(-1), { op: 'error', problem: { code: 'rate_limited' } }, 'with a reason');
  }
  socket.close();
  await innocentPlays(t);
});

t.test(
  'a client that sends pings and reads nothing is cut off, half-open and half-sent connections wait',
  async (t) => {
    const pinging = await upgraded();
    pinging.pause();
    // The length of a control frame takes 7 bits.
    const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 100]), Buffer.alloc(4 + 100)]);
    const before = await cutOffCount('misbehaved');
    for (let count = 0; count < 100; count += 1) pinging.send(Buffer.concat(Array.from({ length: 100 }, () => ping)));
    const halfSent = await upgraded();
    halfSent.send(frameBytes(1, Buffer.alloc(10), { claimsBytes: 1_000 }));
    const halfOpen = await upgraded();
    halfOpen.pause();
    await innocentPlays(t);
    while ((await cutOffCount('misbehaved')) === before) await delay(20);
    for (const connection of [pinging, halfSent, halfOpen]) connection.leave();
    await innocentPlays(t);
  },
);

// The difference "unfinishedFrames".
t.test('a frame that is not complete in time ends its connection', { skip: isNative && NOT_SEEN }, async (t) => {
  const now = performance.now.bind(performance);
  t.teardown(() => {
    performance.now = now;
  });
  const halfSent = await upgraded();
  halfSent.send(frameBytes(1, Buffer.alloc(10), { claimsBytes: 1_000 }));
  await innocentPlays(t);
  performance.now = () => now() + CLIENT_SILENCE_MS;
  t.match((await halfSent.rest()).toString(), 'A frame is not complete after 10 seconds.');
  performance.now = now;
  await innocentPlays(t);
});

t.test('replies that become ready at once reach a client whole, however many there are', async (t) => {
  const held = await beginHeld(t);
  held.log.release();
  const { playerId, planetId } = await held.play.rich('ruler');
  const longPath = await pathOfLongReply(held, playerId);
  const { text } = await held.client.send('GET', longPath);
  const socket = await FrameClient.open(held.port);
  const portions = portionsOfNode(t);
  held.log.hold();
  const body = { planetId, buildingType: 'iron_mine' };
  socket.send({
    op: 'call',
    id: 'upgrade',
    method: 'POST',
    path: '/api/building/upgrade',
    body,
    prefer: 'return=minimal',
  });
  const count = CALLS_PER_SOCKET_MAX - 1;
  // More than the kernel and the library together would buffer.
  t.ok(count * text.length > 16 * MEBIBYTE, `${count * text.length} characters`);
  for (let id = 0; id < count; id += 1) socket.send({ op: 'call', id, method: 'GET', path: longPath });
  t.match(await socket.ask({ op: 'call', id: 'beyond', method: 'GET', path: longPath }), { status: 429 });
  socket.webSocket.pause();
  held.log.release();
  await until(() => UNSENT_REPLIES.used > 8 * MEBIBYTE);
  socket.webSocket.resume();
  for (let id = 0; id < count; id += 1) {
    t.equal((await socket.take((frame) => frame.id === id)).status, 200);
  }
  const longest = Math.max(...portions);
  t.ok(longest < NODE_PORTION_LENGTH_MAX + 1.1 * text.length, `${longest} bytes given at once to Node's server`);
  await until(() => UNSENT_REPLIES.used === 0);
  socket.close();
});

/** The bytes that a connection of Node has to write whenever it begins to; they are added as they come. */
function portionsOfNode(t: Test): number[] {
  const portions: number[] = [];
  const { uncork } = Socket.prototype;
  t.teardown(() => {
    Socket.prototype.uncork = uncork;
  });
  Socket.prototype.uncork = function (this: Socket): void {
    portions.push(this.writableLength);
    uncork.call(this);
  };
  return portions;
}

t.test('a client that does not read has its calls wait, and reads all replies later', async (t) => {
  const { text } = await client.send('GET', path);
  t.ok(text.length > 64 * 1024, `${text.length} characters`);
  const socket = await FrameClient.open(port);
  socket.webSocket.pause();
  for (let id = 0; id < REPLIES; id += 1) socket.send({ op: 'call', id, method: 'GET', path });
  // Each of them is rendered in a turn of its own, so that some seconds would fill the memory.
  await until(() => UNSENT_REPLIES.used > 0);
  await delay(200);
  t.ok(UNSENT_REPLIES.used <= 6 * MEBIBYTE, `${UNSENT_REPLIES.used} bytes wait for a client`);
  await innocentPlays(t);
  for (let id = 0; id < REPLIES; id += 1) {
    socket.webSocket.resume();
    const reply = await socket.take((frame) => frame.id === id);
    t.ok(JSON.stringify(reply.body) === text, 'the same bytes');
    socket.webSocket.pause();
  }
  await until(() => UNSENT_REPLIES.used === 0);
  socket.close();
});

t.test('a client that fills the room for frames that wait is closed in favour of others', async (t) => {
  const socket = await FrameClient.open(port);
  socket.webSocket.pause();
  for (let id = 0; id < REPLIES; id += 1) socket.send({ op: 'call', id, method: 'GET', path });
  await until(() => UNSENT_REPLIES.used > 0);
  const name = 'x'.repeat(SOCKET_FRAME_BYTES_MAX - 200);
  const long = { op: 'call', id: 2, method: 'POST', path: '/api/game/player', body: { name } };
  const count = Math.ceil(SOCKET_BACKLOG_LENGTH_MAX / name.length);
  for (let sent = 0; sent < count; sent += 1) socket.send(long);
  await until(() => socket.webSocket.bufferedAmount === 0);
  await delay(200);
  t.match(await innocent.ask(long), { status: 400 }, 'a long frame of another client is looked at');
  socket.webSocket.resume();
  t.ok((await socket.closed()) !== undefined);
  await until(() => UNSENT_REPLIES.used === 0);
  await innocentPlays(t);
});

/** A client that has asked for more than it reads, and then sends pings. */
async function withPings(count: number): Promise<FrameClient> {
  const socket = await FrameClient.open(port);
  socket.webSocket.pause();
  for (let id = 0; id < REPLIES; id += 1) socket.send({ op: 'call', id, method: 'GET', path });
  await until(() => UNSENT_REPLIES.used > 0);
  for (let id = 0; id < count; id += 1) socket.send({ op: 'ping', id: `ping-${id}` });
  return socket;
}

t.test('frames wait for a client that does not read, and each is answered', async (t) => {
  // Some of the calls may still wait.
  const count = SOCKET_BACKLOG_MAX - REPLIES;
  const socket = await withPings(count);
  socket.webSocket.resume();
  for (let id = 0; id < count; id += 1) await socket.take((frame) => frame.id === `ping-${id}`);
  for (let id = 0; id < REPLIES; id += 1) t.equal((await socket.take((frame) => frame.id === id)).status, 200);
  socket.close();
});

t.test('a client that sends more frames than may wait is closed', async (t) => {
  const before = await cutOffCount('misbehaved');
  const socket = await withPings(SOCKET_BACKLOG_MAX + 1);
  while ((await cutOffCount('misbehaved')) === before) await delay(50);
  socket.webSocket.resume();
  t.ok((await socket.closed()) !== undefined);
  await innocentPlays(t);
});

/** Fails on a server that goes on reading, and throwing away, what a closed client sends: it sends as fast as that reads. */
t.test('nothing more is read of a client that has sent too many frames', { skip: isNative && READS_ON }, async (t) => {
  const socket = await connected(port);
  socket.on('error', () => {});
  socket.write(UPGRADE);
  await once(socket, 'data');
  const isClosed = new Promise((resolve) => socket.once('close', resolve));
  const pings = Buffer.concat(
    Array.from({ length: 4 * SOCKET_BACKLOG_MAX }, () => frameBytes(1, Buffer.from('{"op":"ping"}'))),
  );
  const write = (): void => {
    if (!socket.destroyed) socket.write(pings, () => setImmediate(write));
  };
  socket.pause();
  write();
  await isClosed;
  t.ok(socket.bytesWritten - socket.writableLength < 32 * MEBIBYTE, 'no more than the buffers of the machine hold');
  await innocentPlays(t);
});

/** Together far more than the buffers of the machine hold. */
const REPLIES = 200;

/** How many connections the server has ended for a reason. */
async function cutOffCount(reason: string): Promise<number> {
  const { text } = await client.send('GET', '/metrics');
  return Number(
    new RegExp(`^galaxyd_event_readers_cut_off_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(text)?.[1],
  );
}

/** Gives a player as many planets as one may have. @returns the path of its state */
async function pathOfLongReply({ client, port }: Pick<Serving, 'client' | 'port'>, id: string): Promise<string> {
  const socket = await FrameClient.open(port);
  let systemIndex = 0;
  for (let planets = 0; planets < 300; ) {
    const system = await client.read<{ planets: { id: string; owner?: unknown }[] }>(
      `/api/game/galaxy/2/system/${systemIndex}`,
    );
    systemIndex += 1;
    const ids = system.planets.map((planet) => planet.id);
    planets += ids.length;
    await Promise.all(
      ids.map((planet) =>
        socket.ask({
          op: 'call',
          id: planet,
          method: 'POST',
          path: `/api/game/planet/${planet}/colonize`,
          body: { playerId: id },
        }),
      ),
    );
  }
  socket.close();
  return `/api/game/state/${id}`;
}
