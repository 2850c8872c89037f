// galaxyd swarm against real servers, as real processes: what it does, how it resumes, and what it refuses.
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { SwarmSummary } from '../../../arena/swarm/measures.js';
import { hasNativeBuild } from '../../../http/world-server.js';
import { Client } from '../../support/process/client.js';
import { freePort } from '../../support/process/free-port.js';
import {
  type Ending,
  GalaxydProcess,
  interruptGalaxyd,
  runGalaxyd,
  runInTurn,
} from '../../support/process/galaxyd-process.js';

const ADMIN_KEY = 'the-operator-of-this-swarm';
const ADMIN = { GALAXYD_ADMIN_KEY: ADMIN_KEY };
/** A fast world: bots act every second. */
const FAST = ['--speed', '600'];

interface Status {
  readonly players: number;
  readonly seq: number;
}

async function statusOf(url: string): Promise<Status> {
  const client = new Client(url);
  const { body } = await client.get<Status>('/api/status');
  client.close();
  return body;
}

function swarm(server: string, ...flags: readonly string[]): readonly string[] {
  return ['swarm', '--server', server, '--json', ...flags];
}

/** The last line of what it printed. It must have ended well, and made no errors. */
function summaryOf(t: Test, { code, stdout, stderr }: Ending): SwarmSummary {
  t.equal(code, 0, stderr);
  const summary = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SwarmSummary;
  t.equal(summary.errors, 0, summary.errorWords.join('\n'));
  return summary;
}

for (const transport of hasNativeBuild ? ['native', 'javascript'] : ['javascript']) {
  t.test(`fifty bots play over the ${transport} transport`, async (t) => {
    const args = ['serve', '--port', '0', '--data', t.testdir(), ...FAST, '--transport', transport];
    const { url } = await GalaxydProcess.start(t, { args, env: ADMIN });
    const flags = ['--bots', '50', '--seconds', '2', '--mix', 'greedy:3,expander,raider'];
    const summary = summaryOf(t, await runGalaxyd(t, { args: swarm(url, ...flags), env: ADMIN }));
    t.match(summary, { bots: 50, kinds: { greedy: 30, expander: 10, raider: 10 }, transport: 'websocket' });
    t.ok(summary.commands > 50 && summary.events > summary.commands / 2, JSON.stringify(summary));
    t.equal((await statusOf(url)).players, 50);
  });
}

t.test('in a world with keys a swarm killed with SIGKILL finds its players again', async (t) => {
  const args = ['serve', '--port', '0', '--data', t.testdir(), ...FAST, '--auth', 'key', '--rate-limits', 'off'];
  const { url } = await GalaxydProcess.start(t, { args: [...args, '--registrations-per-minute', '600'], env: ADMIN });
  const keys = join(t.testdir({ other: {} }), 'keys');
  const alone = swarm(url, '--bots', '20', '--mix', 'greedy,random', '--keys', keys);
  const killed = await interruptGalaxyd(t, { args: alone }, '20 bots play', 'SIGKILL');
  t.equal(killed.signal, 'SIGKILL');
  const again = summaryOf(t, await runGalaxyd(t, { args: [...alone, '--seconds', '1'] }));
  t.equal(again.bots, 20);
  t.ok(again.commands > 0);
  const secret = swarm(
    url,
    '--bots',
    '8',
    '--prefix',
    'derived',
    '--key-secret',
    'a secret of sixteen',
    '--seconds',
    '1',
  );
  t.equal(summaryOf(t, await runGalaxyd(t, { args: secret, env: ADMIN })).bots, 8);
  t.equal(summaryOf(t, await runGalaxyd(t, { args: secret })).bots, 8, 'without the operator, too');
  t.equal((await statusOf(url)).players, 28);
  const stranger = swarm(url, '--bots', '4', '--mix', 'greedy', '--keys', `${keys}-2`, '--seconds', '1');
  t.match(await runGalaxyd(t, { args: stranger }), { code: 1, stderr: /swarm-… exist, and their keys are not known/ });
  t.equal(summaryOf(t, await runGalaxyd(t, { args: stranger, env: ADMIN })).bots, 4, 'the operator replaces lost keys');
});

t.test('a swarm goes on after its server was killed with SIGKILL', async (t) => {
  const port = await freePort();
  const args = ['serve', '--port', String(port), '--data', t.testdir(), ...FAST];
  const first = await GalaxydProcess.start(t, { args });
  const playing = runGalaxyd(t, {
    args: swarm(first.url, '--bots', '12', '--mix', 'greedy,expander', '--seconds', '5'),
  });
  while ((await statusOf(first.url)).seq < 40) await delay(20);
  await first.kill();
  const second = await GalaxydProcess.start(t, { args });
  const { seq } = await statusOf(second.url);
  const summary = summaryOf(t, await playing);
  t.ok((await statusOf(second.url)).seq > seq, 'it plays on');
  t.equal(summary.bots, 12);
  t.equal((await statusOf(second.url)).players, 12);
});

/** A proxy that passes requests and no WebSockets. */
async function withoutSockets(t: Test, url: string): Promise<string> {
  const { port } = new URL(url);
  const proxy = createServer((incoming, reply) => {
    const { method, url: path, headers } = incoming;
    const forwarded = request({ port, method, path, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    forwarded.on('error', () => reply.destroy());
    reply.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  proxy.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 501 Not Implemented\r\n\r\n'));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

t.test('without WebSockets the bots play over HTTP', async (t) => {
  const args = ['serve', '--port', '0', '--data', t.testdir(), ...FAST];
  const { url } = await GalaxydProcess.start(t, { args });
  const proxied = await withoutSockets(t, url);
  const ending = await runGalaxyd(t, { args: swarm(proxied, '--bots', '20', '--seconds', '2') });
  t.match(ending.stderr, /no WebSocket, so the bots play over HTTP/);
  const summary = summaryOf(t, ending);
  t.equal(summary.transport, 'http');
  t.ok(summary.commands > 20 && summary.events > 20, JSON.stringify(summary));
});

t.test('without a server it starts a world of its own, which ends with it', async (t) => {
  const data = join(t.testdir({ here: {} }), 'world');
  const args = ['swarm', '--bots', '20', '--data', data, '--json', ...FAST];
  const ending = await interruptGalaxyd(t, { args }, '20 bots play');
  t.match(ending.stderr, /watch it at (http:\/\/127\.0\.0\.1:\d+)\/dashboard/);
  t.equal(summaryOf(t, ending).bots, 20, 'SIGINT ends it in order');
  const url = /watch it at (\S+)\/dashboard/.exec(ending.stderr)?.[1] ?? '';
  await t.rejects(statusOf(url), 'the server is gone');
  const again = await runGalaxyd(t, { args: [...args, '--seconds', '1'] });
  t.equal(summaryOf(t, again).bots, 20, 'the next one plays on there');
  const killed = await interruptGalaxyd(t, { args }, '20 bots play', 'SIGKILL');
  const orphan = /watch it at (\S+)\/dashboard/.exec(killed.stderr)?.[1] ?? '';
  await until(async () => !(await isListening(orphan)));
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20);
}

function isListening(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

t.test('what cannot be done is refused with a sentence', async (t) => {
  const { url } = await GalaxydProcess.start(t, {
    args: ['serve', '--port', '0', '--data', t.testdir(), '--registration', 'closed', '--auth', 'key'],
    env: ADMIN,
  });
  const wrong = ['--admin-key', 'not-the-operator'];
  const rows: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['--mix', 'genius:2'], 2, /There is no bot "genius"/],
    [['--mix', 'greedy:0'], 2, /weight of greedy/],
    [['--bots', '0'], 2, /whole number from 1 to 10000/],
    [['--bots', '10001'], 2, /whole number from 1 to 10000/],
    [['--server', 'nowhere'], 2, /must be the URL of a galaxyd/],
    [['--keys', 'k'], 2, /--keys needs --server/],
    [['--server', url, '--speed', '60'], 2, /--speed is for a world of its own/],
    [['--server', url, '--keys', 'k', '--key-secret', 'a secret of sixteen'], 2, /exclude each other/],
    [['--server', url, '--key-secret', 'short'], 2, /16 to 256 characters/],
    [['--prefix', 'a b'], 2, /letters, digits and hyphens/],
    [['--server', 'http://127.0.0.1:1'], 1, /no galaxyd answers at http:\/\/127\.0\.0\.1:1/],
    [['--server', url, '--keys', '/dev/null/keys'], 1, /a part of the path is not a folder/],
    [
      ['--server', url, '--key-secret', 'a secret of sixteen'],
      1,
      /only the operator creates players in this world: name its --admin-key/,
    ],
    [['--server', url, '--key-secret', 'a secret of sixteen', ...wrong], 1, /does not accept this --admin-key/],
    [['--server', url], 1, /name --keys or --key-secret/],
  ];
  const endings = await runInTurn(
    t,
    rows.map(([flags]) => ['swarm', ...flags]),
  );
  for (const [index, [flags, code, stderr]] of rows.entries())
    t.match(endings[index], { code, stderr }, flags.join(' '));
});
