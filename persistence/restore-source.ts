// Reads the world that a new data folder is to hold: from another data folder as it was at some seq, or from one snapshot
// alone. It changes nothing in what it reads, which may be in use.
import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { Engine } from '../engine/engine.js';
import { type Coverage, coverageOf, coverageSentence, covers } from './coverage.js';
import { type DataPlaces, holdsWorld, placesOf, requireWorld } from './data-folder.js';
import { LmdbLog } from './lmdb-log.js';
import { type RecoveryProgress, recover } from './recovery.js';
import type { ReplayEnd } from './replay.js';
import { SnapshotFolder } from './snapshot-files.js';
import { readSnapshot } from './snapshot-reader.js';

/** What a world can be restored from. */
export interface RestoreSource {
  /** Data folder whose log and snapshots are read. Not needed for a snapshot alone. */
  readonly dataFolder?: string;
  /** Seq of a snapshot in the data folder, or the path of a snapshot's own folder, which may be a copy. */
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
  const places = source.dataFolder === undefined ? undefined : await requireWorld(source.dataFolder);
  const named = source.snapshot === undefined ? undefined : await namedSnapshot(source.snapshot, places);
  if (named !== undefined) {
    await requireBehind(named, until);
    // The log is not looked at: it may be damaged, or gone.
    if (until === undefined || until.seq === named.seq) return engineAt(named, onProgress);
  }
  if (places === undefined) {
    throw new RestoreRefused(
      named === undefined
        ? 'neither a world nor a snapshot is named'
        : 'to go on behind a snapshot, the data folder with the log is needed',
    );
  }
  return replayed(places, named, until, onProgress);
}

/** A snapshot that is named is where the replay begins. */
async function requireBehind({ store, seq }: NamedSnapshot, until: ReplayEnd = {}): Promise<void> {
  if (until.seq !== undefined && until.seq < seq) {
    throw new RestoreRefused(`seq ${until.seq} is before the snapshot at seq ${seq}`);
  }
  if (until.atMs === undefined) return;
  const { worldTimeMs } = await store.manifest(seq);
  if (worldTimeMs <= until.atMs) return;
  throw new RestoreRefused(
    `world time ${timeText(until.atMs)} is before the snapshot at seq ${seq}, which is of ${timeText(worldTimeMs)}`,
  );
}

interface NamedSnapshot {
  readonly store: SnapshotFolder;
  readonly seq: number;
}

async function namedSnapshot(snapshot: number | string, places: DataPlaces | undefined): Promise<NamedSnapshot> {
  if (typeof snapshot === 'string') return snapshotAt(resolve(snapshot));
  if (places === undefined) throw new RestoreRefused(`which world's snapshot at seq ${snapshot} is meant is not told`);
  const store = new SnapshotFolder(places.snapshotsPath);
  const seqs = await store.list();
  if (seqs.includes(snapshot)) return { store, seq: snapshot };
  const there = seqs.length === 0 ? 'none at all' : `those at the seqs ${seqs.join(', ')}`;
  throw new RestoreRefused(`there is no snapshot at seq ${snapshot} in ${places.path}; there are ${there}`);
}

async function snapshotAt(path: string): Promise<NamedSnapshot> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (found === null) throw new RestoreRefused(`there is no folder ${path}`);
  if (!found.isDirectory()) throw new RestoreRefused(`${path} is a file; the folder of a snapshot is needed`);
  const seq = SnapshotFolder.seqOf(basename(path));
  if (seq !== null) return { store: new SnapshotFolder(dirname(path)), seq };
  if (await holdsWorld(placesOf(path))) {
    throw new RestoreRefused(`${path} is the folder of a world and not of a snapshot; a world is named by --data`);
  }
  throw new RestoreRefused(
    `${path} is not named like the folder of a snapshot, as snapshot-0000000000000013 is; a copy must keep its name`,
  );
}

async function engineAt({ store, seq }: NamedSnapshot, onProgress?: RecoveryProgress): Promise<Engine> {
  const { engine } = await readSnapshot(store, seq, {
    ...(onProgress === undefined ? {} : { onProgress: (done, total) => onProgress('rows', done, total) }),
  });
  return engine;
}

async function replayed(
  places: DataPlaces,
  named: NamedSnapshot | undefined,
  until: ReplayEnd | undefined,
  onProgress: RecoveryProgress | undefined,
): Promise<Engine> {
  const store = named?.store ?? new SnapshotFolder(places.snapshotsPath);
  const log = await LmdbLog.openReadOnly(places.logPath);
  try {
    if (until !== undefined) {
      const seqs = named === undefined ? await store.list() : [named.seq];
      requireCovered(await coverageOf(log, store, seqs), until, places.path);
    }
    const { engine } = await recover(log, store, {
      ...(until === undefined ? {} : { until }),
      ...(named === undefined ? {} : { fromSnapshot: named.seq }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    if (engine.seq === 0) throw new RestoreRefused(`there is no world in ${places.path}`);
    if (until?.seq !== undefined && engine.seq < until.seq) {
      throw new RestoreRefused(`the log of ${places.path} ends at seq ${engine.seq}, before seq ${until.seq}`);
    }
    return engine;
  } finally {
    await log.close();
  }
}

/** Where nothing is covered, the recovery says why. */
function requireCovered(coverage: Coverage | null, until: ReplayEnd, path: string): void {
  if (coverage === null || covers(coverage, until)) return;
  const asked = until.seq === undefined ? `world time ${timeText(until.atMs ?? 0)}` : `seq ${until.seq}`;
  throw new RestoreRefused(`${asked} cannot be gone back to: ${path} holds ${coverageSentence(coverage)}`);
}

function timeText(atMs: number): string {
  return new Date(atMs).toISOString();
}
