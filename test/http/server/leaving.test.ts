// Clients that leave before their answer, and a server that stops: accepted requests are executed, and every client that is
// still connected gets its answer. Clients that fall silent are in bad-framing.test.ts.
import t from 'tap';
import { CannotListen, WorldServer } from '../../../http/world-server.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { runGalaxyd } from '../../support/process/galaxyd-process.js';
import { field, RawConnection, requestBytes } from '../support/raw-connection.js';
import { begin, beginHeld, transport } from '../support/serving.js';
import { until } from '../support/waiting.js';

function creation(name: string): Uint8Array {
  return requestBytes('POST', '/api/game/player', [], JSON.stringify({ name, isBot: true }));
}

t.test('clients that leave before their answer do no harm, and their commands are executed', async (t) => {
  const { client, log, port, world, server } = await beginHeld(t);
  log.hold();
  const clients = await Promise.all(Array.from({ length: 200 }, () => RawConnection.open(port)));
  for (const [number, connection] of clients.entries()) connection.send(creation(`leaver-${number}`));
  await until(() => world.engine.world.playerCount === clients.length);
  for (const [number, connection] of clients.entries()) number % 2 === 0 ? connection.leave() : connection.close();
  log.release();
  t.match(await client.read('/api/status'), { players: clients.length });
  t.equal(await server.stop(), true, 'the server waits for no client');
});

t.test('clients that leave in the middle of a request or of its answer do no harm', async (t) => {
  const { client, port, play } = await begin(t);
  await play.newcomer('stayer');
  const { seq } = await play.hash();
  const whole = creation('never whole');
  for (let length = 1; length < whole.length; length += 3) {
    const connection = await RawConnection.open(port);
    connection.send(whole.subarray(0, length));
    length % 2 === 0 ? connection.leave() : connection.close();
  }
  const reads = Buffer.concat(Array.from({ length: 200 }, () => requestBytes('GET', '/api/catalog')));
  for (let reader = 0; reader < 20; reader += 1) {
    const connection = await RawConnection.open(port);
    connection.send(reads);
    if (reader % 2 === 0) await connection.reply();
    connection.leave();
  }
  t.match(await client.read('/api/status'), { players: 1, seq });
});

t.test('a server that stops answers requests in flight and accepts no new connection', async (t) => {
  const { client, log, port, server, world } = await beginHeld(t);
  await client.command('/api/game/player', { name: 'here', isBot: true }, 201);
  log.hold();
  const waiting = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(port)));
  for (const [number, connection] of waiting.entries()) connection.send(creation(`waiting-${number}`));
  await until(() => world.engine.world.playerCount === 21);
  const stopped = server.stop();
  await t.rejects(RawConnection.open(port), { code: 'ECONNREFUSED' });
  for (const connection of waiting) t.equal(connection.unread.length, 0, 'nothing leaves before the disk');
  log.release();
  for (const connection of waiting) {
    const reply = await connection.reply();
    t.equal(reply.status, 201);
    t.equal(field(reply, 'connection'), 'close');
    t.equal((await connection.rest()).length, 0, 'and the connection ends');
  }
  t.equal(await stopped, true);
  t.equal(world.sequencer.durableSeq, world.sequencer.lastSeq);
});

t.test('a server that cannot answer in time stops all the same', async (t) => {
  const { log, port, server, world } = await beginHeld(t);
  log.hold();
  const connection = await RawConnection.open(port);
  connection.send(creation('too slow a disk'));
  await until(() => world.engine.world.playerCount === 1);
  t.equal(await server.stop(20), false);
  connection.close();
});

t.test('two servers on one port are refused, in one process and in two', async (t) => {
  const { port, world } = await begin(t);
  await t.rejects(WorldServer.start({ world, host: '127.0.0.1', port, transport }), CannotListen);
  const ending = await runGalaxyd(t, { args: ['serve', '--port', String(port), '--data', await temporaryFolder(t)] });
  t.equal(ending.code, 1);
  t.match(ending.stderr, new RegExp(`^galaxyd cannot serve: .*cannot listen on .*:${port} `, 'm'));
});

t.test('the message about an unusable address names the possible reasons', async (t) => {
  const { world } = await begin(t);
  // TEST-NET-3 (RFC 5737): no machine has it.
  const start = WorldServer.start({ world, host: '203.0.113.1', port: 0, transport });
  await t.rejects(start, new CannotListen('203.0.113.1', 0));
  t.match(
    new CannotListen('a', 7).message,
    'cannot listen on a:7 (in use, or not an address of this machine); --port and --host name another one',
  );
});
