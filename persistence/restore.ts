// Makes a new data folder from another one, or from a copied snapshot: the world as it was at some seq. It changes nothing
// in what it reads, and never writes over anything.
import { randomBytes } from 'node:crypto';
import { access, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { RULES_VERSION } from '../engine/rules/catalogue.js';
import { type DataPlaces, placesOf } from './data-folder.js';
import { requireSpace } from './disk-space.js';
import { lockFolder } from './folder-lock.js';
import { makeFolder, syncFolder } from './folder-sync.js';
import { LmdbLog } from './lmdb-log.js';
import type { ReadableLog } from './log.js';
import { MemoryLog } from './memory-log.js';
import { type Origin, writeOrigin } from './origin.js';
import { type RecoveredWorld, type RecoveryProgress, recover } from './recovery.js';
import type { ReplayEnd } from './replay.js';
import { SnapshotFolder } from './snapshot-files.js';
import { writeSnapshot } from './snapshot-writer.js';

/** What a world can be restored from. */
export interface RestoreSource {
  /** Data folder whose log and snapshots are read; it may be in use. Not needed for a copied snapshot alone. */
  readonly dataFolder?: string;
  /** Seq of a snapshot in the data folder, or the path of a snapshot's own folder. */
  readonly snapshot?: number | string;
}

export interface RestoreOptions {
  readonly kind: Origin['kind'];
  readonly source: RestoreSource;
  /** A folder that does not exist, or is empty. */
  readonly to: string;
  /** Where to stop. Without it: at the snapshot where one is named, else at the last entry that is safely on disk. */
  readonly until?: ReplayEnd;
  readonly onProgress?: RecoveryProgress;
}

/** What was asked for cannot be had; nothing was left behind. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
}

/** Bytes of what the first record of the new log continues: nobody else's record can stand in its place. */
const NEW_CHAIN_BYTES = 16;

/**
 * Makes the new folder. It appears whole or not at all: until then it is built beside its place, under its name with
 * `.partial` behind it.
 *
 * @returns where the new world came from
 * @throws RestoreRefused, RecoveryRefused, SnapshotDamaged, LogUnreadable, NoDiskSpace
 */
export async function restoreWorld(options: RestoreOptions): Promise<Origin> {
  const to = resolve(options.to);
  await requireFree(to);
  const { engine } = await sourceWorld(options);
  const partial = placesOf(`${to}.partial`);
  await makeFolder(partial.path);
  const lock = await lockFolder(partial.path);
  try {
    for (const left of await readdir(partial.path)) await rm(`${partial.path}/${left}`, { recursive: true });
    await requireSpace(partial.path, 'restore a world');
    const origin = originOf(options, engine);
    await build(partial, engine, origin);
    await requireFree(to);
    await rename(partial.path, to);
    await syncFolder(dirname(to));
    return origin;
  } catch (error) {
    await rm(partial.path, { recursive: true, force: true });
    throw error;
  } finally {
    await lock.release();
  }
}

async function requireFree(to: string): Promise<void> {
  const held = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (held.length > 0) throw new RestoreRefused(`${to} is not empty, and nothing is ever written over`);
}

async function sourceWorld(options: RestoreOptions): Promise<RecoveredWorld> {
  const { source, until } = options;
  if (source.dataFolder === undefined) {
    if (typeof source.snapshot !== 'string') throw new RestoreRefused('neither a data folder nor a snapshot is named');
    if (until !== undefined)
      throw new RestoreRefused('to go on behind a snapshot, the data folder with the log is needed');
    const log = new MemoryLog();
    const seq = seqOfFolder(source.snapshot);
    await log.cut(seq + 1);
    return recovered(log, source, options);
  }
  const places = placesOf(source.dataFolder);
  await access(places.logPath).catch(() => {
    throw new RestoreRefused(`there is no world in ${places.path}`);
  });
  const log = await LmdbLog.openReadOnly(places.logPath);
  try {
    return await recovered(log, source, options);
  } finally {
    await log.close();
  }
}

async function recovered(log: ReadableLog, source: RestoreSource, options: RestoreOptions): Promise<RecoveredWorld> {
  const { until, onProgress } = options;
  const { snapshot, dataFolder } = source;
  const fromSnapshot = typeof snapshot === 'string' ? seqOfFolder(snapshot) : snapshot;
  const store =
    typeof snapshot === 'string'
      ? new SnapshotFolder(dirname(resolve(snapshot)))
      : new SnapshotFolder(placesOf(dataFolder ?? '').snapshotsPath);
  const end = until ?? (fromSnapshot === undefined ? undefined : { seq: fromSnapshot });
  if (fromSnapshot !== undefined && end?.seq !== undefined && end.seq < fromSnapshot) {
    throw new RestoreRefused(`seq ${end.seq} is before the snapshot at seq ${fromSnapshot}`);
  }
  const world = await recover(log, store, {
    rulesVersions: new Set([RULES_VERSION]),
    ...(end === undefined ? {} : { until: end }),
    ...(fromSnapshot === undefined ? {} : { fromSnapshot }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  requireArrival(world, end);
  return world;
}

function requireArrival({ engine }: RecoveredWorld, { seq, atMs }: ReplayEnd = {}): void {
  if (engine.seq === 0) throw new RestoreRefused('there is no world to restore');
  if (seq !== undefined && engine.seq < seq) {
    throw new RestoreRefused(`the log ends at seq ${engine.seq}, before seq ${seq}`);
  }
  if (atMs !== undefined && engine.nowMs > atMs) {
    throw new RestoreRefused(
      `the world at hand begins at ${new Date(engine.nowMs).toISOString()}, after the time asked for`,
    );
  }
}

function originOf({ kind, source }: RestoreOptions, engine: RecoveredWorld['engine']): Origin {
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
async function build(places: DataPlaces, engine: RecoveredWorld['engine'], origin: Origin): Promise<void> {
  const store = new SnapshotFolder(places.snapshotsPath);
  const logHash = randomBytes(NEW_CHAIN_BYTES);
  await makeFolder(places.snapshotsPath);
  await writeSnapshot({ engine, logHash, store, createdAtMs: Date.now() });
  const log = await LmdbLog.open(places.logPath);
  await log.cut(engine.seq + 1);
  await log.close();
  await writeOrigin(places.originPath, origin);
}

function seqOfFolder(path: string): number {
  const seq = SnapshotFolder.seqOf(basename(resolve(path)));
  if (seq === null) throw new RestoreRefused(`${path} is not named like the folder of a snapshot`);
  return seq;
}
