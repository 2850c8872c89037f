// Runs the commands of the second part of docs/operating.md block by block: two servers of PostgreSQL made by Debian's
// programs, leader and standby on them, hand over, upgrade, failover, loss of the primary, backups, moves.
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { watchServersUnder } from '../support/postgres/watchdog.js';
import { freePort } from '../support/process/free-port.js';
import { ONLY_LONG, shortOrLong } from '../support/process/lengths.js';
import { runBlocks, shellBlocks } from '../support/shell.js';

const DOCUMENT = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
const [, PART = ''] = DOCUMENT.split('\n# A world in PostgreSQL\n');
const BLOCKS = shellBlocks(PART);
const NOBODY = 65_534;
const ASK_EVERY_MS = 20;
const isRoot = process.getuid?.() === 0;
const NEEDED = ['/usr/bin/pg_createcluster', '/usr/bin/setpriv', '/usr/lib/postgresql/15/bin/initdb'];
const missing = NEEDED.find((path) => !existsSync(path));
const skip = shortOrLong<string | false>(ONLY_LONG, missing === undefined ? false : `there is no ${missing}`);

t.test('every command about PostgreSQL does what it should, in this order', { skip }, async (t) => {
  const folder = await temporaryFolder(t);
  const home = await clusterHome(t);
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
  const blocks = BLOCKS.map((block) =>
    block
      .replaceAll(/\b(3000|3001|5433|5434)\b/g, (port) => String(ports[['3000', '3001', '5433', '5434'].indexOf(port)]))
      .replaceAll('/var/lib/postgresql', join(home, 'lib'))
      .replaceAll('galaxyd serve --data moved', 'galaxyd serve --min-free-mib 0 --data moved'),
  );
  const ending = await runBlocks(t, folder, blocks, {
    programs: { sudo: sudo(home) },
    env: { HOME: folder, LC_ALL: 'C' },
  });
  if (ending === null) {
    t.pass('not tested', { skip: 'there is no bash, or no curl' });
    return;
  }
  t.equal(ending.code, 0, `${ending.stdout}\n${ending.stderr}\n${await logsIn(folder)}`);
  t.equal(ending.stdout.split('--- block').length - 1, BLOCKS.length);
  t.match(ending.stdout, /leads \(epoch \d+\); http:\S+ handed over in \d+ ms\n/);
  t.match(
    ending.stdout,
    /the switch took \d+\.\d s; the source is complete up to seq \d+\nstart the server with --data moved, /,
  );
  t.match(ending.stdout, /galaxyd_replica_is_leader [01]\n/);
  t.notOk(/choose-(one|another)/.test(`${ending.stdout}${ending.stderr}${await logsIn(folder)}`), 'without a password');
});

/** A folder of the user that runs PostgreSQL. At the end of the test its servers are stopped, and it is removed. */
async function clusterHome(t: Test): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'galaxyd-clusters-'));
  const clusters = join(home, 'lib', '15');
  const callOff = watchServersUnder(clusters);
  t.teardown(async () => {
    for (const name of await readdir(clusters)) await stopServer(join(clusters, name));
    await rm(home, { recursive: true, force: true });
    await callOff();
  });
  for (const part of ['', 'lib', 'lib/15', 'etc', 'log', 'run']) {
    if (part !== '') await mkdir(join(home, part));
    if (isRoot) await chown(join(home, part), NOBODY, NOBODY);
  }
  return home;
}

async function stopServer(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  const [pid = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  if (pid === '') return;
  process.kill(Number(pid), 'SIGINT');
  while (existsSync(file)) await delay(ASK_EVERY_MS);
}

/**
 * Stands for sudo: runs the programs of PostgreSQL as a user without rights, with the folders of this test. The superuser of
 * the database has the name of that user.
 */
function sudo(home: string): string {
  const as = isRoot ? `setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups ` : '';
  return `#!/bin/bash
set -e
cd '${home}'
export HOME='${home}' PG_CLUSTER_CONF_ROOT='${home}/etc' PGDATABASE=postgres PATH=/usr/bin:/bin
if [[ $1 == -u ]]; then shift 2; fi
if [[ $1 == pg_createcluster ]]; then
  version=$2 name=$3
  shift 3
  set -- pg_createcluster "$version" "$name" --datadir="$HOME/lib/$version/$name" --logfile="$HOME/log/$name.log" --socketdir="$HOME/run" "$@"
fi
exec ${as}"$@"
`;
}

async function logsIn(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  const texts = await Promise.all(
    names.map(async (name) => `--- ${name}\n${await readFile(join(folder, name), 'utf8')}`),
  );
  return texts.join('\n');
}
