// What comes of a damage on disk: the real server either serves exactly the world that there was, or refuses with a sentence;
// so do verify and restore. Never another world.
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { failureOf } from '../../../cli/exit-codes.js';
import { placesOf } from '../../../persistence/data-folder.js';
import { LmdbLog } from '../../../persistence/lmdb-log.js';
import { restoreWorld } from '../../../persistence/restore.js';
import { SnapshotFolder } from '../../../persistence/snapshot-files.js';
import { verifyWorld } from '../../../persistence/verify.js';
import { temporaryFolder } from '../../persistence/temporary-folder.js';
import type { Row } from './damage-rows.js';
import { GalaxydProcess, runGalaxyd } from './galaxyd-process.js';
import { ADMIN_KEY, refused, serveArgs } from './operator.js';
import { hashOf, type SnapshotWorld, worldWithSnapshots } from './snapshot-worlds.js';

/** Inflicts each damage on a copy of a world with so many snapshots, and compares what comes of it with its row. */
export async function holdToRows(t: Test, rows: readonly Row[], snapshots: number): Promise<void> {
  const world = await worldWithSnapshots(t, { snapshots, crowd: 50 });
  const other = await worldWithSnapshots(t, { snapshots, crowd: 50, seed: 2 });
  t.same(other.segmentSeqs, world.segmentSeqs, 'the other world went the same way');
  t.not(other.stateHash, world.stateHash);
  for (const each of rows) t.test(each.damage, (t) => holdTo(t, each, world, other));
}

async function holdTo(t: Test, { inflict, serve, verify, restore }: Row, world: SnapshotWorld, other: SnapshotWorld) {
  const folder = join(await temporaryFolder(t), 'world');
  await cp(world.folder, folder, { recursive: true });
  await inflict({ ...world, folder, other });
  const damaged = await bytesIn(folder);

  const verified = await verdict(async () => (await verifyHash(folder)) ?? '');
  expectHash(t, verified, verify, world, 'verify');
  const to = join(await temporaryFolder(t), 'restored');
  const restored = await verdict(async () => {
    return (await restoreWorld({ kind: 'restore', source: { dataFolder: folder }, to })).stateHash;
  });
  expectHash(t, restored, restore, world, 'restore');
  t.same(await readdir(join(to, '..')), restore === null ? ['restored'] : [], 'whole, or nothing');
  t.same(await bytesIn(folder), damaged, 'neither has changed anything');

  const args = serveArgs(folder, '--clock', 'manual', '--admin-key', ADMIN_KEY);
  if (serve instanceof RegExp) {
    refused(t, await runGalaxyd(t, { args }), 3, serve);
    t.same(await bytesIn(folder), damaged, 'and the damaged folder is as it was');
    return;
  }
  const galaxyd = await GalaxydProcess.start(t, { args });
  t.equal(await hashOf(galaxyd.url), world.stateHash, 'the server has the true world');
  const seq = serve === 'genesis' ? undefined : world.snapshotSeqs.at(serve === 'older' ? 0 : -1);
  const told = /recovered .*: (?:the snapshot at seq (\d+) )?/.exec(galaxyd.stdout)?.[1];
  t.equal(told, seq === undefined ? undefined : String(seq), 'and says from where');
  await galaxyd.kill();
}

interface Verdict {
  readonly hash: string | null;
  readonly message: string;
  readonly exitCode: number | null;
}

async function verdict(find: () => Promise<string>): Promise<Verdict> {
  try {
    return { hash: await find(), message: '', exitCode: 0 };
  } catch (error) {
    return { hash: null, message: String(error), exitCode: failureOf(error)?.code ?? null };
  }
}

function expectHash(t: Test, found: Verdict, refusal: RegExp | null, world: SnapshotWorld, by: string): void {
  if (refusal === null) {
    t.same(found, { hash: world.stateHash, message: '', exitCode: 0 }, `${by} has the true world`);
    return;
  }
  t.equal(found.hash, null, `${by} refuses`);
  t.match(found.message, refusal);
  t.ok(found.exitCode === 3 || found.message.startsWith('RestoreRefused'), `${by} has an exit code for it`);
}

async function verifyHash(folder: string): Promise<string> {
  const { logPath, snapshotsPath } = placesOf(folder);
  const log = await LmdbLog.openReadOnly(logPath);
  try {
    return (await verifyWorld(log, new SnapshotFolder(snapshotsPath))).stateHash;
  } finally {
    await log.close();
  }
}

/** Everything on disk but LMDB's lock files, which hold nothing. */
async function bytesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'lock.mdb');
  const bytes = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length), (await readFile(path)).toString('base64')] as const;
  });
  return Object.fromEntries(await Promise.all(bytes));
}
