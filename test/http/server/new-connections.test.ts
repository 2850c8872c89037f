// New connections to Node's server: all that wait are accepted in one turn of the event loop, but clients take turns at being read, and
// at having their WebSockets opened.
import t from 'tap';
import type { Owner } from '../../../http/admission/owners.js';
import type { Work } from '../../../http/admission/work-queue.js';
import { NodeTransport } from '../../../http/server/node/node-transport.js';
import type { Receiver } from '../../../http/server/receiver.js';
import { connected } from '../support/raw-connection.js';
import { turns, until } from '../support/waiting.js';

t.test('a new connection is read once its client has its turn, and closed if too many wait', async (t) => {
  const queued: { readonly owner: Owner; readonly work: Work }[] = [];
  let isFull = false;
  const work = { add: (owner: Owner, work: Work) => !isFull && queued.push({ owner, work }) > 0 };
  const counts = { connections: 0 };
  const limits = { connectionsMax: 10, connectionsPerAddressMax: 10 };
  const transport = new NodeTransport(limits, counts);
  transport.serve({ work } as unknown as Receiver);
  const port = await transport.listen('127.0.0.1', 0);
  t.teardown(() => {
    transport.stopListening();
    transport.release();
  });
  const socket = await connected(port);
  let isClosed = false;
  socket.on('close', () => {
    isClosed = true;
  });
  socket.resume().end('\r\n');
  await until(() => queued.length === 1);
  await turns();
  t.notOk(isClosed, 'what it has sent waits');
  t.equal(queued[0]?.owner, '127.0.0.1');
  t.ok(queued[0]?.work.step());
  await until(() => isClosed);
  t.ok(queued[0]?.work.isDone);
  const opening = await connected(port);
  opening.on('error', () => {}).write(SOCKET_REQUEST);
  await until(() => queued.length === 2);
  t.ok(queued[1]?.work.step());
  await until(() => queued.length === 3);
  await turns();
  t.equal(queued[2]?.owner, '127.0.0.1');
  t.notOk(queued[2]?.work.isDone, 'the WebSocket waits');
  queued[2]?.work.failed(new Error('failed'));
  t.ok(queued[2]?.work.isDone);
  isFull = true;
  const refused = await connected(port).catch(() => null);
  if (refused !== null) await new Promise((resolve) => refused.on('error', () => {}).once('close', resolve));
  await until(() => counts.connections === 0);
});

const SOCKET_REQUEST = [
  'GET /ws HTTP/1.1',
  'Host: localhost',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  '\r\n',
].join('\r\n');
