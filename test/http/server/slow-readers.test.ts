// Clients that send requests and do not read: their replies do not pile up in the server, and a late reader gets the
// right bytes.
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { UNSENT_BYTES_PER_CONNECTION_MAX } from '../../../http/limits.js';
import { UNSENT_REPLIES } from '../../../http/server/body-budget.js';
import { ConnectionEnded, RawConnection, type RawReply, requestBytes } from '../support/raw-connection.js';
import { ADMIN_KEY, begin, isNative } from '../support/serving.js';
import { until } from '../support/waiting.js';

const { client, admin, port } = await begin(t);
const MEBIBYTE = 1024 * 1024;
/** Bots whose list is a reply of about a megabyte. */
const BOTS = { count: 10_000, namePrefix: 'a bot with a long name, so that the list of all is long'.slice(0, 48) };
await admin.command('/api/admin/players', BOTS, 201);

const DOCUMENT = requestBytes('GET', '/api/catalog');
const documentLength = (await client.request('GET', '/api/catalog')).text.length;

t.test('a long reply that is read late arrives whole', async (t) => {
  const list = requestBytes('POST', '/api/admin/players', [`Authorization: Bearer ${ADMIN_KEY}`], JSON.stringify(BOTS));
  const connection = await RawConnection.open(port);
  connection.send(list);
  const expected = (await connection.reply()).body;
  t.ok(expected.length > MEBIBYTE, `${expected.length} bytes`);
  for (let round = 0; round < 3; round += 1) {
    connection.pause();
    connection.send(list);
    await delay(50);
    connection.resume();
    t.ok((await connection.reply()).body.equals(expected), 'the same bytes');
  }
  connection.close();
});

t.test('pipelined replies that are all read late arrive whole, or the connection ends', async (t) => {
  const connection = await RawConnection.open(port);
  connection.pause();
  for (let request = 0; request < 40; request += 1) {
    connection.send(DOCUMENT);
    await delay(2);
  }
  connection.resume();
  const replies = await repliesOf(connection, 40);
  t.same(
    replies.filter(({ status, body }) => status !== 200 || body.length !== documentLength),
    [],
  );
  // The difference "unreadReplies".
  if (!isNative) t.equal(replies.length, 40);
  connection.close();
});

t.test('a client that asks for a hundred megabytes and reads none of it does not fill the memory', async (t) => {
  const count = Math.ceil((100 * MEBIBYTE) / documentLength);
  const beforeBytes = process.memoryUsage().rss;
  const connection = await RawConnection.open(port);
  connection.pause();
  connection.send(Buffer.concat(Array.from({ length: count }, () => DOCUMENT)));
  for (let request = 0; request < 5; request += 1) t.equal((await client.request('GET', '/healthz')).status, 200);
  const grownBytes = process.memoryUsage().rss - beforeBytes;
  t.ok(grownBytes < 60 * MEBIBYTE, `grown by ${Math.round(grownBytes / MEBIBYTE)} MiB`);
  connection.resume();
  const replies = await repliesOf(connection, count);
  t.same(
    replies.filter(({ status, body }) => status !== 200 || body.length !== documentLength),
    [],
  );
  t.ok(replies.length < count, 'the server has ended the connection');
  connection.close();
});

// The native server does not answer a request before the previous reply has left.
t.test('replies that wait for others are dropped with their connection', { skip: isNative }, async (t) => {
  const connection = await RawConnection.open(port);
  // More than is kept for a connection, so that the server closes it.
  const count = Math.ceil((2 * UNSENT_BYTES_PER_CONNECTION_MAX) / documentLength);
  connection.send(Buffer.concat(Array.from({ length: count }, () => DOCUMENT)));
  t.ok((await connection.rest()).length < count * documentLength);
  await until(() => UNSENT_REPLIES.used === 0);
  t.equal((await client.request('GET', '/api/catalog')).status, 200);
});

/** Reads whole replies up to a number, or until the connection ends. */
async function repliesOf(connection: RawConnection, count: number): Promise<RawReply[]> {
  const replies: RawReply[] = [];
  try {
    while (replies.length < count) replies.push(await connection.reply());
  } catch (error) {
    if (!(error instanceof ConnectionEnded)) throw error;
  }
  return replies;
}
