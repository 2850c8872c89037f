// A server at its limit of open files: it refuses operations that need another one, reports that, and goes on. Nothing
// is lost.
import { readdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { LMDB_FILES } from '../../persistence/limits.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import type { Client } from '../support/process/client.js';
import type { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { limitedTo } from '../support/process/hoard.js';
import { createBot, manualArgs, start } from '../support/process/operator.js';
import { hashOf } from '../support/process/snapshot-worlds.js';

const HOARDING = new URL('../support/process/hoarding.js', import.meta.url);
/** Files that the server may have open, and connections that take more than that. */
const FILE_LIMIT = 300;
const CONNECTIONS = 700;
/** More descriptors than a snapshot needs. */
const FREE_FILES_MAX = 50;
/** How often a condition is checked. */
const LOOK_MS = 5;

const limitsFiles = process.platform !== 'win32';
const showsOpenFiles = process.platform === 'linux';

t.test('with few descriptors left a snapshot fails, and the server goes on', { skip: !limitsFiles }, async (t) => {
  const folder = await temporaryFolder(t);
  const order = join(await temporaryFolder(t), 'order');
  const variables = [`NODE_OPTIONS=--import=${HOARDING}`, `HOARD_ORDER=${order}`];
  const { galaxyd, client } = await start(t, {
    args: manualArgs(folder),
    by: [...limitedTo(FILE_LIMIT), 'env', ...variables],
  });
  let orders = 0;
  /** @param freeFiles descriptors that the server still has, not counting those of its open files */
  const leave = async (freeFiles: number | 'all'): Promise<void> => {
    await writeFile(order, String(freeFiles));
    galaxyd.signal('SIGUSR2');
    orders += 1;
    await until(galaxyd, () => galaxyd.stderr.split('\n').length > orders);
  };
  const refusals: string[] = [];
  for (let freeFiles = 0; freeFiles <= FREE_FILES_MAX; freeFiles += 1) {
    // Each snapshot then has something to cut, and the command was written to the log before its reply.
    t.equal(await createBot(client, `before-${freeFiles}`), 201);
    await leave(freeFiles);
    const { status, body } = await snapshot(client);
    t.equal(await createBot(client, `after-${freeFiles}`), 201, `${freeFiles} descriptors left: ${status}`);
    if (status === 201) break;
    t.match([status, body.code], [503, 'snapshot_failed']);
    refusals.push(body.detail ?? '');
  }
  t.ok(
    refusals.length > LMDB_FILES && refusals.length < FREE_FILES_MAX,
    `after ${refusals.length} refusals there were enough`,
  );
  for (const refusal of refusals) t.match(refusal, /EMFILE: too many open files/);
  const told = galaxyd.stdout.match(/galaxyd could not take a snapshot and continues without it: /g)?.length;
  t.equal(told, refusals.length, 'the server has logged each of them');
  await leave('all');
  await sameAfterRestart(t, folder, galaxyd, client);
});

t.test('more connections than files: the server lives, and takes a snapshot afterwards', async (t) => {
  if (!showsOpenFiles) {
    t.pass('not tested', { skip: 'only Linux shows the files that another process has open' });
    return;
  }
  const folder = await temporaryFolder(t);
  const { galaxyd, client } = await start(t, { args: manualArgs(folder), by: limitedTo(FILE_LIMIT) });
  t.equal(await createBot(client, 'ada'), 201);
  const filesBefore = await openFilesOf(galaxyd);
  const crowd = new Crowd(galaxyd.url, CONNECTIONS);
  t.teardown(() => crowd.leave());
  // It either has no descriptor left or closes connections before that.
  await until(galaxyd, async () => crowd.isTurnedAway || (await openFilesOf(galaxyd)) >= FILE_LIMIT);
  const { status, body } = await snapshot(client);
  t.ok(status === 201 || body.code === 'snapshot_failed', `the snapshot is answered with ${status}`);
  t.equal(await createBot(client, 'bob'), 201, 'commands still work');
  crowd.leave();
  await until(galaxyd, async () => (await openFilesOf(galaxyd)) < filesBefore + 10);
  await sameAfterRestart(t, folder, galaxyd, client);
});

/** Checks that a snapshot can be taken now, and that acknowledged commands are there after a kill. */
async function sameAfterRestart(t: Test, folder: string, galaxyd: GalaxydProcess, client: Client): Promise<void> {
  // A server that had no room for connections listens again shortly after there is room.
  await until(galaxyd, () => acceptsConnections(galaxyd.url));
  t.equal(await createBot(client, 'cy'), 201);
  t.equal((await snapshot(client)).status, 201);
  t.equal(await createBot(client, 'di'), 201);
  const hash = await hashOf(galaxyd.url);
  await galaxyd.kill();
  const again = await start(t, { args: manualArgs(folder) });
  t.equal(await hashOf(again.galaxyd.url), hash);
  await again.galaxyd.kill();
}

function acceptsConnections(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Connections that send nothing. */
class Crowd {
  /** Whether the server has closed one of them. */
  isTurnedAway = false;
  readonly #sockets: readonly Socket[];

  constructor(url: string, count: number) {
    const { hostname, port } = new URL(url);
    this.#sockets = Array.from({ length: count }, () => {
      const socket = connect(Number(port), hostname);
      // Only reading shows that the server has closed it; a refused connection counts as well.
      socket.resume();
      for (const event of ['end', 'error'] as const) {
        socket.on(event, () => {
          this.isTurnedAway = true;
        });
      }
      return socket;
    });
  }

  leave(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Waits for a condition. @throws Error if the server ends before */
async function until(galaxyd: GalaxydProcess, holds: () => boolean | Promise<boolean>): Promise<void> {
  let isOver = false;
  void galaxyd.ended.then(() => {
    isOver = true;
  });
  while (!(await holds())) {
    if (isOver) throw new Error(`the server has ended: ${galaxyd.stderr}`);
    await delay(LOOK_MS);
  }
}

async function openFilesOf({ pid }: GalaxydProcess): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

const snapshot = (client: Client) => client.post<{ code?: string; detail?: string }>('/api/admin/snapshot', {});
