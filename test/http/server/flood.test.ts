// Many clients at a time that read nothing or never finish: the memory for all of them together is bounded, and replies
// without a body do not evade the bounds. budgets/ tests the budgets by themselves.
import t from 'tap';
import { GATHERED_BODY_BYTES_MAX } from '../../../http/limits.js';
import { BodyReader, GATHERED_BODIES } from '../../../http/server/body-budget.js';
import { checked } from '../support/game-client.js';
import { ConnectionEnded, field, RawConnection, requestBytes } from '../support/raw-connection.js';
import { begin, isNative } from '../support/serving.js';
import { until } from '../support/waiting.js';

const { client, port } = await begin(t);
/** A path whose reply is written only as far as the socket takes it, and carries a tag. */
const DOCUMENT = '/api/catalog';
const document = await client.request('GET', DOCUMENT);
const tag = document.headers['etag'] ?? '';

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
