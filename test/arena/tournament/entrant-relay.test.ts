// The relay between an entrant and its game: everything of the API passes through, and an entrant has no more connections than its share.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { EntrantProcess } from '../../../arena/tournament/entrant-process.js';
import { EntrantRelay } from '../../../arena/tournament/entrant-relay.js';
import { StreamReader } from '../../http/support/event-client.js';
import { FrameClient } from '../../http/support/frame-client.js';
import { begin } from '../../http/support/serving.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { putTemporaryFilesIn } from '../support/temporary-files.js';
import { played } from '../support/tournament-run.js';

async function relayTo(
  t: Test,
  server: string,
  connectionsMax: number,
): Promise<{ relay: EntrantRelay; port: number }> {
  const relay = await EntrantRelay.open({ server, connectionsMax, isUnixSocket: false });
  t.teardown(() => relay.close().catch(() => {}));
  return { relay, port: Number(new URL(relay.address).port) };
}

t.test('requests, events of a WebSocket and a stream of events pass through', async (t) => {
  const { server, play } = await begin(t);
  const { relay, port } = await relayTo(t, server.url, 3);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const ports = new Set<number | undefined>();
  for (let count = 0; count < 5; count += 1) {
    const outgoing = request(`${relay.address}/api/status`, { agent }).end();
    const [reply] = await once(outgoing, 'response');
    t.equal(reply.statusCode, 200);
    t.match(JSON.parse(await text(reply)), { worldTime: /Z$/ });
    ports.add(outgoing.socket?.localPort);
  }
  t.equal(ports.size, 1, 'over one connection');

  const socket = await FrameClient.open(port);
  const { id: playerId } = await play.newcomer('ada');
  const stream = await StreamReader.open(port, `/api/event/player/${playerId}/stream?since=0`);
  socket.send({ op: 'subscribe', id: 1, playerId, since: 0 });
  t.match(await socket.take(({ op }) => op === 'event'), { playerId, type: 'player_created' });
  // The first block says only how long to wait before another attempt.
  let block = await stream.block();
  while (block?.data === '') block = await stream.block();
  t.match(block, { data: /"type":"player_created"/ });
  t.equal(relay.refusedConnections, 0);
  socket.webSocket.terminate();
  stream.message.destroy();
});

t.test('a reply comes whole to a client that has closed its side, and the other way round', async (t) => {
  const long = 'x'.repeat(4 * 1024 * 1024);
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let asked = '';
    socket.on('data', (bytes) => {
      asked += bytes;
    });
    socket.once('end', () => socket.end(asked + long));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port: serverPort } = server.address() as { port: number };
  const { port } = await relayTo(t, `http://127.0.0.1:${serverPort}`, 1);
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.end('asked');
  const answer = await text(client);
  t.equal(answer.length, 'asked'.length + long.length);
});

t.test('further connections are closed and counted, and one that ends makes room', async (t) => {
  const served: Socket[] = [];
  const server = createServer((socket) => void served.push(socket.resume())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: serverPort } = server.address() as { port: number };
  const { relay, port } = await relayTo(t, `http://127.0.0.1:${serverPort}`, 2);
  const opened = (): Socket =>
    connect({ port, host: '127.0.0.1' })
      .on('error', () => {})
      .resume();
  const first = opened();
  opened();
  while (served.length < 2) await delay(5);
  for (let count = 0; count < 10; count += 1) await once(opened(), 'close');
  t.equal(relay.refusedConnections, 10);
  t.equal(served.length, 2, 'the server has not seen them');
  first.destroy();
  await once(served[0] as Socket, 'close');
  while (served.length < 3) {
    opened();
    await delay(5);
  }
  const gone = once(served[2] as Socket, 'close');
  await relay.close();
  await gone;
  server.close();
  await once(server, 'close');
  t.pass('nothing is left open');
});

t.test('it may listen on a Unix socket, and a server that is gone ends its connections', async (t) => {
  const relay = await EntrantRelay.open({ server: 'http://127.0.0.1:1', connectionsMax: 1, isUnixSocket: true });
  const path = relay.address;
  t.match(path, /server\.sock$/);
  const client = connect({ path })
    .on('error', () => {})
    .resume();
  await once(client, 'close');
  await relay.close();
  t.notOk(existsSync(dirname(path)), 'and leaves nothing behind');
});

t.test('one that cannot listen leaves no folder behind', async (t) => {
  // The path of a Unix socket has about a hundred characters. Node 20 takes the first ones, which are those of a folder here.
  const folders = join(await temporaryFolder(t), 'x/'.repeat(100));
  await mkdir(folders, { recursive: true });
  putTemporaryFilesIn(t, folders);
  const options = { server: 'http://127.0.0.1:1', connectionsMax: 1, isUnixSocket: true };
  await t.rejects(EntrantRelay.open(options), { code: /^(EADDRINUSE|EINVAL|ENAMETOOLONG)$/ });
  t.same(await readdir(folders), []);
});

t.test('it is closed if its entrant gets no folder', async (t) => {
  t.capture(EntrantProcess, 'start', () => Promise.reject(new Error('no folder')));
  const listeners = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
  const before = listeners();
  await t.rejects(played(t, 'idler,gone=/bin/sh -c "exit 7"', { seeds: [1] }), { message: 'no folder' });
  t.equal(listeners(), before);
});
