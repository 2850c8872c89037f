// A server that is asked to stop while requests are in flight: each request that took effect is answered.
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { Client, NoReply } from '../support/process/client.js';
import { DeedLedger } from '../support/process/deed-ledger.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { shortOrLong } from '../support/process/lengths.js';
import { Past } from '../support/process/past.js';
import { Swarm } from '../support/process/swarm.js';

const STOPS = shortOrLong(3, 5);
const BOTS = 24;
const ADMIN_KEY = 'stop-test-key';
/** Connections that a test tries until one is refused. */
const TRIES_MAX = 500;

t.test('asked to stop under load, it answers every request that took effect', async (t) => {
  const seed = drawSeed(t);
  const folder = await temporaryFolder(t);
  const draws = new Draws(seed);
  const ledger = new DeedLedger();
  const past = new Past(ledger);
  const swarm = new Swarm(ledger, new Draws(seed + 1), BOTS, ADMIN_KEY);
  const args = ['serve', '--port', '0', '--data', folder, '--speed', '20000', '--admin-key', ADMIN_KEY];
  for (let stop = 1; stop <= STOPS; stop += 1) {
    const galaxyd = await GalaxydProcess.start(t, { args });
    swarm.begin(galaxyd.url);
    const acknowledgements = draws.between(20, 150);
    await swarm.acknowledged(acknowledgements);
    const { code, stdout, stderr } = await galaxyd.stop();
    await swarm.settled();
    t.same({ code, stderr }, { code: 0, stderr: '' });
    t.match(stdout, /galaxyd stopped\n$/);
    const { faults, unanswered } = await past.compare(folder);
    t.same(faults, [], `stop ${stop}, after ${acknowledgements} acknowledgements`);
    t.same(unanswered, [], 'every entry was answered');
  }
});

t.test('it waits for a request that was being sent when it was asked to stop', async (t) => {
  const folder = await temporaryFolder(t);
  const galaxyd = await GalaxydProcess.start(t, { args: ['serve', '--port', '0', '--data', folder] });
  const body = JSON.stringify({ name: 'ada', isBot: true });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const half = request(`${galaxyd.url}/api/game/player`, { method: 'POST', headers });
  const answer = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    half.once('error', reject);
    half.once('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      incoming.once('end', () => resolve({ status: incoming.statusCode, text }));
    });
  });
  half.write(body.slice(0, 5));
  await new Promise((resolve) => half.once('socket', (socket) => socket.once('connect', resolve)));
  // Later requests on another connection are answered, so the first half has been read.
  await statusOf(galaxyd.url);
  await statusOf(galaxyd.url);

  galaxyd.signal('SIGTERM');
  let tries = 0;
  while (tries < TRIES_MAX && (await isServed(galaxyd.url))) {
    tries += 1;
    await delay(10);
  }
  t.ok(tries < TRIES_MAX, 'no other connection is accepted any more');
  half.end(body.slice(5));
  const { status, text } = await answer;
  t.equal(status, 503);
  t.match(JSON.parse(text), { code: 'shutting_down', status: 503 });
  const { code, stdout } = await galaxyd.ending();
  t.equal(code, 0);
  t.match(stdout, /galaxyd stopped\n$/);
});

async function statusOf(url: string): Promise<number> {
  const client = new Client(url);
  try {
    return (await client.get('/api/status')).status;
  } finally {
    client.close();
  }
}

async function isServed(url: string): Promise<boolean> {
  try {
    return (await statusOf(url)) === 200;
  } catch (error) {
    if (error instanceof NoReply) return false;
    throw error;
  }
}

t.test(
  'it waits for a half-sent request no longer than --stop-seconds, and says which proxy it does not trust',
  async (t) => {
    const folder = await temporaryFolder(t);
    const args = ['serve', '--port', '0', '--data', folder, '--stop-seconds', '0'];
    const galaxyd = await GalaxydProcess.start(t, { args });
    const { port } = new URL(galaxyd.url);
    const headers = { 'content-type': 'application/json', 'content-length': 100, 'x-forwarded-for': '203.0.113.1' };
    const half = request({ host: '127.0.0.1', port, path: '/api/game/player', method: 'POST', headers });
    half.once('error', () => {});
    half.write('{');
    const client = new Client(galaxyd.url);
    await client.get('/api/limits', { 'x-forwarded-for': '203.0.113.1' });
    client.close();
    await galaxyd.printed(
      /127\.0\.0\.1 names the clients of its requests .* anybody who reaches the proxy can play every player/,
    );
    t.match(await galaxyd.stop(), { code: 0, stdout: /galaxyd stopped without waiting for some clients\n$/ });
  },
);
