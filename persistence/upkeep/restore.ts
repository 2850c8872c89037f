// Makes a new world from another one, or from a copied snapshot: the world as it was at some seq. It changes nothing in
// the source, and never overwrites anything.
import { randomBytes, randomInt } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { Engine } from '../../engine/engine.js';
import { LINEAGE_GAP_MIN, NUMBER_MAX } from '../../engine/rules/record-limits.js';
import { LINEAGE_SHARE } from '../limits.js';
import { type RecoveryProgress, recover } from '../recovery/recovery.js';
import type { ReplayEnd } from '../recovery/replay.js';
import { SnapshotFolder } from '../snapshots/snapshot-files.js';
import { readSnapshot } from '../snapshots/snapshot-reader.js';
import type { SnapshotStore } from '../snapshots/snapshot-store.js';
import { writeSnapshot } from '../snapshots/snapshot-writer.js';
import { storeAt } from '../store-url.js';
import type { Origin } from '../stores/origin.js';
import { NoWorld, type WorldStore } from '../stores/world-store.js';
import { type Coverage, coverageOf, coverageSentence, covers } from './coverage.js';

export interface RestoreOptions {
  readonly kind: Origin['kind'];
  readonly source: RestoreSource;
  /** Holds nothing yet. */
  readonly to: WorldStore;
  /** Where to stop. Defaults to the snapshot if one is named, else to the last durable entry. */
  readonly until?: ReplayEnd | undefined;
  readonly onProgress?: RecoveryProgress | undefined;
}

/**
 * Bytes of the random hash that the first record of the new log continues, so that no record of another log fits there.
 */
const NEW_CHAIN_BYTES = 16;

/**
 * Makes the new world atomically.
 *
 * @returns where the new world came from
 * @throws NoWorld, RestoreRefused, CannotCreate, RecoveryRefused, SnapshotDamaged, LogUnreadable, SnapshotWriteFailed,
 *   NoDiskSpace
 */
export async function restoreWorld(options: RestoreOptions): Promise<Origin> {
  const { source, to, until, onProgress } = options;
  await to.requireFree();
  const engine = await readSource(source, until, onProgress);
  const base = lineageBase(engine.highestNumber);
  const origin = originOf(options, engine, base);
  engine.beginLineage(base);
  const logHash = randomBytes(NEW_CHAIN_BYTES);
  await to.create({
    origin,
    write: async ({ snapshots, log, requireRoom }) => {
      const order = { engine, logHash, store: snapshots, createdAtMs: Date.now() };
      await writeSnapshot({ ...order, onProgress });
      await requireRoom();
      await log.cut(await log.acquire(), engine.seq + 1);
    },
  });
  return origin;
}

/**
 * The base of the lineage that begins. Clients may have numbers of a past that is lost, and several worlds may go on from one state:
 * nobody knows the numbers of all of them. So it is random, from a range that is large against what a world ever counts. Each range is
 * a share of what is left, so that a world can be restored from a restored one again and again (decision 7).
 *
 * @param highest number of the world that goes on
 * @param draw returns a random integer from 0 to below its argument
 * @throws RestoreRefused if there are too few numbers left
 */
export function lineageBase(highest: number, draw: (range: number) => number = randomInt): number {
  const range = Math.floor((NUMBER_MAX - highest) / LINEAGE_SHARE);
  if (range < LINEAGE_GAP_MIN)
    throw new RestoreRefused('the world was restored or forked too often: its seqs and ids end');
  return highest + LINEAGE_GAP_MIN + draw(range);
}

function originOf({ kind, source: { store, snapshot } }: RestoreOptions, engine: Engine, base: number): Origin {
  return {
    kind,
    // A name and not a path: the status of a world is public.
    from: store?.name ?? (typeof snapshot === 'string' ? basename(resolve(snapshot)) : ''),
    seq: engine.seq,
    base,
    worldTime: new Date(engine.nowMs).toISOString(),
    stateHash: engine.stateHash(),
    madeAt: new Date().toISOString(),
  };
}

/** What a world can be restored from. */
export interface RestoreSource {
  /** The store whose log and snapshots are read. Not needed for a single snapshot. */
  readonly store?: WorldStore;
  /** Seq of a snapshot in the store, or the path of a snapshot's own folder, which may be a copy. */
  readonly snapshot?: number | string;
}

/** The request cannot be met. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
}

/**
 * @param until where to stop. Defaults to the snapshot if one is named, else to the last durable entry
 * @throws NoWorld, RestoreRefused, RecoveryRefused, SnapshotDamaged, LogUnreadable
 */
async function readSource(source: RestoreSource, until?: ReplayEnd, onProgress?: RecoveryProgress): Promise<Engine> {
  const { store, snapshot } = source;
  await store?.requireWorld();
  const named = snapshot === undefined ? undefined : await namedSnapshot(snapshot, store);
  if (named !== undefined) {
    await requireBehind(named, until);
    // The log is not read: it may be damaged or missing.
    if (until === undefined || until.seq === named.seq) return engineAt(named, onProgress);
  }
  if (store === undefined) {
    throw new RestoreRefused(
      named === undefined
        ? 'neither a world nor a snapshot is named'
        : 'to replay past a snapshot, the world with the log is needed',
    );
  }
  return replayed(store, named, until, onProgress);
}

/** The replay begins with the named snapshot. */
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
  if (store === undefined) throw new RestoreRefused(`the snapshot at seq ${snapshot} is named without its world`);
  const { snapshots, label } = store;
  const seqs = await snapshots.list();
  if (seqs.includes(snapshot)) return { snapshots, seq: snapshot };
  const there = seqs.length === 0 ? 'has none' : `has snapshots at the seqs ${seqs.join(', ')}`;
  throw new RestoreRefused(`there is no snapshot at seq ${snapshot} in ${label}; it ${there}`);
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
    throw new RestoreRefused(`${path} is the folder of a world and not of a snapshot; name a world with --data`);
  }
  throw new RestoreRefused(
    `${path} is not named like the folder of a snapshot, such as snapshot-0000000000000013; a copy must keep its name`,
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
    onProgress: (done, total) => onProgress?.('rows', done, total),
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
    const { engine } = await recover(log, snapshots, { until, fromSnapshot: named?.seq, onProgress });
    if (engine.seq === 0) throw new RestoreRefused(`there is no world in ${label}`);
    if (until?.seq !== undefined && engine.seq < until.seq) {
      throw new RestoreRefused(`the log of ${label} ends at seq ${engine.seq}, before seq ${until.seq}`);
    }
    return engine;
  } finally {
    await log.close();
  }
}

/** If nothing is covered, the recovery reports why. */
function requireCovered(coverage: Coverage | null, until: ReplayEnd, label: string): void {
  if (coverage === null || covers(coverage, until)) return;
  const asked = until.seq === undefined ? `world time ${timeText(until.atMs ?? 0)}` : `seq ${until.seq}`;
  throw new RestoreRefused(`${asked} cannot be restored: ${label} holds ${coverageSentence(coverage)}`);
}

function timeText(atMs: number): string {
  return new Date(atMs).toISOString();
}
