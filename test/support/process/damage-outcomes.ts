// The outcome of damage on disk: the world opens exactly as it was, or is refused with a sentence, and the same holds
// for verify and restore. It never opens as another world. The first row of each outcome is also tested with a real
// server, and every row with LONG=1.
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { failureOf } from '../../../cli/commands/exit-codes.js';
import { storeAt } from '../../../persistence/store-url.js';
import { restoreWorld } from '../../../persistence/upkeep/restore.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { openFolder } from '../opened-world.js';
import type { Row } from './damage-rows.js';
import { GalaxydProcess, runGalaxyd } from './galaxyd-process.js';
import { shortOrLong } from './lengths.js';
import { manualArgs, refused } from './operator.js';
import { hashOf, type SnapshotWorld, worldWithSnapshots } from './snapshot-worlds.js';
import { verifiedHash } from './verified-hash.js';

/** Outcomes that a server has shown. */
const shown = new Set<string>();

/** Inflicts each damage on a copy of a world with this number of snapshots, and compares the outcome with its row. */
export async function holdToRows(t: Test, rows: readonly Row[], snapshots: number): Promise<void> {
  const world = await worldWithSnapshots(t, { snapshots, crowd: 50 });
  const other = await worldWithSnapshots(t, { snapshots, crowd: 50, seed: 2 });
  t.same(other.segmentSeqs, world.segmentSeqs, 'the other world has the same segments');
  t.not(other.stateHash, world.stateHash);
  for (const row of rows) {
    const outcome = String(row.serve instanceof RegExp ? 'refused' : row.serve);
    const isServed = shortOrLong(!shown.has(outcome), true);
    shown.add(outcome);
    t.test(row.damage, (t) => holdTo(t, row, { world, other, isServed }));
  }
}

interface Worlds {
  readonly world: SnapshotWorld;
  readonly other: SnapshotWorld;
  readonly isServed: boolean;
}

async function holdTo(t: Test, row: Row, { world, other, isServed }: Worlds): Promise<void> {
  const { inflict, serve, verify, restore } = row;
  const folder = join(await temporaryFolder(t), 'world');
  await cp(world.folder, folder, { recursive: true });
  await inflict({ ...world, folder, other });
  const damaged = await bytesIn(folder);

  const verified = await verdict(() => verifiedHash(folder));
  expectHash(t, verified, verify, world, 'verify');
  const to = join(await temporaryFolder(t), 'restored');
  const restored = await verdict(async () => {
    return (await restoreWorld({ kind: 'restore', source: { store: storeAt(folder) }, to: storeAt(to) })).stateHash;
  });
  expectHash(t, restored, restore, world, 'restore');
  t.same(await readdir(join(to, '..')), restore === null ? ['restored'] : [], 'whole, or nothing');
  t.same(await bytesIn(folder), damaged, 'neither has changed anything');

  if (isServed) await holdServerTo(t, serve, folder, world);
  else await holdOpeningTo(t, serve, folder, world);
  if (serve instanceof RegExp) t.same(await bytesIn(folder), damaged, 'and the damaged folder is as it was');
}

async function holdServerTo(t: Test, serve: Row['serve'], folder: string, world: SnapshotWorld): Promise<void> {
  const args = manualArgs(folder);
  if (serve instanceof RegExp) {
    refused(t, await runGalaxyd(t, { args }), 3, serve);
    return;
  }
  const galaxyd = await GalaxydProcess.start(t, { args });
  t.equal(await hashOf(galaxyd.url), world.stateHash, 'the server has the true world');
  const told = /recovered .*: (?:the snapshot at seq (\d+) )?/.exec(galaxyd.stdout)?.[1];
  t.equal(told, seqOf(serve, world)?.toString(), 'and reports where recovery began');
  await galaxyd.kill();
}

/** Does what a server does before it listens, in this process. */
async function holdOpeningTo(t: Test, serve: Row['serve'], folder: string, world: SnapshotWorld): Promise<void> {
  let from: number | undefined;
  const opened = await verdict(async () => {
    const { engine, recovery, close } = await openFolder(t, folder);
    from = recovery.snapshot?.seq;
    const hash = engine.stateHash();
    await close();
    return hash;
  });
  expectHash(t, opened, serve instanceof RegExp ? serve : null, world, 'the server');
  if (serve instanceof RegExp) t.equal(opened.exitCode, 3);
  else t.equal(from, seqOf(serve, world), 'and recovery began there');
}

/** Seq of the snapshot that a server begins with; undefined for the genesis. */
function seqOf(from: 'newest' | 'older' | 'genesis', { snapshotSeqs }: SnapshotWorld): number | undefined {
  return from === 'genesis' ? undefined : snapshotSeqs.at(from === 'older' ? 0 : -1);
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

/** Everything on disk except LMDB's lock files, which contain no data. */
async function bytesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'lock.mdb');
  const bytes = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length), (await readFile(path)).toString('base64')] as const;
  });
  return Object.fromEntries(await Promise.all(bytes));
}
