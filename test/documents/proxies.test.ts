// The configurations of docs/operating.md for nginx, HAProxy and Caddy, run by the programs themselves in front of real worlds on both
// transports: reads, durable commands, streams, WebSockets, checks of health and the addresses of clients come through.
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { defaultTransport } from '../../http/world-server.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { type Front, Visitor } from '../support/visitor.js';
import {
  type Certificate,
  checkOutcome,
  configurationOf,
  HOST,
  madeCertificate,
  missingProgram,
  PROXY_NAMES,
  type ProxyName,
  type RunningProxy,
  startProxy,
} from './proxies.js';

const DOCUMENT = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
const TRANSPORTS = new Set([defaultTransport(), 'javascript'] as const);
const ADMIN_KEY = 'operator-behind-proxies';
/** A stream that a proxy holds back shows an event with the next comment, after 15 s. */
const AT_ONCE_MS = 10_000;
const LARGEST_BODY = 1_048_576;
/** Tokens of an address. The largest body takes 257 of them. */
const BURST = 300;
/** A batch of one read. */
const BATCH = JSON.stringify({ operations: [{ method: 'GET', path: '/api/catalog' }] });

for (const transport of TRANSPORTS) {
  t.test(`behind proxies: ${transport}`, async (t) => {
    const world = await startWorld(t, transport);
    for (const [index, name] of PROXY_NAMES.entries()) {
      const missing = missingProgram(name);
      if (missing !== undefined) {
        t.pass(`${name} is not tried`, { skip: missing });
        continue;
      }
      const certificate = await madeCertificate(t);
      const proxy = await startProxy(t, name, configurationOf(DOCUMENT, name), { world, certificate });
      const place = { name, proxy, certificate, index };
      await t.test(name, (t) => tryProxy(t, place));
    }
  });
}

/** What the programs do if their configuration says no more than where galaxyd is: checks of health and requests in HTTP/1.0. */
const SHORT_CONFIGURATIONS = {
  nginx: `
server {
  listen 443 ssl;
  ssl_certificate /etc/ssl/game.example/fullchain.pem;
  ssl_certificate_key /etc/ssl/game.example/key.pem;
  location / { proxy_pass http://127.0.0.1:3000; }
}`,
  haproxy: `
defaults
  mode http
  timeout connect 1s
  timeout client 35s
  timeout server 35s
listen game
  bind :443 ssl crt /etc/haproxy/certificates/
  option httpchk GET /readyz
  server galaxyd 127.0.0.1:3000 check inter 1s`,
};

t.test('HTTP/1.0 of proxies: javascript', async (t) => {
  const world = await startWorld(t, 'javascript');
  for (const name of ['nginx', 'haproxy'] as const) {
    const missing = missingProgram(name);
    if (missing !== undefined) {
      t.pass(`${name} is not tried`, { skip: missing });
      continue;
    }
    const certificate = await madeCertificate(t);
    const proxy = await startProxy(t, name, SHORT_CONFIGURATIONS[name], { world, certificate });
    if (name === 'haproxy') t.match(await checkOutcome(proxy), /^L7OK 2/, 'the check of health succeeds');
    const front = { port: proxy.port, host: HOST, certificate: certificate.text };
    const created = await new Visitor(front).ask('POST', '/api/game/player', { name, isBot: true });
    t.equal(created.status, 201, `${name} passes commands on`);
    const { id, apiKey } = JSON.parse(created.text) as Player;
    const player = new Visitor(front, { authorization: `Bearer ${apiKey}` });
    await player.streamed(`/api/event/player/${id}/stream?since=0`, 'player_created');
  }
});

async function startWorld(t: Test, transport: string): Promise<number> {
  const data = await temporaryFolder(t);
  const { url } = await GalaxydProcess.start(t, {
    args: ['serve', '--port', '0', '--data', data, '--auth', 'key', '--transport', transport, '--min-free-mib', '0']
      .concat('--trusted-proxies', '127.0.0.1')
      .concat('--rate-limits', 'on', '--rate-burst', `${BURST}`, '--rate-per-second', '1'),
    env: { GALAXYD_ADMIN_KEY: ADMIN_KEY },
  });
  return Number(new URL(url).port);
}

interface TriedProxy {
  readonly name: ProxyName;
  readonly proxy: RunningProxy;
  readonly certificate: Certificate;
  /** Ordinal of the proxy before this world, from which the addresses of its clients follow. */
  readonly index: number;
}

async function tryProxy(t: Test, { name, proxy, certificate, index }: TriedProxy): Promise<void> {
  // All addresses of 127.0.0.0/8 are this machine's; only 127.0.0.1 is a proxy that is trusted.
  const front = (client: number): Front => ({
    port: proxy.port,
    host: HOST,
    address: `127.0.0.${client * 10 + index}`,
    certificate: certificate.text,
  });
  const stranger = new Visitor(front(1));
  t.equal((await stranger.ask('GET', '/readyz')).status, 200, 'a read');
  t.equal(await stranger.statusOverHttp2('/api/leaderboard'), 200, 'a read over HTTP/2');

  const newcomer = { name: `ada-${name}`, isBot: true };
  const keyed = { 'idempotency-key': `first-of-${name}` };
  const created = await stranger.ask('POST', '/api/game/player', newcomer, keyed);
  t.equal(created.status, 201, 'a player is created');
  const player = JSON.parse(created.text) as Player;
  const ada = new Visitor(front(1), { authorization: `Bearer ${player.apiKey}` });
  const planetId = player.planets[0]?.id;
  await tryCommands(t, ada, player.id, planetId);
  // Caddy passes on what it has received meanwhile, and fails if galaxyd has already refused it.
  const tooLarge = name === 'caddy' ? [413, 502] : [413];
  const refused = await ada.ask('POST', '/api/batch', BATCH.padEnd(LARGEST_BODY + 1));
  t.ok(tooLarge.includes(refused.status), 'no larger one');

  for (const path of ['/metrics', '/api/admin/state-hash']) {
    const closed = await stranger.ask('GET', path, undefined, { authorization: `Bearer ${ADMIN_KEY}` });
    t.equal(closed.status, 404, `${path} is closed`);
  }
  if (name === 'haproxy') t.equal(await checkOutcome(proxy), 'L7OK 200', 'the check of health succeeds');

  const greedy = new Visitor(front(2));
  const statuses: number[] = [];
  for (const claimed of ['10.0.0.1', '10.0.0.2']) {
    const claim = { 'x-forwarded-for': claimed };
    statuses.push((await greedy.ask('POST', '/api/batch', BATCH.padEnd(LARGEST_BODY), claim)).status);
  }
  t.same(statuses, [200, 429], 'the limit is that of the address, whatever a client claims');
  t.equal((await new Visitor(front(3)).ask('GET', '/api/leaderboard')).status, 200, 'others have their own');
}

interface Player {
  readonly id: string;
  readonly apiKey: string;
  readonly planets: readonly { readonly id: string }[];
}

async function tryCommands(t: Test, ada: Visitor, playerId: string, planetId: string | undefined): Promise<void> {
  const stream = ada.streamed(`/api/event/player/${playerId}/stream?since=0`, 'building_started');
  const sentMs = performance.now();
  const order = { planetId, buildingType: 'iron_mine' };
  const command = { 'idempotency-key': 'upgrade' };
  const first = await ada.ask('POST', '/api/building/upgrade', order, command);
  t.equal(first.status, 200, 'a command');
  await stream;
  t.ok(performance.now() - sentMs < AT_ONCE_MS, 'a stream shows an event at once');
  const again = await ada.ask('POST', '/api/building/upgrade', order, command);
  t.match(again, { status: 200, text: first.text, headers: { 'idempotency-replayed': 'true' } });
  t.equal(again.headers['x-world-seq'], first.headers['x-world-seq'], 'a repeated command is the same one');

  const friend = { name: `friend-of-${playerId}`, isBot: true };
  t.equal(await ada.called('/api/game/player', friend), 201, 'a WebSocket takes commands');

  const largest = await ada.ask('POST', '/api/batch', BATCH.padEnd(LARGEST_BODY));
  t.equal(largest.status, 200, `the largest body: ${largest.text.slice(0, 200)}`);
}
