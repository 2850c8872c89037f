// The sandbox of entrants: what one in it can see, write, reach and leave behind, and when a tournament refuses to begin.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { SANDBOX_FOLDER_MIB } from '../../../arena/limits.js';
import { programAt } from '../../../arena/tournament/entrants.js';
import { timingsIn } from '../../../arena/tournament/folder.js';
import { requireSandbox, SANDBOX_HOME, type Sandbox } from '../../../arena/tournament/sandbox.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { galaxyd } from '../../support/process/operator.js';
import { findingsIn, played } from '../support/tournament-run.js';

const PATH = process.env['PATH'] ?? '';
const MEMORY_MIB = 512;

const sandboxFor = (out: string, folders: readonly string[] = []): Promise<Sandbox> =>
  requireSandbox({ path: PATH, folders, memoryMib: MEMORY_MIB, out });

/** Tries everything in its first turn, prints what came of it, and then plays. */
const SCRIPT = `
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { word } from './beside/word.mjs';
const { GALAXYD_SERVER: server, GALAXYD_API_KEY: key, HOME: home } = process.env;
const send = async (method, path) =>
  (await fetch(server + path, { method, headers: { authorization: 'Bearer ' + key } })).json();
const [foreignPort, foreignName] = process.argv.slice(2);
const foreignFile = new URL(foreignName, import.meta.url);
const attempt = (action) => { try { action(); return 'done'; } catch (error) { return error.code; } };
const writes = ['/', '/etc', '/usr', '/dev', '/dev/shm', '/galaxyd', home, '/tmp'];
const reached = (host, port) => new Promise((resolve) => {
  connect({ host, port: Number(port) }).on('connect', () => resolve('connected')).on('error', ({ code }) => resolve(code));
});
const fill = () => { for (let count = 0; ; count += 1) try { writeFileSync(home + '/large', Buffer.alloc(1 << 20), { flag: 'a' }); } catch (error) { return [count, error.code]; } };
const hungry = () => new Promise((resolve) => {
  const program = 'const kept = []; for (let count = 0; count < 100; count += 1) { kept.push(Buffer.alloc(64 << 20, 1)); console.log(count); }';
  let grown = 0;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.on('data', (text) => { grown = Math.max(grown, ...String(text).trim().split('\\n').map(Number)); });
  child.on('close', () => resolve(grown));
});
console.log('found', JSON.stringify({
  word,
  home,
  foreignKeys: readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).map((pid) => readFileSync('/proc/' + pid + '/environ', 'latin1'))
    .filter((text) => text.includes('GALAXYD_') && !text.includes(key)).length,
  pids: readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length,
  foreignFile: attempt(() => readFileSync(foreignFile)),
  certificates: readdirSync('/etc').includes('ssl') ? readdirSync('/etc/ssl') : [],
  shadow: attempt(() => readFileSync('/etc/shadow')),
  program: attempt(() => writeFileSync(process.argv[1], 'x')),
  writes: writes.filter((folder) => attempt(() => writeFileSync(folder + '/x', 'x')) === 'done'),
  reached: await reached('127.0.0.1', foreignPort),
  outside: await reached('192.0.2.1', 80),
  large: fill(),
  grown: await hungry(),
}));
spawn('setsid', ['sleep', '1234567'], { env: { PATH: process.env.PATH }, cwd: '/', stdio: 'ignore', detached: true }).unref();
for (;;) {
  const { state } = await send('GET', '/api/turn?wait=5');
  if (state === 'over') break;
  if (state === 'active') await send('POST', '/api/turn/end');
}
`;

const bubblewrap = programAt('bwrap', { folder: '/', path: PATH });
const trial = await sandboxFor('/nowhere/cup').then(
  () => null,
  ({ message }: Error) => message,
);
const skip =
  bubblewrap === null ? 'bubblewrap is not installed' : trial === null ? false : `no sandbox works here: ${trial}`;

t.test(
  'an entrant sees its own files and processes, writes to its folder, and reaches its game alone',
  { skip },
  async (t) => {
    const folder = await temporaryFolder(t);
    await mkdir(join(folder, 'beside'));
    const script = join(folder, 'entrant.mjs');
    await writeFile(script, SCRIPT);
    await writeFile(join(folder, 'beside', 'word.mjs'), "export const word = 'beside';");
    await writeFile(join(folder, 'entrant.json'), '{"files": ["beside"]}');
    const secret = join(folder, 'secret.txt');
    await writeFile(secret, 'secret');
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    t.teardown(() => listener.close());
    const { port } = listener.address() as { port: number };
    // A file that the command line named would be one of the program.
    const entrant = `curious=${process.execPath} ${script} ${port} secret.txt`;
    const out = join(folder, 'cup');
    const settings = { days: 0.1, seeds: [1] };
    const { result } = await played(t, `${entrant},greedy`, settings, {}, { out, sandbox: await sandboxFor(out) });

    const log = await readFile(join(out, 'games/0001/entrants/curious.log'), 'utf8');
    const found = JSON.parse(/^found (.*)$/m.exec(log)?.[1] ?? 'null');
    t.match(found, { word: 'beside', home: SANDBOX_HOME, foreignFile: 'ENOENT', shadow: 'ENOENT', program: 'EROFS' });
    const certificates: string[] = found?.certificates ?? ['none'];
    t.same(
      certificates.filter((name) => !['certs', 'openssl.cnf'].includes(name)),
      [],
      'no private keys',
    );
    t.equal(found?.foreignKeys, 0, 'no key of anybody else');
    t.equal(found?.pids, 3, 'bubblewrap, the forwarder and the entrant');
    t.same(found?.writes, [SANDBOX_HOME, '/tmp']);
    t.same([found?.reached, found?.outside], ['ECONNREFUSED', 'ENETUNREACH']);
    // It has written another file there.
    t.same(found?.large, [SANDBOX_FOLDER_MIB - 1, 'ENOSPC']);
    t.ok(found?.grown < MEMORY_MIB / 64, `${found?.grown} times 64 MiB`);
    t.match(log, /\(exit code 0\)\n$/);
    const [curious] = result.games[0]?.players.filter(({ label }) => label === 'curious') ?? [];
    t.match(curious, { overruns: 0, isWithdrawn: false });
    t.ok((curious?.wakeups ?? 0) > 0, 'it has played');
    t.same(await sleepers(), [], 'what it has started is gone, though it shares nothing with it');
    t.same(await findingsIn(out), []);
    const unbounded = (await timingsIn(out))?.games[0]?.unbounded ?? [];
    for (const words of ['processor', 'shared memory']) t.ok(unbounded.includes(words), words);
    t.notOk(unbounded.includes('files and network'));
  },
);

t.test('the forwarder ends as its entrant does, and with 128 and its number after any signal', async (t) => {
  const forwarder = fileURLToPath(new URL('../../../arena/tournament/sandbox-forwarder.js', import.meta.url));
  const codeAfter = async (script: string) => {
    const words = [forwarder, '/nowhere/server.sock', '0', '/bin/sh', '-c', script];
    const child = spawn(process.execPath, words, { stdio: 'ignore' });
    t.teardown(() => child.kill('SIGKILL'));
    return (await once(child, 'exit'))[0];
  };
  t.equal(await codeAfter('exit 3'), 3);
  // Node ignores the first, and listens for a debugger at the second.
  for (const signal of ['SIGPIPE', 'SIGUSR1', 'SIGKILL'] as const)
    t.equal(await codeAfter(`kill -${signal.slice(3)} $$`), 128 + constants.signals[signal], signal);
});

/** Processes that the entrant has left behind. */
async function sleepers(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')));
  return lines.filter((line) => line.includes('1234567'));
}

t.test('a further folder can be made readable, but none that has the tournament', { skip }, async (t) => {
  const folder = await temporaryFolder(t);
  const tools = join(folder, 'tools');
  await mkdir(tools);
  t.match(await sandboxFor(join(folder, 'cup'), [tools]), { folders: [tools] });
  const refused = { name: 'UnfitTournament', message: /entrants in a sandbox could read it/ };
  await t.rejects(sandboxFor(join(tools, 'cup'), [tools]), refused);
  await t.rejects(sandboxFor('/usr/cup'), refused);
});

t.test('without bubblewrap, or if it does not work, nothing begins', async (t) => {
  const out = join(await temporaryFolder(t), 'cup');
  const programs = await temporaryFolder(t);
  const required = () => requireSandbox({ path: programs, folders: [], memoryMib: MEMORY_MIB, out });
  await t.rejects(required(), { name: 'UnfitTournament', message: /apt-get install bubblewrap.*not in PATH/ });
  for (const name of ['bwrap', 'prlimit']) {
    await writeFile(join(programs, name), '#!/bin/sh\necho "No permissions to create new namespace" >&2\nexit 1\n');
    await chmod(join(programs, name), 0o755);
  }
  await t.rejects(required(), {
    name: 'UnfitTournament',
    message: /namespaces: No permissions to create new namespace$/,
  });
});

t.test('the command line bounds programs only with --sandbox, and says what it does not bound', async (t) => {
  const out = join(await temporaryFolder(t), 'cup');
  const play = (entrants: string, ...flags: string[]) =>
    galaxyd(t, 'tournament', '--entrants', entrants, '--days', '0.01', '--seeds', '1', '--out', out, ...flags);
  const refused = await play('idler,greedy', '--sandbox-memory-mib', '100');
  t.match(refused, { code: 2, stderr: /are for --sandbox, which is missing/ });
  t.match(await play('idler,greedy', '--sandbox', '--sandbox-memory-mib', '63'), { code: 2, stderr: /from 64 to/ });
  const open = await play('idler,gone=/bin/sh -c "exit 0"');
  t.match(
    open.stderr,
    /does not bound everything .*memory and processor; files and network; .*; --sandbox bounds them\n/,
  );
  t.ok((await timingsIn(out))?.games[0]?.unbounded.includes('files and network'));
});
