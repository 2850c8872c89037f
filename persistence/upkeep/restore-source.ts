// Reads the world that a new store is to hold: from another store as it was at some seq, or from one snapshot alone. It changes nothing in what it reads, which may be in use.
import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { Engine } from '../../engine/engine.js';
import { type RecoveryProgress, recover } from '../recovery/recovery.js';
import type { ReplayEnd } from '../recovery/replay.js';
import { SnapshotFolder } from '../snapshots/snapshot-files.js';
import { readSnapshot } from '../snapshots/snapshot-reader.js';
import type { SnapshotStore } from '../snapshots/snapshot-store.js';
import { storeAt } from '../store-url.js';
import { NoWorld, type WorldStore } from '../stores/world-store.js';
import { type Coverage, coverageOf, coverageSentence, covers } from './coverage.js';

/** What a world can be restored from. */
export interface RestoreSource {
  /** Its log and snapshots are read. Not needed for a snapshot alone. */
  readonly store?: WorldStore;
  /** Seq of a snapshot in the store, or the path of a snapshot's own folder, which may be a copy. */
  readonly snapshot?: number | string;
}

/** What was asked for cannot be had. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
}

/**
 * @param until where to stop. Without it: at the snapshot where one is named, else at the last entry that is on disk
 * @throws NoWorld, RestoreRefused, RecoveryRefused, SnapshotDamaged, LogUnreadable
 */
export async function readSource(
  source: RestoreSource,
  until?: ReplayEnd,
  onProgress?: RecoveryProgress,
): Promise<Engine> {
  const { store, snapshot } = source;
  await store?.requireWorld();
  const named = snapshot === undefined ? undefined : await namedSnapshot(snapshot, store);
  if (named !== undefined) {
    await requireBehind(named, until);
    // The log is not looked at: it may be damaged, or gone.
    if (until === undefined || until.seq === named.seq) return engineAt(named, onProgress);
  }
  if (store === undefined) {
    throw new RestoreRefused(
      named === undefined
        ? 'neither a world nor a snapshot is named'
        : 'to go on behind a snapshot, the data folder with the log is needed',
    );
  }
  return replayed(store, named, until, onProgress);
}

/** A snapshot that is named is where the replay begins. */
async function requireBehind({ snapshots, seq }: NamedSnapshot, until: ReplayEnd = {}): Promise<void> {
  if (until.seq !== undefined && until.seq < seq) {
    throw new RestoreRefused(`seq ${until.seq} is before the snapshot at seq ${seq}`);
  }
  if (until.atMs === undefined) return;
  const { worldTimeMs } = await snapshots.manifest(seq);
  if (worldTimeMs <= until.atMs) return;
  throw new RestoreRefused(
    `world time ${timeText(until.atMs)} is before the snapshot at seq ${seq}, which is of ${timeText(worldTimeMs)}`,
  );
}

interface NamedSnapshot {
  readonly snapshots: SnapshotStore;
  readonly seq: number;
}

async function namedSnapshot(snapshot: number | string, store: WorldStore | undefined): Promise<NamedSnapshot> {
  if (typeof snapshot === 'string') return snapshotAt(resolve(snapshot));
  if (store === undefined) throw new RestoreRefused(`which world's snapshot at seq ${snapshot} is meant is not told`);
  const { snapshots, label } = store;
  const seqs = await snapshots.list();
  if (seqs.includes(snapshot)) return { snapshots, seq: snapshot };
  const there = seqs.length === 0 ? 'none at all' : `those at the seqs ${seqs.join(', ')}`;
  throw new RestoreRefused(`there is no snapshot at seq ${snapshot} in ${label}; there are ${there}`);
}

async function snapshotAt(path: string): Promise<NamedSnapshot> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (found === null) throw new RestoreRefused(`there is no folder ${path}`);
  if (!found.isDirectory()) throw new RestoreRefused(`${path} is a file; the folder of a snapshot is needed`);
  const seq = SnapshotFolder.seqOf(basename(path));
  if (seq !== null) return { snapshots: new SnapshotFolder(dirname(path)), seq };
  if (await isWorld(storeAt(path))) {
    throw new RestoreRefused(`${path} is the folder of a world and not of a snapshot; a world is named by --data`);
  }
  throw new RestoreRefused(
    `${path} is not named like the folder of a snapshot, as snapshot-0000000000000013 is; a copy must keep its name`,
  );
}

async function isWorld(store: WorldStore): Promise<boolean> {
  try {
    await store.requireWorld();
    return true;
  } catch (error) {
    if (error instanceof NoWorld) return false;
    throw error;
  }
}

async function engineAt({ snapshots, seq }: NamedSnapshot, onProgress?: RecoveryProgress): Promise<Engine> {
  const { engine } = await readSnapshot(snapshots, seq, {
    ...(onProgress === undefined ? {} : { onProgress: (done, total) => onProgress('rows', done, total) }),
  });
  return engine;
}

async function replayed(
  store: WorldStore,
  named: NamedSnapshot | undefined,
  until: ReplayEnd | undefined,
  onProgress: RecoveryProgress | undefined,
): Promise<Engine> {
  const { label } = store;
  const { snapshots } = named ?? store;
  const log = await store.openLog();
  try {
    if (until !== undefined) {
      const seqs = named === undefined ? await snapshots.list() : [named.seq];
      requireCovered(await coverageOf(log, snapshots, seqs), until, label);
    }
    const { engine } = await recover(log, snapshots, {
      ...(until === undefined ? {} : { until }),
      ...(named === undefined ? {} : { fromSnapshot: named.seq }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    if (engine.seq === 0) throw new RestoreRefused(`there is no world in ${label}`);
    if (until?.seq !== undefined && engine.seq < until.seq) {
      throw new RestoreRefused(`the log of ${label} ends at seq ${engine.seq}, before seq ${until.seq}`);
    }
    return engine;
  } finally {
    await log.close();
  }
}

/** Where nothing is covered, the recovery says why. */
function requireCovered(coverage: Coverage | null, until: ReplayEnd, label: string): void {
  if (coverage === null || covers(coverage, until)) return;
  const asked = until.seq === undefined ? `world time ${timeText(until.atMs ?? 0)}` : `seq ${until.seq}`;
  throw new RestoreRefused(`${asked} cannot be gone back to: ${label} holds ${coverageSentence(coverage)}`);
}

function timeText(atMs: number): string {
  return new Date(atMs).toISOString();
}
