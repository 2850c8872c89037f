// What becomes of a connection on which something came that is no request: the replies that its client is owed come first, then one
// refusal, then the end, in bounded time. And requests of HTTP/1.0. The native library shows none of them.
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { CLIENT_SILENCE_MS } from '../../../http/limits.js';
import { UNSENT_REPLIES } from '../../../http/server/body-budget.js';
import { ConnectionEnded, field, RawConnection, requestBytes } from '../support/raw-connection.js';
import { begin, beginHeld } from '../support/serving.js';
import { until } from '../support/waiting.js';

const JAVASCRIPT = { server: { transport: 'javascript' } } as const;
const GARBAGE = 'garbage\r\n\r\n';
const creation = (name: string) => requestBytes('POST', '/api/game/player', [], JSON.stringify({ name, isBot: true }));
const CHUNKED = 'Transfer-Encoding: chunked';

async function refusal(t: Test, connection: RawConnection, code: string): Promise<void> {
  const reply = await connection.reply();
  t.match(JSON.parse(reply.body.toString()), { code, requestId: field(reply, 'x-request-id') });
  t.equal(field(reply, 'content-type'), 'application/problem+json');
  t.equal(field(reply, 'connection'), 'close');
  t.equal((await connection.rest()).length, 0, 'nothing follows');
}

t.test('what the client is owed comes before the refusal, in order', async (t) => {
  const { client, port, log } = await beginHeld(t, JAVASCRIPT);
  log.hold();
  const connection = await RawConnection.open(port);
  connection.send(Buffer.concat([creation('one'), requestBytes('GET', '/healthz'), Buffer.from(GARBAGE)]));
  await until(() => log.isWaiting);
  // More of it, and a request, which is not carried out.
  connection.send(GARBAGE);
  connection.send(creation('two'));
  await client.request('GET', '/healthz');
  t.equal(connection.unread.length, 0, 'nothing overtakes a command that is not durable');
  log.release();
  t.equal((await connection.reply()).status, 201);
  t.equal((await connection.reply()).status, 200);
  await refusal(t, connection, 'malformed_request');
  t.match(await client.read('/api/status'), { players: 1 });
});

t.test('CONNECT is refused behind what the client is owed', async (t) => {
  const { port, log } = await beginHeld(t, JAVASCRIPT);
  log.hold();
  const connection = await RawConnection.open(port);
  connection.send(Buffer.concat([creation('one'), Buffer.from('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n')]));
  await until(() => log.isWaiting);
  await delay(20);
  log.release();
  t.equal((await connection.reply()).status, 201);
  await refusal(t, connection, 'not_implemented');
});

t.test('a refusal in the body of a request is its only reply, behind the earlier ones', async (t) => {
  const { port, log } = await beginHeld(t, JAVASCRIPT);
  log.hold();
  const connection = await RawConnection.open(port);
  connection.send(creation('one'));
  await until(() => log.isWaiting);
  connection.send(requestBytes('POST', '/api/game/player', [CHUNKED]));
  connection.send('zz\r\n');
  await delay(20);
  t.equal(connection.unread.length, 0);
  log.release();
  t.equal((await connection.reply()).status, 201);
  await refusal(t, connection, 'malformed_request');
});

t.test('a request that is answered already gets no second reply', async (t) => {
  const { port } = await begin(t, JAVASCRIPT);
  const connection = await RawConnection.open(port);
  connection.send(requestBytes('POST', '/nowhere', [CHUNKED]));
  t.equal((await connection.reply()).status, 404);
  connection.send('zz\r\n');
  t.equal((await connection.rest()).length, 0);
});

t.test('garbage behind a request that waits for events ends both, as a request would', async (t) => {
  const { port, play } = await begin(t, JAVASCRIPT);
  const { id } = await play.newcomer('reader');
  const connection = await RawConnection.open(port);
  connection.send(requestBytes('GET', `/api/event/player/${id}?since=1000000&wait=30`));
  connection.send(requestBytes('GET', `/api/event/player/${id}/stream`));
  connection.send(GARBAGE);
  await connection.rest();
  t.pass('in no time');
});

t.test('a client that goes on sending sees the refusal, and is cut off in time', async (t) => {
  const { port } = await begin(t, JAVASCRIPT);
  const connection = await RawConnection.open(port);
  // More than the system keeps of what nobody reads.
  connection.send(`GET /${'a'.repeat(20_000)}`);
  connection.send(Buffer.alloc(8 * 1024 * 1024, 'a'));
  await refusal(t, connection, 'head_too_large');
});

t.test('a client keeps its connection for a while only, if it reads nothing or its request trickles in', async (t) => {
  await Promise.all([sendsAndReadsNothing(t), tricklesIn(t)]);
});

/** Sends garbage after requests whose replies it does not read. */
async function sendsAndReadsNothing(t: Test): Promise<void> {
  const { client, port } = await begin(t, JAVASCRIPT);
  const connection = await RawConnection.open(port);
  connection.pause();
  // Until the system takes no more.
  while (UNSENT_REPLIES.used === 0) {
    connection.send(requestBytes('GET', '/openapi.json'));
    await client.request('GET', '/healthz');
  }
  const began = performance.now();
  const trickle = setInterval(() => connection.send(GARBAGE), 100);
  await until(() => UNSENT_REPLIES.used === 0);
  clearInterval(trickle);
  const tookMs = performance.now() - began;
  t.ok(tookMs > CLIENT_SILENCE_MS / 2, `${tookMs} ms`);
  connection.leave();
}

async function tricklesIn(t: Test): Promise<void> {
  const { port } = await begin(t, JAVASCRIPT);
  const [head, body] = [await RawConnection.open(port), await RawConnection.open(port)];
  head.send('GET /healthz HTTP/1.1\r\nHost: a\r\n');
  body.send(requestBytes('POST', '/api/game/player', ['Content-Length: 1000']));
  const trickle = setInterval(() => {
    head.send('X: a\r\n');
    body.send(' ');
  }, 500);
  await Promise.all([refusal(t, head, 'request_timeout'), refusal(t, body, 'request_timeout')]);
  clearInterval(trickle);
}

t.test('a client of HTTP/1.0 gets whole replies, and streams that the end of the connection ends', async (t) => {
  const { client, port, play, server } = await begin(t, JAVASCRIPT);
  const { id } = await play.newcomer('old');
  const connection = await RawConnection.open(port);
  connection.send('GET /api/status HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
  const kept = await connection.reply();
  t.strictSame([kept.status, field(kept, 'connection')], [200, 'keep-alive']);
  t.equal(kept.body.toString().length, Number(field(kept, 'content-length')));
  connection.send('GET /api/status HTTP/1.0\r\n\r\n');
  t.equal(field(await connection.reply(), 'connection'), 'close');
  t.equal((await connection.rest()).length, 0);

  const stream = await RawConnection.open(port);
  stream.send(`GET /api/event/player/${id}/stream?since=0 HTTP/1.0\r\nTE: chunked\r\n\r\n`);
  await until(() => stream.unread.includes('player_created') || stream.unread.includes('\n\n'));
  t.equal((await client.request('GET', '/healthz')).status, 200);
  const stopped = server.stop();
  const text = (await stream.rest()).toString();
  await stopped;
  t.match(text, /^HTTP\/1\.1 200 OK\r\n/);
  t.match(text, /\r\nConnection: close\r\n/i);
  t.notMatch(text, /transfer-encoding/i);
  t.notMatch(text, /^[0-9a-f]+\r$/m, 'no chunks');
});

t.test('the host of a whole URL is that of the request', async (t) => {
  const { port } = await begin(t, { server: { ...JAVASCRIPT.server, allowedHosts: ['localhost'] } });
  const statusOf = async (lines: readonly string[]): Promise<number> => {
    const connection = await RawConnection.open(port);
    connection.send(`${lines.join('\r\n')}\r\n\r\n`);
    const { status } = await connection.reply();
    connection.close();
    return status;
  };
  t.equal(await statusOf(['GET http://localhost/healthz HTTP/1.1', 'Host: evil.example']), 200);
  t.equal(await statusOf(['GET http://evil.example/healthz HTTP/1.1', 'Host: localhost']), 400);
  t.equal(await statusOf(['GET /healthz HTTP/1.0']), 200);
  t.equal(await statusOf(['GET /healthz HTTP/1.0', 'Host: evil.example']), 400);
});

t.test('refusals take tokens of the address', async (t) => {
  const { port } = await begin(t, {
    auth: 'key',
    server: { ...JAVASCRIPT.server, rateLimits: { perSecond: 1, burst: 2 } },
  });
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    const connection = await RawConnection.open(port);
    connection.send(GARBAGE);
    try {
      statuses.push((await connection.reply()).status);
    } catch (error) {
      if (!(error instanceof ConnectionEnded)) throw error;
    }
    connection.close();
  }
  t.strictSame(statuses.slice(0, 3), [400, 400, 429]);
});
