// galaxyd swarm as a process, against real servers: what it does, how it ends and resumes, and what it refuses.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { SwarmSummary } from '../../../arena/swarm/measures.js';
import { defaultTransport } from '../../../http/world-server.js';
import { Client } from '../../support/process/client.js';
import { freePort } from '../../support/process/free-port.js';
import {
  type Ending,
  GalaxydProcess,
  interruptGalaxyd,
  runGalaxyd,
  runInTurn,
} from '../../support/process/galaxyd-process.js';
import { shortOrLong } from '../../support/process/lengths.js';

const ADMIN = { GALAXYD_ADMIN_KEY: 'the-operator-of-this-swarm' };
/** The command line that the README shows. */
const README = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
const SHOWN = /^npm run galaxyd -- (swarm .+)$/m.exec(README)?.[1]?.split(' ') ?? [];
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

/** Parses the last line of the output. The swarm must have ended well and without errors. */
function summaryOf(t: Test, { code, stdout, stderr }: Ending): SwarmSummary {
  t.equal(code, 0, stderr);
  const summary = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SwarmSummary;
  t.equal(summary.errors, 0, summary.errorWords.join('\n'));
  return summary;
}

/** With the native transport the swarm also ends by a signal and resumes. With the other one it only plays, with LONG=1. */
const TRANSPORTS = defaultTransport() === 'native' ? shortOrLong(['native'], ['native', 'javascript']) : ['javascript'];

for (const transport of TRANSPORTS) {
  t.test(`fifty bots play in a world of their own over the ${transport} transport`, async (t) => {
    const data = join(t.testdir({ here: {} }), 'world');
    const args = [...SHOWN, '--bots', '50', '--mix', 'greedy:3,expander,raider', '--data', data, '--json', ...FAST];
    const ending = await runGalaxyd(t, { args: [...args, '--seconds', '2', '--transport', transport] });
    const summary = summaryOf(t, ending);
    t.match(ending.stderr, 'new players are protected for 288 s; then war begins', '48 hours at 600 times the speed');
    t.match(summary, { bots: 50, kinds: { greedy: 30, expander: 10, raider: 10 }, transport: 'websocket' });
    t.ok(summary.commands > 50 && summary.events > summary.commands / 2, JSON.stringify(summary));
    t.notOk(await isListening(dashboardOf(ending)), 'the server has ended, too');
    if (transport !== 'native') return;
    const killed = await interruptGalaxyd(t, { args }, '50 bots play', 'SIGKILL');
    t.equal(killed.signal, 'SIGKILL', 'the next swarm plays on there');
    while (await isListening(dashboardOf(killed))) await delay(20);
  });
}

function dashboardOf({ stderr }: Ending): string {
  return /watch it at (http:\S+)\/dashboard/.exec(stderr)?.[1] ?? '';
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

t.test('a swarm killed with SIGKILL finds its players and their keys again, and SIGINT ends it in order', async (t) => {
  const folder = t.testdir();
  const args = ['serve', '--port', '0', '--data', join(folder, 'world'), ...FAST, '--auth', 'key'];
  const { url } = await GalaxydProcess.start(t, { args, env: ADMIN });
  const keys = join(folder, 'keys');
  const swarm = ['swarm', '--server', url, '--bots', '20', '--mix', 'greedy,random', '--keys', keys, '--json'];
  const killed = await interruptGalaxyd(t, { args: swarm }, '20 bots play', 'SIGKILL');
  t.equal(killed.signal, 'SIGKILL');
  const again = summaryOf(t, await interruptGalaxyd(t, { args: swarm }, '20 bots play'));
  t.equal(again.bots, 20);
  t.equal((await statusOf(url)).players, 20);
});

t.test('a swarm goes on after its server was killed with SIGKILL', async (t) => {
  const port = await freePort();
  const args = ['serve', '--port', String(port), '--data', t.testdir(), ...FAST];
  const first = await GalaxydProcess.start(t, { args });
  const swarm = ['swarm', '--server', first.url, '--bots', '12', '--mix', 'greedy,expander', '--json'];
  const hasPlayed = async (url: string, seq: number): Promise<void> => {
    while ((await statusOf(url)).seq < seq) await delay(20);
  };
  const replaced = async (): Promise<void> => {
    await hasPlayed(first.url, 40);
    await first.kill();
    const second = await GalaxydProcess.start(t, { args });
    const { seq, players } = await statusOf(second.url);
    t.equal(players, 12);
    await hasPlayed(second.url, seq + 12);
  };
  const playsOn = replaced();
  const summary = summaryOf(t, await interruptGalaxyd(t, { args: swarm }, playsOn));
  await playsOn;
  t.match(summary, { bots: 12 });
});

t.test('what cannot be done is refused with a sentence', async (t) => {
  const args = ['serve', '--port', '0', '--data', t.testdir(), '--registration', 'closed', '--auth', 'key'];
  const { url } = await GalaxydProcess.start(t, { args, env: ADMIN });
  const derived = ['--server', url, '--key-secret', 'a secret of sixteen'];
  const rows: readonly (readonly [flags: readonly string[], code: number, stderr: RegExp])[] = [
    [['--mix', 'genius:2'], 2, /There is no bot "genius"/],
    [['--mix', 'greedy:0'], 2, /weight of greedy/],
    [['--bots', '0'], 2, /whole number from 1 to 10000/],
    [['--bots', '10001'], 2, /whole number from 1 to 10000/],
    [['--seconds', '0'], 2, /whole number from 1/],
    [['--server', 'nowhere'], 2, /must be the URL of a galaxyd/],
    [['--prefix', 'a b'], 2, /letters, digits and hyphens/],
    [['--server', url, '--key-secret', 'short'], 2, /16 to 256 characters/],
    [['--keys', 'k'], 2, /--keys needs --server/],
    [['--key-secret', 'a secret of sixteen'], 2, /--key-secret needs --server/],
    [['--server', url, '--speed', '60'], 2, /--speed is for a world of its own/],
    [[...derived, '--keys', 'k'], 2, /exclude each other/],
    [['--server', url], 1, /name --keys or --key-secret/],
    [['--server', url, '--keys', '/dev/null/keys'], 78, /a part of the path is not a folder/],
    [derived, 1, /only the operator creates players in this world: name its --admin-key/],
    [[...derived, '--admin-key', 'not-the-operator'], 1, /does not accept this --admin-key/],
  ];
  const lines = rows.map(([flags]) => ['swarm', ...flags]);
  const endings = await runInTurn(t, lines);
  for (const [index, [flags, code, stderr]] of rows.entries())
    t.match(endings[index], { code, stderr }, flags.join(' '));
});
