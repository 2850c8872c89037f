// A disk that becomes full or read-only during an operation other than a command: a snapshot, a cut of the log, a
// prune, a restore. The world goes on, and no leftovers remain.
import { chmod, cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import type { Client } from '../support/process/client.js';
import { type GalaxydProcess, runGalaxyd, runInTurn } from '../support/process/galaxyd-process.js';
import { createBot, manualArgs, refused, start, statusOf } from '../support/process/operator.js';
import { FolderWatch, leftoversIn } from '../support/process/process-traces.js';
import { SmallDisk } from '../support/process/small-disk.js';
import { hashOf, worldWithSnapshots } from '../support/process/snapshot-worlds.js';
import { unprivileged } from '../support/process/unprivileged.js';

const MIB = 1024 * 1024;
/** Half of the players whose snapshot does not fit into FREE_BYTES. */
const CROWD = 6_000;
/** A little more than is needed to begin. */
const FREE_BYTES = 1.1 * MIB;

/** Tests that change it use a copy. */
const kept = await worldWithSnapshots(t, { crowd: 50 });

t.test('on a small disk', async (t) => {
  const disk = await SmallDisk.make(t, 64);
  if (typeof disk === 'string') {
    t.pass(`not tested: ${disk}`, { skip: disk });
    return;
  }
  t.test('full during a snapshot: it fails and is reported, and the next one works', (t) =>
    relieved(disk, () => fullInSnapshot(t, disk)),
  );
  t.test('full when the log is to be cut: nothing is cut, and the server goes on', (t) =>
    relieved(disk, () => fullInCut(t, disk)),
  );
  t.test('full while old log is pruned: it is pruned all the same', (t) => relieved(disk, () => fullInPrune(t, disk)));
  t.test('full during a restore: nothing is left of it', (t) => relieved(disk, () => fullInRestore(t, disk)));
  t.test('read-only: reading commands work, writing ones refuse with a sentence', (t) =>
    relieved(disk, () => readOnlyDisk(t, disk)),
  );
});

/** Frees what a test has filled, for the next test. */
async function relieved(disk: SmallDisk, test: () => Promise<void>): Promise<void> {
  try {
    await test();
  } finally {
    await disk.relieve();
  }
}

interface Place {
  readonly galaxyd: GalaxydProcess;
  readonly client: Client;
  /** The data folder as the test sees it. */
  readonly seen: string;
  /** Requests a snapshot. @returns its status, and the reason if there is one */
  readonly snapshot: () => Promise<{ status: number; detail: string }>;
}

async function serveOn(t: Test, disk: SmallDisk, name: string, crowd = 0): Promise<Place> {
  const { galaxyd, client } = await start(t, { args: manualArgs(join(disk.folder, name)), by: disk.by });
  for (const part of crowd > 0 ? ['one', 'two'] : []) {
    await client.post('/api/admin/players', { count: crowd, namePrefix: `${name}-${part}` });
  }
  const snapshot: Place['snapshot'] = async () => {
    const { status, body } = await client.post<{ detail?: string }>('/api/admin/snapshot', {});
    return { status, detail: body.detail ?? '' };
  };
  return { galaxyd, client, seen: join(disk.seenFolder, name), snapshot };
}

async function fullInSnapshot(t: Test, disk: SmallDisk): Promise<void> {
  const { galaxyd, client, seen, snapshot } = await serveOn(t, disk, 'snapshot', CROWD);
  await disk.fill(FREE_BYTES);
  const { status, detail } = await snapshot();
  t.equal(status, 503);
  t.match(detail, /could not be written: .*ENOSPC/);
  await galaxyd.printed(/galaxyd could not take a snapshot and continues without it: .*ENOSPC/);
  t.same(await leftoversIn(seen), [], 'nothing is left of it');
  t.equal(await createBot(client, 'ada'), 201, 'the world goes on');
  await disk.relieve();
  t.equal((await snapshot()).status, 201);
  const hash = await hashOf(galaxyd.url);
  await galaxyd.kill();
  const again = await serveOn(t, disk, 'snapshot');
  t.match(again.galaxyd.stdout, /the snapshot at seq/);
  t.equal(await hashOf(again.galaxyd.url), hash);
  await again.galaxyd.kill();
}

async function fullInCut(t: Test, disk: SmallDisk): Promise<void> {
  const { galaxyd, client, seen, snapshot } = await serveOn(t, disk, 'cut', 1);
  const hash = await hashOf(galaxyd.url);
  await disk.fill();
  const { status, detail } = await snapshot();
  t.equal(status, 503);
  t.match(detail, /has \d+ bytes left, and \d+ are needed to take a snapshot/);
  t.equal((await statusOf(client)).snapshot, null);
  t.equal(await hashOf(galaxyd.url), hash, 'reads go on');
  t.same(await readdir(join(seen, 'log')), ['log-0000000000000001'], 'the log is not cut');
  await disk.relieve();
  t.equal((await snapshot()).status, 201);
  t.equal(await createBot(client, 'bob'), 201);
  await galaxyd.kill();
}

async function fullInPrune(t: Test, disk: SmallDisk): Promise<void> {
  const { galaxyd, client, seen, snapshot } = await serveOn(t, disk, 'prune', CROWD);
  t.equal((await snapshot()).status, 201);
  t.equal(await createBot(client, 'ada'), 201);
  const segments = await readdir(join(seen, 'log'));
  // Its name appears when all of it is on disk; the prune comes after that.
  const watch = await FolderWatch.begin(join(seen, 'snapshots'), 'snapshot-');
  const asked = snapshot();
  await watch.seen;
  watch.end();
  await disk.fill();
  t.equal((await asked).status, 201);
  const kept = await readdir(join(seen, 'log'));
  t.notOk(kept.includes(segments[0] ?? ''), 'the oldest segment is gone');
  t.same(await leftoversIn(seen), []);
  await disk.relieve();
  t.equal(await createBot(client, 'bob'), 201);
  const hash = await hashOf(galaxyd.url);
  await galaxyd.kill();
  const again = await serveOn(t, disk, 'prune');
  t.equal(await hashOf(again.galaxyd.url), hash);
  await again.galaxyd.kill();
}

async function fullInRestore(t: Test, disk: SmallDisk): Promise<void> {
  const large = await worldWithSnapshots(t, { crowd: 2 * CROWD, snapshots: 1 });
  for (const { freeBytes, folder } of [
    { freeBytes: FREE_BYTES, folder: large.folder },
    { freeBytes: 0.2 * MIB, folder: kept.folder },
    { freeBytes: 0, folder: kept.folder },
  ]) {
    const before = await readdir(disk.seenFolder);
    await disk.fill(freeBytes);
    const args = ['restore', '--data', folder, '--to', join(disk.folder, 'restored')];
    const sentence = /^galaxyd restore: .*(ENOSPC|the disk is full|are needed to restore)/;
    refused(t, await runGalaxyd(t, { args, by: disk.by }), 75, sentence);
    await disk.relieve();
    t.same(await readdir(disk.seenFolder), before, `nothing is left of it with ${freeBytes} bytes free`);
  }
}

async function readOnlyDisk(t: Test, disk: SmallDisk): Promise<void> {
  await cp(kept.folder, join(disk.seenFolder, 'kept'), { recursive: true });
  await disk.remount('ro');
  try {
    await readOnly(t, join(disk.folder, 'kept'), disk.by);
  } finally {
    await disk.remount('rw');
  }
}

t.test('a read-only folder: reading commands work, writing ones refuse with a sentence', async (t) => {
  const by = await unprivileged(t);
  if (by === null) return;
  const folder = join(await temporaryFolder(t), 'world');
  await cp(kept.folder, folder, { recursive: true });
  await chmod(join(folder, '..'), 0o755);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o555 : 0o444);
  await chmod(folder, 0o555);
  await readOnly(t, folder, by);
});

async function readOnly(t: Test, folder: string, by: readonly string[]): Promise<void> {
  const to = await temporaryFolder(t);
  await chmod(to, 0o777);
  const [snapshot, verified, listed, log, restored, served] = await runInTurn(
    t,
    [
      ['snapshot', '--data', folder],
      ['verify', '--data', folder, '--json'],
      ['snapshots', '--data', folder],
      ['log', '--data', folder],
      ['restore', '--data', folder, '--to', join(to, 'copy'), '--json'],
      manualArgs(folder),
    ],
    { by },
  );
  refused(t, served, 78, /^galaxyd cannot serve: .*\n$/);
  refused(t, snapshot, 78, /^galaxyd snapshot: .*(belongs to the user|could not be written).*\n$/);
  t.match(JSON.parse(verified.stdout), { isSound: true, stateHash: kept.stateHash });
  t.equal(listed.code, 0);
  t.equal(log.code, 0);
  t.match(log.stdout, /"type":"start_research"/);
  t.match(JSON.parse(restored.stdout), { stateHash: kept.stateHash });
}
