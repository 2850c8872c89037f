// Many clients at a time that read nothing or never finish: the memory for all of them together is bounded, and replies
// without a body do not evade the bounds.
import t from 'tap';
import {
  BODILESS_REPLIES_PER_CLOSE,
  BODY_GRACE_MS,
  GATHERED_BODY_BYTES_MAX,
  UNSENT_REPLY_BYTES_MAX,
} from '../../../http/limits.js';
import { BodyBudget, ByteBudget, GATHERED_BODIES } from '../../../http/server/body-budget.js';
import { BodyReader } from '../../../http/server/body-reader.js';
import { type NativeResponse, NativeWire } from '../../../http/server/native/native-wire.js';
import type { ReplyHead } from '../../../http/server/wire.js';
import { checked } from '../support/game-client.js';
import { ConnectionEnded, field, RawConnection, requestBytes } from '../support/raw-connection.js';
import { begin, isNative } from '../support/serving.js';
import { turns, until } from '../support/waiting.js';

const { client, port } = await begin(t);
const MEBIBYTE = 1024 * 1024;
const LARGE = Buffer.alloc(2 * MEBIBYTE);
/** A path whose reply is written only as far as the socket takes it, and carries a tag. */
const DOCUMENT = '/api/catalog';
const document = await client.request('GET', DOCUMENT);
const tag = document.headers['etag'] ?? '';

const HEAD: ReplyHead = {
  owner: 'one client',
  status: 200,
  replyType: 'application/json',
  requestId: 'request',
  worldTime: '2000-01-01T00:00:00.000Z',
  worldSeq: -1,
  entityTag: '',
  extraHeaders: [],
  rateLimitPolicy: '',
  rateLimit: '',
  originHeaders: [],
};

/** A response whose client takes as many bytes as the test allows, and its state. */
class StuckResponse implements NativeResponse {
  allowedBytes = 0;
  isClosed = false;
  isEnded = false;
  #offset = 0;
  #onWritable: (offset: number) => boolean = () => true;

  writeStatus(): void {}
  writeHeader(): void {}
  write(): boolean {
    return true;
  }
  end(): void {
    this.isEnded = true;
  }
  getRemoteAddress(): ArrayBuffer {
    return new ArrayBuffer(4);
  }
  tryEnd(body: string | Uint8Array, totalBytes: number): [boolean, boolean] {
    const taken = Math.min(body.length, this.allowedBytes);
    this.allowedBytes -= taken;
    this.#offset += taken;
    this.isEnded = this.#offset === totalBytes;
    return [taken === body.length && this.allowedBytes > 0, this.isEnded];
  }
  getWriteOffset(): number {
    return this.#offset;
  }
  onWritable(handler: (offset: number) => boolean): void {
    this.#onWritable = handler;
  }
  endWithoutBody(): void {
    this.isEnded = true;
  }
  cork(writes: () => void): void {
    writes();
  }
  close(): void {
    this.isClosed = true;
  }
  drain(bytes: number): void {
    this.allowedBytes = bytes;
    this.#onWritable(this.#offset);
  }
}

t.test('unsent replies are bounded across all slow readers, and their bytes are released', async (t) => {
  const budget = new ByteBudget(UNSENT_REPLY_BYTES_MAX);
  const count = UNSENT_REPLY_BYTES_MAX / LARGE.length;
  const readers = Array.from({ length: count + 1 }, () => {
    const response = new StuckResponse();
    return { response, wire: new NativeWire(response, budget) };
  });
  // If a socket takes nothing at all, there are unread replies before this one.
  for (const [number, { wire, response }] of readers.entries()) {
    response.allowedBytes = 1;
    wire.end({ ...HEAD, owner: number }, LARGE, false);
  }
  t.equal(budget.usedBytes, UNSENT_REPLY_BYTES_MAX - count);
  await turns();
  t.same(
    readers.map(({ response }) => response.isClosed),
    [...Array(count).fill(false), true],
    'the one beyond the limit is closed',
  );
  const [leaver, reader] = readers;
  leaver?.wire.gone();
  t.equal(budget.usedBytes, UNSENT_REPLY_BYTES_MAX - count - (LARGE.length - 1));
  reader?.response.drain(MEBIBYTE);
  reader?.response.drain(2 * MEBIBYTE);
  t.equal(reader?.response.isEnded, true);
  t.equal(budget.usedBytes, UNSENT_REPLY_BYTES_MAX - count - 2 * (LARGE.length - 1));
  reader?.wire.gone();
  t.equal(budget.usedBytes, UNSENT_REPLY_BYTES_MAX - count - 2 * (LARGE.length - 1), 'once');
});

t.test('one client leaves half of the room for unsent replies to others', async (t) => {
  const budget = new ByteBudget(UNSENT_REPLY_BYTES_MAX);
  const send = (owner: string): StuckResponse => {
    const response = new StuckResponse();
    response.allowedBytes = 1;
    new NativeWire(response, budget).end({ ...HEAD, owner }, LARGE, false);
    return response;
  };
  const hoarded = Array.from({ length: UNSENT_REPLY_BYTES_MAX / LARGE.length }, () => send('hoarder'));
  const other = send('other');
  await turns();
  t.equal(hoarded.filter(({ isClosed }) => isClosed).length, hoarded.length / 2, 'its further replies are closed');
  t.equal(other.isClosed, false);
});

t.test('a large closing reply is kept within the same bound, and closes when it has been sent', async (t) => {
  const budget = new ByteBudget(UNSENT_REPLY_BYTES_MAX);
  const response = new StuckResponse();
  response.allowedBytes = 1;
  new NativeWire(response, budget).end(HEAD, LARGE, true);
  t.equal(budget.usedBytes, LARGE.length - 1);
  response.drain(MEBIBYTE);
  t.equal(response.isClosed, false);
  response.drain(2 * MEBIBYTE);
  await until(() => response.isClosed);
  t.equal(response.isEnded, false, 'by our code, because the library does not close');
});

t.test('a reply closes if the socket takes nothing of it: there are unread ones before it', async (t) => {
  for (const body of ['{}', LARGE]) {
    const response = new StuckResponse();
    const wire = new NativeWire(response);
    wire.end(HEAD, body, false);
    t.equal(response.isClosed, false, 'not within a callback of the library');
    t.equal(wire.isOver, false, 'so that an abort handler is attached');
    await turns();
    t.equal(response.isClosed, true);
  }
});

t.test('no reply counts as over before the library reports it', async (t) => {
  const response = new StuckResponse();
  response.allowedBytes = 1;
  const wire = new NativeWire(response);
  wire.end(HEAD, '{}', false);
  t.equal(wire.isOver, false, 'so that an abort handler is attached');
  response.drain(2);
  t.equal(response.isEnded, true);
});

t.test('some replies without a body close, at unpredictable intervals', async (t) => {
  const kinds: readonly [string, (wire: NativeWire) => void][] = [
    ['to HEAD', (wire) => wire.endWithoutBody(HEAD, 2, false)],
    ['304', (wire) => wire.endWithoutBody(HEAD, wire.needsLength ? 2 : null, false)],
  ];
  for (const [kind, send] of kinds) {
    const responses = Array.from({ length: 100 * BODILESS_REPLIES_PER_CLOSE }, () => new StuckResponse());
    for (const response of responses) send(new NativeWire(response));
    await turns();
    const due = responses.flatMap(({ isClosed }, index) => (isClosed ? [index] : []));
    t.ok(due.length > 30 && due.length < 300, `${kind}: ${due.length} of ${responses.length}`);
    t.ok(new Set(due.map((index, order) => index - (due[order - 1] ?? 0))).size > 5, 'at different distances');
  }
});

t.test('HEAD after HEAD: the native server closes', async (t) => {
  const connection = await RawConnection.open(port);
  const head = requestBytes('HEAD', DOCUMENT);
  connection.send(Buffer.concat([head, head]));
  // The difference "lateReplies".
  if (isNative) await t.rejects(connection.reply('HEAD'), ConnectionEnded);
  else for (let reply = 0; reply < 2; reply += 1) t.equal((await connection.reply('HEAD')).status, 200);
  const patient = await RawConnection.open(port);
  patient.send(head);
  t.equal(
    field(await patient.reply('HEAD'), 'content-length'),
    String(document.text.length),
    'a HEAD alone is answered',
  );
  patient.close();
});

t.test('304 has no length, or the right one if it ends the connection', async (t) => {
  let connection = await RawConnection.open(port);
  let ends = 0;
  for (let request = 0; request < 3_000 && ends < 2; request += 1) {
    connection.send(requestBytes('GET', DOCUMENT, [`If-None-Match: ${tag}`]));
    const reply = await connection.reply();
    const isLast = field(reply, 'connection') === 'close';
    const told = [reply.status, field(reply, 'content-type'), field(reply, 'content-length')];
    if (!t.same(told, [304, '', isLast ? String(document.text.length) : ''])) break;
    if (!isLast) continue;
    ends += 1;
    t.equal((await connection.rest()).length, 0);
    connection = await RawConnection.open(port);
  }
  // The difference "bodilessReplies". The chance that none of three thousand replies closes is one in a hundred
  // thousand.
  t.equal(ends > 0, isNative);
  connection.close();
});

t.test('a client that asks to close gets its reply and the end of the connection', async (t) => {
  const close = 'Connection: close';
  const requests: Readonly<Record<string, [method: string, path: string, lines: string[], status: number]>> = {
    small: ['GET', '/healthz', [close], 200],
    large: ['GET', DOCUMENT, [close], 200],
    HEAD: ['HEAD', DOCUMENT, [close], 200],
    '304': ['GET', DOCUMENT, [close, `If-None-Match: ${tag}`], 304],
    'an unknown path': ['GET', '/nowhere', [close], 404],
    'close in another spelling': ['GET', '/healthz', ['Connection: keep-alive, CLOSE'], 200],
  };
  for (const [what, [method, path, lines, status]] of Object.entries(requests)) {
    const connection = await RawConnection.open(port);
    connection.send(requestBytes(method, path, lines));
    const reply = await connection.reply(method);
    t.equal(reply.status, status, what);
    t.equal(field(reply, 'connection'), 'close');
    if (reply.status === 200 && method === 'GET') t.equal(reply.body.length, Number(field(reply, 'content-length')));
    t.equal((await connection.rest()).length, 0, 'the connection ends with nothing more');
  }
  const post = requestBytes('POST', '/api/game/player', [close], '{"name":"closer","isBot":true}');
  const connection = await RawConnection.open(port);
  connection.send(post);
  t.equal((await connection.reply()).status, 201);
  t.equal((await connection.rest()).length, 0);
});

t.test('a connection stays open unless the client asks to close it', async (t) => {
  const connection = await RawConnection.open(port);
  for (const lines of [[], ['Connection: keep-alive'], ['Connection: closed'], []]) {
    connection.send(requestBytes('GET', '/healthz', lines));
    t.not(field(await connection.reply(), 'connection'), 'close');
  }
  connection.close();
});

const BATCH = JSON.stringify({ operations: [{ method: 'GET', path: '/healthz' }] });
const batch = requestBytes('POST', '/api/batch', [], BATCH);

/** Sends the first of two pieces of a batch. */
async function sendInTwo(): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  connection.send(batch.subarray(0, batch.length - 5));
  return connection;
}

t.test('incomplete bodies are bounded across all connections', async (t) => {
  t.equal(GATHERED_BODIES.bytesMax, GATHERED_BODY_BYTES_MAX);
  // Other clients hold nearly all of the budget. An upload of the same client would give way to its next one after a
  // second.
  const others: BodyReader[] = [];
  for (let free = GATHERED_BODY_BYTES_MAX; free > 1; free = GATHERED_BODY_BYTES_MAX - GATHERED_BODIES.usedBytes) {
    const other = new BodyReader(`192.0.2.${others.length}`, GATHERED_BODY_BYTES_MAX, () => {});
    t.equal(other.take(new Uint8Array(Math.floor(free / 2)), false), null);
    others.push(other);
  }
  const refused = await sendInTwo();
  const reply = await refused.reply();
  t.match(checked('POST', '/api/batch', reply), { status: 503, body: { code: 'overloaded' } });
  t.equal(field(reply, 'connection'), 'close');
  t.equal((await refused.rest()).length, 0);
  for (const other of others) other.release();

  const finished = await sendInTwo();
  await until(() => GATHERED_BODIES.usedBytes > 0);
  finished.send(batch.subarray(batch.length - 5));
  t.equal((await finished.reply()).status, 200);
  t.equal(GATHERED_BODIES.usedBytes, 0);
  finished.close();
  const left = await sendInTwo();
  await until(() => GATHERED_BODIES.usedBytes > 0);
  left.leave();
  await until(() => GATHERED_BODIES.usedBytes === 0);
});

t.test('a growing body takes its bytes from the budget, and releases them once', async (t) => {
  const budget = new BodyBudget(2_000);
  const reader = readerOf('a', budget);
  t.equal(reader.take(new Uint8Array(300), false), null);
  t.equal(reader.take(new Uint8Array(300), false), null);
  t.ok(budget.usedBytes >= 600 && budget.usedBytes <= 800);
  t.equal((reader.take(new Uint8Array(200), true) as Uint8Array).length, 800);
  reader.release();
  reader.release();
  t.equal(budget.usedBytes, 0);
});

t.test('a client may hold at most as much as it leaves free, so that others always find room', async (t) => {
  const budget = new BodyBudget(1_000);
  t.equal(readerOf('a', budget).take(new Uint8Array(500), false), null);
  t.equal(readerOf('a', budget).take(new Uint8Array(1), false), 'overloaded');
  t.equal(readerOf('b', budget).take(new Uint8Array(250), false), null);
  t.equal(readerOf('c', budget).take(new Uint8Array(125), false), null);
  t.equal(budget.usedBytes, 875);
});

t.test('the slowest upload of a client gives way to its next one after a grace period', async (t) => {
  let nowMs = performance.now();
  const budget = new BodyBudget(1_000, () => nowMs);
  const evicted: string[] = [];
  const upload = (name: string, bytes: number): BodyReader => {
    const reader = new BodyReader('a', 800, () => void evicted.push(name), budget);
    reader.take(new Uint8Array(bytes), false);
    return reader;
  };
  upload('slow', 200);
  upload('less slow', 300);
  t.equal(readerOf('a', budget).take(new Uint8Array(100), false), 'overloaded', 'no upload is slow yet');
  nowMs += BODY_GRACE_MS + 1;
  t.equal(readerOf('a', budget).take(new Uint8Array(100), false), null);
  t.same(evicted, ['slow']);
  t.equal(budget.usedBytes, 400);
});

function readerOf(owner: string, budget: BodyBudget): BodyReader {
  return new BodyReader(owner, 800, () => {}, budget);
}
