// Makes a new data folder from another one, or from a copied snapshot: the world as it was at some seq. It changes nothing
// in what it reads, and never writes over anything.
import { randomBytes } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import type { Engine } from '../engine/engine.js';
import { type DataPlaces, holdsWorld, placesOf } from './data-folder.js';
import { requireSpace } from './disk-space.js';
import { makeFolder } from './folder-sync.js';
import { LmdbLog } from './lmdb-log.js';
import { makeNewFolder, requireFree } from './new-folder.js';
import { type Origin, writeOrigin } from './origin.js';
import type { RecoveryProgress } from './recovery.js';
import type { ReplayEnd } from './replay.js';
import { RestoreRefused, type RestoreSource, readSource } from './restore-source.js';
import { SnapshotFolder } from './snapshot-files.js';
import { writeSnapshot } from './snapshot-writer.js';

export interface RestoreOptions {
  readonly kind: Origin['kind'];
  readonly source: RestoreSource;
  /** A folder that does not exist, or is empty. */
  readonly to: string;
  /** Where to stop. Without it: at the snapshot where one is named, else at the last entry that is safely on disk. */
  readonly until?: ReplayEnd;
  readonly onProgress?: RecoveryProgress;
}

/** Bytes of what the first record of the new log continues: nobody else's record can stand in its place. */
const NEW_CHAIN_BYTES = 16;

/**
 * Makes the new folder. It appears whole or not at all.
 *
 * @returns where the new world came from
 * @throws NoWorld, RestoreRefused, FolderRefused, RecoveryRefused, SnapshotDamaged, LogUnreadable, SnapshotWriteFailed,
 *   NoDiskSpace
 */
export async function restoreWorld(options: RestoreOptions): Promise<Origin> {
  const { source, until, onProgress } = options;
  const to = resolve(options.to);
  await requireFree(to);
  await requireOutside(to);
  const engine = await readSource(source, until, onProgress);
  const origin = originOf(options, engine);
  const { logPath } = placesOf(to);
  await makeNewFolder(to, basename(logPath), (stage) => build(placesOf(stage), engine, origin, onProgress));
  return origin;
}

/** A world within another one's folder would be taken for a part of it when that is copied, moved or removed. */
async function requireOutside(to: string): Promise<void> {
  for (let parent = dirname(to); parent !== dirname(parent); parent = dirname(parent)) {
    if (await holdsWorld(placesOf(parent))) throw new RestoreRefused(`${to} lies within the world in ${parent}`);
  }
}

function originOf({ kind, source }: RestoreOptions, engine: Engine): Origin {
  const from = source.dataFolder ?? (typeof source.snapshot === 'string' ? source.snapshot : '');
  return {
    kind,
    // A name, no path: the status of a world is for everybody to read.
    from: basename(resolve(from)),
    seq: engine.seq,
    worldTime: new Date(engine.nowMs).toISOString(),
    stateHash: engine.stateHash(),
    madeAt: new Date().toISOString(),
  };
}

/** A snapshot, and an empty log that begins behind it. */
async function build(
  places: DataPlaces,
  engine: Engine,
  origin: Origin,
  onProgress: RecoveryProgress | undefined,
): Promise<void> {
  const store = new SnapshotFolder(places.snapshotsPath);
  const logHash = randomBytes(NEW_CHAIN_BYTES);
  const order = { engine, logHash, store, createdAtMs: Date.now() };
  // On a full disk some calls fail with errors that tell of anything but that.
  await requireSpace(places.path, 'restore a world');
  await makeFolder(places.snapshotsPath);
  await writeSnapshot({ ...order, ...(onProgress === undefined ? {} : { onProgress }) });
  await requireSpace(places.path, 'restore a world');
  const log = await LmdbLog.open(places.logPath);
  await log.cut(await log.acquire(), engine.seq + 1);
  await log.close();
  await writeOrigin(places.originPath, origin);
}
