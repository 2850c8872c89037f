// The server that a swarm or a tournament starts: it must not outlive the process that has started it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { ChildServer, ChildServerFailed } from '../../arena/child-server.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';

const GALAXYD = fileURLToPath(new URL('../../cli/main.js', import.meta.url));
const CHILD_SERVER = new URL('../../arena/child-server.js', import.meta.url).href;
const ASK_EVERY_MS = 20;
/** Prints which process serves, and then does nothing. */
const PARENT = `
const { ChildServer } = await import(process.env.CHILD_SERVER);
const server = await ChildServer.start(JSON.parse(process.env.OPTIONS));
console.log(server.pid);
setInterval(() => {}, 1_000);
`;

/** The same, but it prints that before the server serves. */
const HASTY_PARENT = `
const { spawn } = await import('node:child_process');
const { program: [command, ...before], flags } = JSON.parse(process.env.OPTIONS);
console.log(spawn(command, [...before, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }).pid);
setInterval(() => {}, 1_000);
`;

const optionsFor = (data: string, ...more: readonly string[]) => ({
  program: [process.execPath, GALAXYD],
  flags: ['--data', data, '--port', '0', ...more],
});

t.test('it stops in order, and says how it ended', async (t) => {
  const server = await ChildServer.start(optionsFor(await temporaryFolder(t)));
  t.equal((await fetch(`${server.url}/healthz`)).status, 200);
  t.ok(server.isRunning);
  t.equal(await server.stop(), 0);
  t.notOk(server.isRunning);
});

const noProc = existsSync('/proc/self/environ') ? false : 'only Linux shows the environment of processes';

t.test('its operator has a key that is in no environment, command line or file', { skip: noProc }, async (t) => {
  const server = await ChildServer.start(optionsFor(await temporaryFolder(t)));
  t.teardown(() => server.kill());
  const answered = (key: string) =>
    fetch(`${server.url}/api/admin/players`, { headers: { authorization: `Bearer ${key}` } });
  t.equal((await answered(server.adminKey)).status, 200);
  t.equal((await answered(`${server.adminKey}x`)).status, 401);
  const [environment, words] = ['environ', 'cmdline'].map((name) =>
    readFileSync(`/proc/${server.pid}/${name}`, 'latin1'),
  );
  t.notOk(environment?.includes(server.adminKey));
  t.notOk(words?.includes(server.adminKey));
  const [, adminKeys = ''] = /--admin-keys\0([^\0]+)/.exec(words ?? '') ?? [];
  t.match(adminKeys, /admin-keys$/);
  t.notOk(existsSync(adminKeys), 'and its hash is not left behind');
});

t.test('one that cannot start says why', async (t) => {
  const starting = ChildServer.start(optionsFor(await temporaryFolder(t), '--rules', 'no-such-file.json'));
  await t.rejects(starting, { name: ChildServerFailed.name, message: /no-such-file\.json/ });
});

t.test('a signal ends it before it serves', async (t) => {
  const interruption = new AbortController();
  const starting = ChildServer.start(optionsFor(await temporaryFolder(t)), interruption.signal);
  interruption.abort(new Error('interrupted'));
  await t.rejects(starting, { message: 'interrupted' });
});

t.test('it stops if its parent is killed', async (t) => {
  const { parent, pid } = await begunBy(t, PARENT);
  t.ok(isRunning(pid));
  parent.kill('SIGKILL');
  await ended(pid);
});

// A server takes about a third of a second to start. Nothing listens while its modules are loaded.
for (const lateMs of [0, 50, 100, 200, 400]) {
  t.test(`it ends if its parent is killed ${lateMs} ms after it has started it`, async (t) => {
    const { parent, pid } = await begunBy(t, HASTY_PARENT);
    await delay(lateMs);
    parent.kill('SIGKILL');
    await ended(pid);
  });
}

/** Runs a program that starts a server and prints its process id. */
async function begunBy(t: Test, program: string): Promise<{ parent: ChildProcess; pid: number }> {
  const options = JSON.stringify(optionsFor(await temporaryFolder(t)));
  // The test runner would load its own loader into this process.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...env, CHILD_SERVER, OPTIONS: options },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => parent.kill('SIGKILL'));
  const [printed] = await once(parent.stdout, 'data');
  return { parent, pid: Number(printed) };
}

/** It would run until the time limit of the test. */
async function ended(pid: number): Promise<void> {
  while (isRunning(pid)) await delay(ASK_EVERY_MS);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
