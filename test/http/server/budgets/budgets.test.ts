// Clients that read nothing or never finish, without a server: the memory for all of them together is bounded, one of them leaves room to
// others, and replies without a body do not evade the bounds. In a folder of its own, because the transport of the run does not matter.

import { Socket } from 'node:net';
import t from 'tap';
import { SharedBudget } from '../../../../http/admission/owners.js';
import { BODILESS_REPLIES_PER_CLOSE, BODY_GRACE_MS, UNSENT_REPLY_BYTES_MAX } from '../../../../http/limits.js';
import { BodyBudget, BodyReader } from '../../../../http/server/body-budget.js';
import { type NativeResponse, NativeWire } from '../../../../http/server/native/native-wire.js';
import { NodeConnection } from '../../../../http/server/node/node-connection.js';
import { type NodeResponse, NodeWire } from '../../../../http/server/node/node-wire.js';
import type { ReplyHead } from '../../../../http/server/transport.js';
import { turns, until } from '../../support/waiting.js';

const MEBIBYTE = 1024 * 1024;
const LARGE = Buffer.alloc(2 * MEBIBYTE);
const NODE_BUDGET_BYTES = 100_000;

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
  const budget = new SharedBudget(UNSENT_REPLY_BYTES_MAX);
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
  t.equal(budget.used, UNSENT_REPLY_BYTES_MAX - count);
  await turns();
  t.same(
    readers.map(({ response }) => response.isClosed),
    [...Array(count).fill(false), true],
    'the one beyond the limit is closed',
  );
  const [leaver, reader] = readers;
  leaver?.wire.gone();
  t.equal(budget.used, UNSENT_REPLY_BYTES_MAX - count - (LARGE.length - 1));
  reader?.response.drain(MEBIBYTE);
  reader?.response.drain(2 * MEBIBYTE);
  t.equal(reader?.response.isEnded, true);
  t.equal(budget.used, UNSENT_REPLY_BYTES_MAX - count - 2 * (LARGE.length - 1));
  reader?.wire.gone();
  t.equal(budget.used, UNSENT_REPLY_BYTES_MAX - count - 2 * (LARGE.length - 1), 'once');
});

t.test('one client leaves half of the room for unsent replies to others', async (t) => {
  const budget = new SharedBudget(UNSENT_REPLY_BYTES_MAX);
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
  const budget = new SharedBudget(UNSENT_REPLY_BYTES_MAX);
  const response = new StuckResponse();
  response.allowedBytes = 1;
  new NativeWire(response, budget).end(HEAD, LARGE, true);
  t.equal(budget.used, LARGE.length - 1);
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

/** Clients that read nothing of what is written to them. */
function nodeClients() {
  const budget = new SharedBudget(NODE_BUDGET_BYTES);
  const connections: NodeConnection[] = [];
  const largest = (owner: string | number) =>
    connections
      .filter((connection) => connection.owner === owner)
      .sort((one, other) => other.unsentBytes - one.unsentBytes)[0];
  const connect = (owner: string) => {
    const connection = new NodeConnection(new Socket());
    connections.push(connection);
    const written: string[] = [];
    const reply = (text: string): void => {
      const response: Pick<NodeResponse, 'writeHead' | 'end' | 'once'> = {
        writeHead: (() => {}) as unknown as NodeResponse['writeHead'],
        end: ((body: string) => written.push(body)) as unknown as NodeResponse['end'],
        once: (() => {}) as unknown as NodeResponse['once'],
      };
      const wire = new NodeWire(response as NodeResponse, connection, largest, budget);
      wire.open({ isHeldBack: false, awaitsEvents: false, abort: () => wire.gone() });
      wire.end({ ...HEAD, owner }, text, false);
    };
    return { connection, written, reply };
  };
  return { budget, connect };
}

t.test('a reply has room although another client has many unread ones, each of them shorter', async (t) => {
  const { budget, connect } = nodeClients();
  const hoarders = Array.from({ length: 40 }, () => connect('hoarder'));
  for (const { reply } of hoarders) reply('a'.repeat(3_000));
  t.ok(budget.used <= NODE_BUDGET_BYTES / 2, `${budget.used}`);
  const reader = connect('reader');
  reader.reply('b'.repeat(10_000));
  t.same(reader.written, ['b'.repeat(10_000)]);
  t.ok(budget.used < NODE_BUDGET_BYTES);
});

t.test('of the connections of a client, the one with the most unsent bytes is closed', async (t) => {
  const { connect } = nodeClients();
  const readers = Array.from({ length: 4 }, () => connect('one'));
  for (const { reply } of readers) reply('b'.repeat(10_000));
  const hoarder = connect('one');
  hoarder.reply('a'.repeat(32_000));
  t.same(hoarder.written, []);
  t.ok(hoarder.connection.isCut);
  t.equal(readers.filter(({ connection }) => connection.isCut).length, 0);
  const large = connect('other');
  large.reply('a'.repeat(25_000));
  const small = connect('other');
  small.reply('b'.repeat(10_000));
  t.ok(large.connection.isCut);
  t.same(small.written, ['b'.repeat(10_000)]);
});
