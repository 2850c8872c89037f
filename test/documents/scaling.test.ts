// The configuration of docs/scaling: a real HAProxy in front of two real worlds, one of them of three processes on a PostgreSQL.
// Commands find the process that leads, also after it has changed; reads, streams and WebSockets go through; addresses of clients
// are their own.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { startPostgres } from '../support/postgres/postgres.js';
import { freePort } from '../support/process/free-port.js';
import { GalaxydProcess, runGalaxyd } from '../support/process/galaxyd-process.js';
import { programPath } from '../support/process/program-path.js';
import { type Answer, Visitor } from '../support/visitor.js';

const FOLDER = new URL('../../../docs/scaling/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');
const ADMIN_KEY = 'operator-of-two-worlds';
const ASK_EVERY_MS = 20;

t.test('commands find the leader, reads any process, and addresses are those of clients', async (t) => {
  const haproxy = programPath('haproxy');
  if (haproxy === undefined) {
    t.pass('not tested', { skip: 'HAProxy is not installed (Debian: apt-get install haproxy)' });
    return;
  }
  const postgres = await startPostgres(t);
  if (postgres === null) return;
  const ports = await Promise.all(Array.from({ length: 5 }, freePort));
  const [front = 0, alone = 0] = [ports[4], ports[3]];
  await startProxy(t, haproxy, front, ports);
  const serve = (args: readonly string[], env = {}): Promise<GalaxydProcess> =>
    GalaxydProcess.start(t, {
      args: ['serve', '--clock', 'manual', '--min-free-mib', '0', '--trusted-proxies', '127.0.0.1']
        .concat('--allowed-hosts', 'one.game.example,two.game.example')
        .concat(args),
      env: { GALAXYD_ADMIN_KEY: ADMIN_KEY, ...env },
    });
  const data = await temporaryFolder(t);
  await serve([
    '--port',
    String(alone),
    '--data',
    data,
    '--rate-limits',
    'on',
    '--rate-burst',
    '5',
    '--rate-per-second',
    '1',
  ]);
  const shared = { GALAXYD_DATA: postgres.url() };
  for (const port of ports.slice(0, 3)) await serve(['--port', String(port)], shared);

  const one = new Visitor({ port: front, host: 'one.game.example' });
  const created = await commanded(one, 'ada');
  t.equal(created.status, 201);
  const seq = String(created.headers['x-world-seq']);
  const readers = new Set<unknown>();
  // HAProxy notices within a second that a process is there.
  while (readers.size < 3) {
    const { status, headers, text } = await one.ask('GET', '/api/leaderboard', undefined, { 'x-min-seq': seq });
    readers.add(headers['x-served-by']);
    if (status !== 200 || !text.includes('"ada"')) t.fail(`a read does not show the command: ${status} ${text}`);
    await delay(ASK_EVERY_MS);
  }
  const stream = one.streamed('/api/event/world/stream?since=0', 'bob');
  t.equal((await commanded(one, 'bob')).status, 201);
  await stream;
  t.equal(await one.called('/api/game/player', { name: 'cid', isBot: true }), 201, 'a WebSocket takes commands');

  const leader = created.headers['x-served-by'];
  const promoted = await runGalaxyd(t, { args: ['promote', '--json'], env: shared });
  t.equal(promoted.code, 0, promoted.stderr);
  const next = await commanded(one, 'dan');
  t.match([next.status, next.headers['x-served-by'] === leader], [201, false], 'commands go to the new leader');

  t.equal((await one.ask('GET', '/metrics')).status, 404);
  t.equal((await new Visitor({ port: front, host: 'three.game.example' }).ask('GET', '/')).status, 404);
  t.equal((await one.ask('POST', '/api/admin/snapshot', {}, { authorization: `Bearer ${ADMIN_KEY}` })).status, 404);

  // All addresses of 127.0.0.0/8 are this machine's; only one of them is a proxy that is trusted.
  const greedy = new Visitor({ port: front, host: 'two.game.example', address: '127.0.0.2' });
  const claims = Array.from({ length: 40 }, (_, count) => ({ 'x-forwarded-for': `10.0.0.${count}` }));
  const answers = await Promise.all(claims.map((claim) => greedy.ask('GET', '/api/leaderboard', undefined, claim)));
  const statuses = new Set(answers.map(({ status }) => status));
  t.same([...statuses].sort(), [200, 429], 'the limit is that of the address, whatever a client claims');
  t.equal(
    (await new Visitor({ port: front, host: 'two.game.example', address: '127.0.0.3' }).ask('GET', '/api/leaderboard'))
      .status,
    200,
  );
});

/** The configuration as it is in the documents, with other ports. */
async function startProxy(t: Test, program: string, front: number, ports: readonly number[]): Promise<void> {
  const folder = await temporaryFolder(t);
  const map = join(folder, 'worlds.map');
  await writeFile(map, read('worlds.map'));
  const text = ports
    .slice(0, 4)
    .reduce(
      (config, port, index) => config.replaceAll(`127.0.0.1:${3_001 + index}`, `127.0.0.1:${port}`),
      read('haproxy.cfg'),
    )
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${front}`)
    .replaceAll('/etc/haproxy/worlds.map', map);
  await writeFile(join(folder, 'haproxy.cfg'), text);
  const proxy = spawn(program, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
  t.teardown(() => proxy.kill('SIGKILL'));
}

/** Creates a player, as a client would: again with the same key as long as nobody leads. */
async function commanded(visitor: Visitor, name: string): Promise<Answer> {
  for (;;) {
    const answer = await visitor
      .ask('POST', '/api/game/player', { name, isBot: true }, { 'idempotency-key': `key-of-${name}` })
      .catch(() => null);
    if (answer !== null && answer.status !== 503 && answer.status !== 421) return answer;
    await delay(ASK_EVERY_MS);
  }
}
