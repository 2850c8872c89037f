// The contract between a transport and an exchange, the same for both transports: the peer address, and replies in
// pieces.
import { createHash } from 'node:crypto';
import { get, type IncomingMessage, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import type { Exchange, ReplyStream, StreamListener } from '../../../http/exchange/exchange.js';
import { STREAM_UNSENT_BYTES_MAX } from '../../../http/limits.js';
import { UNSENT_REPLIES } from '../../../http/server/body-budget.js';
import { serveOwn } from '../support/own-endpoints.js';
import { RawConnection, requestBytes } from '../support/raw-connection.js';
import { turns, until } from '../support/waiting.js';

/** Counts the calls to the listener of a stream. */
class ListenerCalls implements StreamListener {
  drains = 0;
  ends = 0;
  drained(): void {
    this.drains += 1;
  }
  closed(): void {
    this.ends += 1;
  }
}

/** The first piece of a stream; the head comes with it. */
const FIRST = 'the first piece\n';

/** A stream that a handler has begun, with the calls to its listener. */
interface Begun {
  readonly stream: ReplyStream;
  readonly calls: ListenerCalls;
}

/** A handler that begins a stream, and the streams that it has begun. */
function beginner(): { readonly begun: Begun[]; readonly handle: (exchange: Exchange) => void } {
  const begun: Begun[] = [];
  const handle = (exchange: Exchange): void => {
    const calls = new ListenerCalls();
    exchange.replyType = 'text/plain';
    const stream = exchange.stream(calls);
    stream.write(FIRST);
    begun.push({ stream, calls });
  };
  return { begun, handle };
}

/** Asks for a stream on a connection of its own; the caller reads the body. */
function ask(port: number, path: string, host = '127.0.0.1'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ host, port, path, agent: false }, resolve).once('error', reject);
  });
}

/** The whole body, or the part that came before the connection was cut. */
async function readAll(message: IncomingMessage): Promise<{ body: Buffer; isWhole: boolean }> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of message) pieces.push(piece as Buffer);
  } catch {
    // The connection was cut.
  }
  return { body: Buffer.concat(pieces), isWhole: message.complete };
}

async function beginOne(port: number, path: string, begun: readonly Begun[]) {
  const message = await ask(port, path);
  const last = begun.at(-1);
  if (last === undefined) throw new Error('no stream has begun');
  return { message, ...last };
}

t.test('an exchange knows the address of its peer', async (t) => {
  const handlers = {
    '/address': (exchange: Exchange) => {
      exchange.reply = JSON.stringify(exchange.peerAddress);
      exchange.durable();
    },
  };
  const { port } = await serveOwn(t, handlers);
  t.equal((await readAll(await ask(port, '/address'))).body.toString(), '"127.0.0.1"');
  const hasIpv6 = Object.values(networkInterfaces()).some((list = []) => list.some(({ address }) => address === '::1'));
  if (!hasIpv6) {
    t.comment('this machine has no ::1');
    return;
  }
  const both = await serveOwn(t, handlers, '::');
  t.equal((await readAll(await ask(both.port, '/address', '::1'))).body.toString(), '"::1"');
  t.equal((await readAll(await ask(both.port, '/address'))).body.toString(), '"127.0.0.1"', 'IPv4 mapped to IPv6');
});

t.test('an empty reply may end its connection, to GET and to HEAD', async (t) => {
  const { port } = await serveOwn(t, { '/empty': (exchange) => exchange.durable() });
  for (const method of ['GET', 'HEAD']) {
    const connection = await RawConnection.open(port);
    connection.send(requestBytes(method, '/empty', ['Connection: close']));
    const { status, body } = await connection.reply(method);
    t.same([status, body.length], [200, 0], method);
    connection.close();
  }
  t.equal((await ask(port, '/empty')).statusCode, 200, 'and the server goes on');
});

t.test('the pieces of a stream arrive in order and whole, whenever they are written', async (t) => {
  const pieces = Array.from({ length: 300 }, (_, index) => `piece ${index}\n`);
  const { begun, handle } = beginner();
  const { port, traffic } = await serveOwn(t, {
    '/at-once': (exchange) => {
      const calls = new ListenerCalls();
      const stream = exchange.stream(calls);
      begun.push({ stream, calls });
      for (const piece of pieces) stream.write(piece);
      stream.end();
    },
    '/later': handle,
  });
  const atOnce = await readAll(await ask(port, '/at-once'));
  t.equal(atOnce.body.toString(), pieces.join(''));
  t.ok(atOnce.isWhole);
  const { message, stream } = await beginOne(port, '/later', begun);
  t.equal(message.statusCode, 200);
  t.equal(message.headers['content-type'], 'text/plain');
  t.equal(message.headers['content-length'], undefined);
  t.equal(traffic.streams.size, 1);
  t.equal(traffic.inFlight, 0, 'a stream is not a pending reply');
  const reading = readAll(message);
  for (const [index, piece] of pieces.entries()) {
    stream.write(index % 2 === 0 ? piece : Buffer.from(piece));
    if (index % 10 === 0) await nextTurn();
  }
  stream.end();
  t.same(await reading, { body: Buffer.from(FIRST + pieces.join('')), isWhole: true });
  t.same(
    begun.map(({ calls }) => calls.ends),
    [1, 1],
  );
  t.equal(traffic.streams.size, 0);
});

t.test('a stream waits for a client that reads slowly, and nothing is lost', async (t) => {
  const { begun, handle } = beginner();
  const { port } = await serveOwn(t, { '/stream': handle });
  const { message, stream, calls } = await beginOne(port, '/stream', begun);
  message.pause();
  const written = createHash('sha256').update(FIRST);
  let writtenBytes = FIRST.length;
  /** Neither a part nor a page long, so that the boundaries of pieces and parts differ. @returns what write() does */
  const writeNext = (): boolean => {
    const piece = Buffer.alloc(19_997, writtenBytes % 251);
    written.update(piece);
    writtenBytes += piece.length;
    return stream.write(piece);
  };
  // The client reads nothing, so the connection becomes full.
  while (writeNext()) await nextTurn();
  t.equal(calls.drains, 0);
  const reading = readAll(message);
  for (let lags = 1; lags <= 3; lags += 1) {
    await until(() => calls.drains >= lags);
    while (lags < 3 && writeNext());
  }
  stream.end();
  const { body, isWhole } = await reading;
  t.ok(isWhole);
  t.equal(body.length, writtenBytes);
  t.equal(createHash('sha256').update(body).digest('hex'), written.digest('hex'));
  t.equal(calls.ends, 1);
  t.equal(UNSENT_REPLIES.used, 0);
});

t.test('a stream whose client lags too far behind is closed', async (t) => {
  const { begun, handle } = beginner();
  const { port, traffic } = await serveOwn(t, { '/stream': handle });
  const { message, stream, calls } = await beginOne(port, '/stream', begun);
  message.pause();
  let keptBytes = 0;
  let mostBytes = 0;
  while (calls.ends === 0) {
    if (!stream.write(Buffer.alloc(10_000))) keptBytes += 10_000;
    mostBytes = Math.max(mostBytes, UNSENT_REPLIES.used);
    await nextTurn();
  }
  t.ok(keptBytes > STREAM_UNSENT_BYTES_MAX, `closed after ${keptBytes} bytes`);
  t.ok(mostBytes > 0 && mostBytes <= STREAM_UNSENT_BYTES_MAX, `${mostBytes} bytes were counted`);
  t.equal((await readAll(message)).isWhole, false);
  t.equal(stream.write('more'), false);
  stream.end();
  await turns();
  t.equal(calls.ends, 1);
  t.equal(traffic.streams.size, 0);
  t.equal(UNSENT_REPLIES.used, 0);
});

t.test('a stream may be closed while its handler still writes it', async (t) => {
  const calls = new ListenerCalls();
  const { port, traffic } = await serveOwn(t, {
    '/stream': (exchange) => {
      const stream = exchange.stream(calls);
      for (let count = 0; count < 500; count += 1) stream.write(Buffer.alloc(100_000));
    },
    '/healthz': (exchange) => {
      exchange.reply = '{}';
      exchange.durable();
    },
  });
  const connection = await RawConnection.open(port);
  connection.pause();
  connection.send(requestBytes('GET', '/stream'));
  await until(() => calls.ends > 0);
  await turns();
  t.equal(calls.ends, 1);
  t.equal(traffic.streams.size, 0);
  t.equal(UNSENT_REPLIES.used, 0);
  t.equal((await ask(port, '/healthz')).statusCode, 200, 'the server goes on');
  connection.close();
});

t.test('a stream ends exactly once when its client leaves, however it leaves', async (t) => {
  const { begun, handle } = beginner();
  const { port, traffic } = await serveOwn(t, { '/stream': handle });
  for (const leave of ['leave', 'close'] as const) {
    const count = begun.length;
    const connection = await RawConnection.open(port);
    connection.send(requestBytes('GET', '/stream'));
    await until(() => begun.length > count);
    const { stream, calls } = begun.at(-1) as Begun;
    stream.write('a piece');
    await until(() => connection.unread.includes('a piece'));
    connection[leave]();
    await until(() => calls.ends > 0);
    t.equal(stream.write('another'), false);
    stream.end();
    await turns();
    t.equal(calls.ends, 1, leave);
  }
  t.equal(traffic.streams.size, 0);
});

t.test('a writer may end its stream in the call that reports a drain', async (t) => {
  let streamed: ReplyStream | undefined;
  const calls = new ListenerCalls();
  const { port } = await serveOwn(t, {
    '/stream': (exchange) => {
      const stream = exchange.stream({ drained: () => stream.end(), closed: () => calls.closed() });
      stream.write(FIRST);
      streamed = stream;
    },
  });
  const message = await ask(port, '/stream');
  message.pause();
  let writtenBytes = FIRST.length;
  do {
    writtenBytes += 50_000;
    await nextTurn();
  } while (streamed?.write(Buffer.alloc(50_000)));
  const { body, isWhole } = await readAll(message);
  t.same([body.length, isWhole, calls.ends], [writtenBytes, true, 1]);
});

t.test('the reply to HEAD of a streamed path has no body', async (t) => {
  const { port } = await serveOwn(t, {
    '/stream': (exchange) => {
      const stream = exchange.stream(new ListenerCalls());
      stream.write('a piece');
      stream.end();
    },
    '/healthz': (exchange) => {
      exchange.reply = '{}';
      exchange.durable();
    },
  });
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/stream', method: 'HEAD', agent: false }, resolve)
      .once('error', reject)
      .end();
  });
  t.equal(message.statusCode, 200);
  const connection = await RawConnection.open(port);
  connection.send(requestBytes('HEAD', '/stream'));
  t.equal((await connection.reply('HEAD')).status, 200);
  await turns();
  t.equal(connection.unread.length, 0);
  connection.close();
});

t.test('a connection stays open after a stream, unless its client asks to close it', async (t) => {
  const { begun, handle } = beginner();
  const { port } = await serveOwn(t, { '/stream': handle });
  const connection = await RawConnection.open(port);
  for (const lines of [[], ['Connection: close']]) {
    const count = begun.length;
    connection.send(requestBytes('GET', '/stream', lines));
    await until(() => begun.length > count);
    const { stream } = begun.at(-1) as Begun;
    stream.write('a piece');
    stream.end();
  }
  const replies = (await connection.rest()).toString().split('HTTP/1.1 200 OK').slice(1);
  t.equal(replies.length, 2);
  for (const reply of replies) t.match(reply, /\r\n7\r\na piece\r\n0\r\n\r\n$/);
});

t.test('a server that stops ends its streams and waits for none of them', async (t) => {
  const { begun, handle } = beginner();
  const { port, close } = await serveOwn(t, { '/stream': handle });
  const { message, stream, calls } = await beginOne(port, '/stream', begun);
  const reader = await RawConnection.open(port);
  reader.pause();
  reader.send(requestBytes('GET', '/stream'));
  await until(() => begun.length === 2);
  const lagging = (begun.at(-1) as Begun).stream;
  while (lagging.write(Buffer.alloc(50_000))) await nextTurn();
  const reading = readAll(message);
  stream.write('a piece');
  t.equal(await close(), true);
  t.same(await reading, { body: Buffer.from(`${FIRST}a piece`), isWhole: true });
  t.equal(calls.ends, 1);
  t.equal(stream.write('more'), false);
  t.equal((begun.at(-1) as Begun).calls.ends, 1, 'including one whose client does not read');
  reader.leave();
});
