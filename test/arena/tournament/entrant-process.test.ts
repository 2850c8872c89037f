// Commands as entrants: what they learn, and that nothing of them is left, whatever they do.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { OUTPUT_BYTES_MAX } from '../../../arena/limits.js';
import { type EntrantCommand, EntrantProcess } from '../../../arena/tournament/entrant-process.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { putTemporaryFilesIn } from '../support/temporary-files.js';

const PATH = process.env['PATH'] ?? '';

interface Started {
  readonly running: EntrantProcess;
  /** What it has printed so far. */
  log(): Promise<string>;
}

function start(t: Test, words: readonly string[]): Promise<Started> {
  return startCommand(t, async () => ({ words, server: 'http://127.0.0.1:1' }));
}

async function startCommand(t: Test, command: () => Promise<EntrantCommand>): Promise<Started> {
  const logFile = join(await temporaryFolder(t), 'entrant.log');
  const running = await EntrantProcess.start({
    command,
    playerId: 'player-7',
    apiKey: 'gxd_key',
    path: PATH,
    logFile,
  });
  t.teardown(() => running.stop(0));
  return { running, log: () => readFile(logFile, 'utf8') };
}

const shell = (t: Test, script: string): Promise<Started> => start(t, ['/bin/sh', '-c', script]);

async function printed({ log }: Started, words: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const found = words.exec(await log().catch(() => ''));
    if (found !== null) return found;
    await delay(5);
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

t.test('it gets five variables and a folder of its own, which is removed', async (t) => {
  const started = await shell(t, 'pwd; env | sort; echo hello > left.txt');
  t.same(await started.running.ended, { code: 0, signal: null, failure: null });
  await started.running.stop();
  const [folder = '', ...variables] = (await started.log()).split('\n');
  // The shell itself adds some.
  const own = variables.filter((line) => /^[A-Z_]+=/.test(line) && !/^(PWD|OLDPWD|SHLVL|_)=/.test(line));
  t.same(own, [
    'GALAXYD_API_KEY=gxd_key',
    'GALAXYD_PLAYER=player-7',
    'GALAXYD_SERVER=http://127.0.0.1:1',
    `HOME=${folder}`,
    `PATH=${PATH}`,
  ]);
  t.match(folder, /galaxyd-entrant-/);
  t.notOk(existsSync(folder));
  t.match(await started.log(), /\(exit code 0\)\n$/);
});

t.test('one that crashes, or cannot be started, has ended', async (t) => {
  const crashed = await shell(t, 'echo oops >&2; exit 3');
  t.same(await crashed.running.ended, { code: 3, signal: null, failure: null });
  t.same(await crashed.running.stop(), { code: 3, signal: null, failure: null });
  t.equal(await crashed.log(), 'oops\n\n(exit code 3)\n');
  const killed = await shell(t, 'kill -9 $$');
  t.same(await killed.running.ended, { code: null, signal: 'SIGKILL', failure: null });
  const missing = await start(t, ['/nowhere/bot']);
  t.match(await missing.running.ended, { code: null, failure: /ENOENT/ });
  t.match(await missing.running.stop(), { failure: /ENOENT/ });
  t.match(await missing.log(), /ENOENT/);
});

t.test('one that the system refuses at once, or that has no command, has ended and leaves no folder', async (t) => {
  const folders = await temporaryFolder(t);
  putTemporaryFilesIn(t, folders);
  // One argument may have 128 KiB on Linux, and all of them 1 MiB on macOS.
  const large = await start(t, ['/bin/sh', '-c', 'exit 0', 'x'.repeat(2_000_000)]);
  t.match(await large.running.ended, { code: null, failure: /E2BIG/ });
  const none = await startCommand(t, () => Promise.reject(new Error('its files are gone')));
  for (const { running } of [large, none]) await running.stop(0);
  t.match(await none.log(), /\(its files are gone\)\n$/);
  const left = (await readdir(folders)).filter((name) => name.startsWith('galaxyd-entrant-'));
  t.same(left, []);
});

t.test('the id of one that has ended alone is forgotten, since it may come to be that of a stranger', async (t) => {
  const signals = t.capture(process, 'kill', process.kill);
  const alone = await shell(t, 'exit 0');
  await alone.running.ended;
  await alone.running.stop(0);
  t.same(signals(), [], 'nobody is signalled');
  const parent = await shell(t, 'sleep 1000 & exit 0');
  await parent.running.ended;
  await parent.running.stop(0);
  const [{ args: [group] = [] } = {}] = signals();
  t.ok(Number(group) < 0, 'the group of one that has left processes behind is');
});

t.test('one that ignores SIGTERM, and all that it has started, are killed', async (t) => {
  const started = await shell(t, "trap '' TERM; sleep 1000 & echo child $!; (sleep 1000; echo x) & wait; sleep 1000");
  const [, child] = await printed(started, /child (\d+)/);
  t.same(await started.running.stop(0), { code: null, signal: 'SIGKILL', failure: null });
  while (isAlive(Number(child))) await delay(5);
  t.pass('the processes that it started are gone');
});

t.test('processes of one that has ended before are killed, too', async (t) => {
  const started = await shell(t, 'sleep 1000 & echo child $!');
  const [, child] = await printed(started, /child (\d+)/);
  await started.running.ended;
  await started.running.stop();
  while (isAlive(Number(child))) await delay(5);
  t.pass();
});

const noProc = existsSync('/proc/self/environ') ? false : 'only Linux shows the environment of processes';

t.test('processes that have left its group are killed, too', { skip: noProc }, async (t) => {
  // The second one holds the output open.
  const scripts = [
    'setsid sleep 1000 >/dev/null 2>&1 & echo one $!',
    '(setsid sh -c "trap \'\' TERM; echo two \\$\\$; sleep 1000" &)',
  ];
  const started = await shell(t, `${scripts.join('; ')}; sleep 1000`);
  const [, one] = await printed(started, /one (\d+)/);
  const [, two] = await printed(started, /two (\d+)/);
  await started.running.stop(0);
  while (isAlive(Number(one)) || isAlive(Number(two))) await delay(5);
  t.pass();
});

t.test('processes without its environment, which have left its session, are killed', { skip: noProc }, async (t) => {
  // Each `exec` closes what the process would be known by otherwise.
  const scripts = [
    // Known by its folder.
    `(env -i setsid sh -c 'echo one $$; exec sleep 1000 >/dev/null 2>&1' &)`,
    // Known by its output; and what it has started, by that.
    `(cd /; env -i setsid sh -c 'echo two $$; setsid sh -c "echo three \\$\\$; exec sleep 1000 >/dev/null 2>&1" & wait' &)`,
    'sleep 1000',
  ];
  const started = await shell(t, scripts.join('\n'));
  const pids: number[] = [];
  for (const number of ['one', 'two', 'three'])
    pids.push(Number((await printed(started, new RegExp(`${number} (\\d+)`)))[1]));
  await started.running.stop(0);
  while (pids.some(isAlive)) await delay(5);
  t.pass();
});

t.test('one that ends at SIGTERM, or by itself, is not killed', async (t) => {
  const polite = await shell(t, "trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.02; done");
  await printed(polite, /ready/);
  t.same(await polite.running.stop(0), { code: 5, signal: null, failure: null });
  t.match(await polite.log(), /bye/);
  const leaving = await shell(t, 'sleep 0.05; exit 6');
  t.same(await leaving.running.stop(), { code: 6, signal: null, failure: null });
});

t.test('of endless output only the beginning is kept, and the rest is read slowly', async (t) => {
  const started = await shell(t, 'echo first; yes');
  await printed(started, /first/);
  while ((await started.log()).length < OUTPUT_BYTES_MAX) await delay(20);
  await started.running.stop(0);
  const text = await started.log();
  t.ok(text.startsWith('first\ny\ny\n'));
  t.ok(text.length <= OUTPUT_BYTES_MAX + 200, `${text.length}`);
  t.match(text, /\(\d+ further bytes were dropped\)\n\(ended by SIG(TERM|PIPE|KILL)\)\n$/);
});
