// Replies as they come off a socket, in whatever pieces, and connections that their server ends.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import {
  LoadConnection,
  type OnReply,
  type Reply,
  ReplyReader,
  renderRequest,
} from '../../bench/loads/load-connection.js';
import { getRequest, postRequest } from '../../bench/servers/game-client.js';

const REPLY = 'HTTP/1.1 200 OK\r\nDate: today\r\nContent-Length: 11\r\n\r\n{"iron":12}';

/** Hands bytes to a reader. @returns the reply that they complete */
function take(reader: ReplyReader, bytes: string): Reply | undefined {
  const replies: Reply[] = [];
  reader.take(Buffer.from(bytes), (reply) => replies.push(reply));
  return replies[0];
}

t.test('a reply is complete with its last byte, however it is cut', async (t) => {
  for (let cut = 0; cut < REPLY.length; cut += 1) {
    const reader = new ReplyReader();
    const early = cut === 0 ? undefined : take(reader, REPLY.slice(0, cut));
    const reply = take(reader, REPLY.slice(cut));
    if (early !== undefined || reply?.body.toString() !== '{"iron":12}') t.fail(`cut after ${cut} bytes`);
  }
  t.pass('cut everywhere');
});

t.test('one reader reads one reply after the other', async (t) => {
  const reader = new ReplyReader();
  t.equal(take(reader, REPLY)?.status, 200);
  t.equal(take(reader, REPLY.replace('200 OK', '409 Conflict'))?.status, 409);
  t.equal(take(reader, 'HTTP/1.1 304 Not Modified\r\netag: W/"1"\r\n\r\n')?.body.length, 0);
});

t.test('what cannot be measured rightly is refused', async (t) => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  t.throws(() => take(new ReplyReader(), chunked), { message: /does not state its length/ });
  t.throws(() => take(new ReplyReader(), `${REPLY}${REPLY}`), { message: /longer than it says/ });
  t.throws(() => take(new ReplyReader(), 'a'.repeat(20_000)), { message: /too long/ });
});

t.test('a request is rendered with the length of its body in bytes', async (t) => {
  const request = { ...postRequest('/api/batch', { name: 'ä' }), headers: { prefer: 'return=minimal' } };
  t.equal(
    renderRequest(request, '127.0.0.1:1').toString(),
    'POST /api/batch HTTP/1.1\r\nhost: 127.0.0.1:1\r\nprefer: return=minimal\r\n' +
      'content-type: application/json\r\ncontent-length: 13\r\n\r\n{"name":"ä"}',
  );
});

/** @param answer called once for each connection, with its first request */
async function serveBytes(t: Test, answer: (socket: Socket) => void): Promise<LoadConnection> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket)).resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const connection = new LoadConnection(`http://127.0.0.1:${port}`, new Map());
  t.teardown(() => {
    connection.close();
    server.close();
  });
  await connection.ready();
  return connection;
}

type Outcome = Parameters<OnReply>;

function send(connection: LoadConnection): Promise<Outcome> {
  return new Promise((resolve) => connection.send(getRequest('/'), (...outcome) => resolve(outcome)));
}

t.test('a request belongs to one connection only, whenever the one before it ends', async (t) => {
  let answered = 0;
  const connection = await serveBytes(t, (socket) => {
    answered += 1;
    socket.end(REPLY);
  });
  let received = 0;
  // The end comes a turn or two after the reply. A request that is sent just then goes over a new connection, and is not lost.
  for (let round = 0; round < 300; round += 1) {
    const [reply] = await send(connection);
    if (reply !== undefined) received += 1;
    for (let turn = 0; turn < round % 10; turn += 1) await nextTurn();
  }
  t.equal(received, answered);
});

t.test('a reply that cannot be read is a failure that says why', async (t) => {
  const connection = await serveBytes(t, (socket) => socket.write(`${REPLY}${REPLY}`));
  t.same(await send(connection), [undefined, 'a reply is longer than it says']);
  const [reply, fault] = await send(connection);
  t.same([reply, fault], [undefined, 'a reply is longer than it says'], 'over a new connection');
});
