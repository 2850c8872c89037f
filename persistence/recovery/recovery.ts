// How a world comes back: from the newest snapshot that verifies, else the one before it, else from its beginning; then
// what the log holds behind it. It repairs nothing but a tail that was not written whole.
import { Engine } from '../../engine/engine.js';
import { NO_PREVIOUS_HASH } from '../log/batch-record.js';
import type { CommandLog, LogTail, ReadableLog } from '../log/log.js';
import { readSnapshot } from '../snapshots/snapshot-reader.js';
import { SnapshotDamaged, type SnapshotManifest, type SnapshotStore } from '../snapshots/snapshot-store.js';
import type { Follower } from '../writer/feed.js';
import { RecoveryRefused, type ReplayEnd, replay, type TornTail } from './replay.js';

export interface RecoveryOptions {
  /** Where to stop; at the end of the log by default. */
  readonly until?: ReplayEnd;
  /** Seq of the snapshot to begin with; the newest that verifies by default. */
  readonly fromSnapshot?: number;
  /** Given the entries behind the snapshot, and what they cause. */
  readonly follower?: Follower;
  readonly onProgress?: RecoveryProgress;
}

/** What something long is at: reading rows of a snapshot, replaying entries, writing rows, reading back what was written. */
export type RecoveryStep = 'rows' | 'entries' | 'written rows' | 'verified rows';

/**
 * Told how far it is. What it throws ends the work, which then leaves nothing behind.
 *
 * @param total undefined where nobody knows
 */
export type RecoveryProgress = (step: RecoveryStep, done: number, total: number | undefined) => void;

export interface Recovery {
  /** The snapshot it began with; null where it began with the genesis. */
  readonly snapshot: SnapshotManifest | null;
  /** Time that reading the snapshot took. */
  readonly snapshotDurationMs: number;
  /** Snapshots that were passed over, the newest first. */
  readonly damagedSnapshots: readonly SnapshotDamaged[];
  /** Records, entries and bytes that were replayed behind the snapshot. */
  readonly recordCount: number;
  readonly entryCount: number;
  readonly byteCount: number;
  /** In all. */
  readonly durationMs: number;
  readonly tail: LogTail;
  /** The newest record, which was not written whole. */
  readonly tornTail?: TornTail;
}

export interface RecoveredWorld {
  /** Empty where log and snapshots are. */
  readonly engine: Engine;
  readonly recovery: Recovery;
}

/** One that can be written to. */
export interface WritableWorld extends RecoveredWorld {
  /** What acquire() of the log returned. */
  readonly epoch: number;
}

/**
 * Brings a world back, to go on with it: the log is acquired, and a newest record that was not written whole is gone when it
 * settles. The log is acquired only once all of it can be replayed, because a program that has to refuse a world must not fence
 * off one that serves it. What an older writer has appended until then is replayed behind the rest.
 *
 * @throws as recover() does
 * @throws LogConflict, LogWriteFailed, Fenced
 */
export async function recoverToWrite(
  log: CommandLog,
  snapshots: SnapshotStore,
  options: Omit<RecoveryOptions, 'until'> = {},
): Promise<WritableWorld> {
  const { follower } = options;
  const { engine, recovery } = await recover(log, snapshots, options);
  const epoch = await log.acquire();
  const { tornTail: _, ...before } = recovery;
  const { tornTail, ...late } = await replay(log, engine, {
    startHash: before.tail.hash,
    ...(follower === undefined ? {} : { follower }),
  });
  if (tornTail !== undefined) await log.dropLast(epoch, tornTail.firstSeq);
  const whole: Recovery = {
    ...before,
    recordCount: before.recordCount + late.recordCount,
    entryCount: before.entryCount + late.entryCount,
    byteCount: before.byteCount + late.byteCount,
    tail: late.tail,
  };
  return { engine, recovery: tornTail === undefined ? whole : { ...whole, tornTail }, epoch };
}

/**
 * Brings a world back, and changes nothing on disk.
 *
 * @throws RecoveryRefused where the log is damaged, or does not fit the snapshots
 * @throws SnapshotDamaged where the snapshot that was asked for is
 * @throws LogUnreadable
 */
export async function recover(
  log: ReadableLog,
  snapshots: SnapshotStore,
  options: RecoveryOptions = {},
): Promise<RecoveredWorld> {
  const startedMs = performance.now();
  const { until, follower, onProgress } = options;
  const damagedSnapshots: SnapshotDamaged[] = [];
  const seqs = await snapshots.list();
  // Beside a running server there may be a snapshot that is newer than what was seen of the log.
  await log.refresh();
  const start = await startOf(snapshots, seqs, options, damagedSnapshots);
  const snapshotDurationMs = performance.now() - startedMs;
  requireStart(log, start, damagedSnapshots);
  const engine = start?.engine ?? Engine.create();
  const startSeq = engine.seq;
  const { tornTail, ...replayed } = await replay(log, engine, {
    startHash: start === null ? NO_PREVIOUS_HASH : Buffer.from(start.manifest.logHash, 'hex'),
    ...(until === undefined ? {} : { until }),
    ...(follower === undefined ? {} : { follower }),
    ...(onProgress === undefined
      ? {}
      : {
          onProgress: (seq, lastSeq) =>
            onProgress('entries', seq - startSeq, lastSeq === undefined ? undefined : lastSeq - startSeq),
        }),
  });
  if (until === undefined) requireNoNewerSnapshot(seqs, engine.seq);
  const recovery: Recovery = {
    snapshot: start?.manifest ?? null,
    snapshotDurationMs,
    damagedSnapshots,
    ...replayed,
    durationMs: performance.now() - startedMs,
  };
  return { engine, recovery: tornTail === undefined ? recovery : { ...recovery, tornTail } };
}

interface Start {
  readonly engine: Engine;
  readonly manifest: SnapshotManifest;
}

/** @param damaged filled with the snapshots that were passed over */
async function startOf(
  snapshots: SnapshotStore,
  seqs: readonly number[],
  options: RecoveryOptions,
  damaged: SnapshotDamaged[],
): Promise<Start | null> {
  const { until, fromSnapshot, onProgress } = options;
  const read = (seq: number): Promise<Start> =>
    readSnapshot(snapshots, seq, {
      ...(onProgress === undefined ? {} : { onProgress: (done, total) => onProgress('rows', done, total) }),
    });
  if (fromSnapshot !== undefined) return read(fromSnapshot);
  for (const seq of seqs.toReversed()) {
    if (seq > (until?.seq ?? Number.POSITIVE_INFINITY)) continue;
    try {
      const { worldTimeMs } = await snapshots.manifest(seq);
      if (worldTimeMs <= (until?.atMs ?? Number.POSITIVE_INFINITY)) return await read(seq);
    } catch (error) {
      if (!(error instanceof SnapshotDamaged)) throw error;
      damaged.push(error);
    }
  }
  return null;
}

/** Without a snapshot, the log must begin with the genesis. */
function requireStart(log: ReadableLog, start: Start | null, damaged: readonly SnapshotDamaged[]): void {
  if (start !== null) return;
  const firstSeq = log.firstSeq ?? 1;
  if (firstSeq === 1 && (log.firstSeq !== undefined || damaged.length === 0)) return;
  const reach = log.firstSeq === undefined ? 'there is no log' : `the log begins at seq ${firstSeq}`;
  const reasons = damaged.map(({ message }) => `; ${message}`).join('');
  throw new RecoveryRefused(1, `${reach}, and no snapshot before it can be read${reasons}`);
}

/** A snapshot of a later seq shows that the log reached further once. */
function requireNoNewerSnapshot(seqs: readonly number[], seq: number): void {
  const newest = seqs.at(-1) ?? 0;
  if (newest <= seq) return;
  throw new RecoveryRefused(seq + 1, `records are missing, since there is a snapshot at seq ${newest}`);
}
