// A hundred clients that send a few bytes at a time, and one that keeps asking and never reads: other players are not
// affected, and nothing acknowledged is lost.
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { DeedLedger } from '../support/process/deed-ledger.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { ADMIN_KEY, serveArgs, start, statusOf } from '../support/process/operator.js';
import { Past } from '../support/process/past.js';
import { Swarm } from '../support/process/swarm.js';

const SLOW_CLIENTS = 100;
const BOTS = 8;
const PIECE_BYTES = 12;
const PIECE_EVERY_MS = 100;
const BYTES_UNREAD = 4 * 1024 * 1024;

t.test('slow clients get their replies, and others get theirs meanwhile', async (t) => {
  const folder = await temporaryFolder(t);
  const ledger = new DeedLedger();
  const past = new Past(ledger);
  const swarm = new Swarm(ledger, new Draws(drawSeed(t)), BOTS, ADMIN_KEY);
  const { galaxyd, client } = await start(t, {
    args: serveArgs(folder, '--admin-key', ADMIN_KEY, '--speed', '20000'),
  });
  const { hostname, port } = new URL(galaxyd.url);
  const open = (): Socket => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    t.teardown(() => socket.destroy());
    return socket;
  };

  const mute = open();
  mute.pause();
  const question = 'GET /api/openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';
  for (let asked = 0; asked < BYTES_UNREAD; asked += 10_000) mute.write(question);

  swarm.begin(galaxyd.url);
  const slow = Array.from({ length: SLOW_CLIENTS }, async () => {
    const socket = open();
    let reply = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      reply += text;
    });
    const request =
      'GET /api/status HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\naccept: application/json\r\n\r\n';
    for (let at = 0; at < request.length; at += PIECE_BYTES) {
      socket.write(request.slice(at, at + PIECE_BYTES));
      await delay(PIECE_EVERY_MS);
    }
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    return reply.split('\r\n', 1)[0];
  });
  await swarm.acknowledged(200);
  t.equal((await client.post('/api/admin/snapshot', {})).status, 201, 'a snapshot can be taken');
  t.same(new Set(await Promise.all(slow)), new Set(['HTTP/1.1 200 OK']), 'each slow client got its reply');
  t.ok((await statusOf(client)).seq > 200);
  await galaxyd.kill();
  await swarm.settled();
  t.same((await past.compare(folder)).faults, []);
});
