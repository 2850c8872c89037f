// Recovery of a world: from the newest snapshot that verifies, else the one before it, else from the genesis; then the
// rest of the log. It repairs nothing but a torn tail.
import { Engine } from '../../engine/engine.js';
import type { EventBytes } from '../../engine/rows/world-rows.js';
import { NO_PREVIOUS_HASH } from '../log/batch-record.js';
import type { CommandLog, LogTail, ReadableLog } from '../log/log.js';
import { readSnapshot } from '../snapshots/snapshot-reader.js';
import { type ReadableSnapshots, SnapshotDamaged, type SnapshotManifest } from '../snapshots/snapshot-store.js';
import { RecoveryRefused, type ReplayEnd, type ReplayOptions, replay, type TornTail } from './replay.js';

export interface RecoveryOptions {
  /** Where to stop; at the end of the log by default. */
  readonly until?: ReplayEnd | undefined;
  /** Seq of the snapshot to begin with; the newest that verifies by default. */
  readonly fromSnapshot?: number | undefined;
  /** The bytes of the events of a snapshot, if they are not in it; see SnapshotReading. */
  readonly eventBytesOf?: (seq: number) => EventBytes | undefined;
  /** Receives the entries after the snapshot, as in a replay. */
  readonly onEntries?: ReplayOptions['onEntries'] | undefined;
  readonly onProgress?: RecoveryProgress | undefined;
}

/**
 * The step of a long operation: reading rows of a snapshot, replaying entries, writing rows, reading back what was
 * written.
 */
export type RecoveryStep = 'rows' | 'entries' | 'written rows' | 'verified rows';

/**
 * Receives the progress. An error that it throws ends the operation, which then leaves nothing behind.
 *
 * @param total undefined if unknown
 */
export type RecoveryProgress = (step: RecoveryStep, done: number, total: number | undefined) => void;

export interface Recovery {
  /** The snapshot it began with; null if it began with the genesis. */
  readonly snapshot: SnapshotManifest | null;
  /** How long reading the snapshot took. */
  readonly snapshotDurationMs: number;
  /** Snapshots that were skipped, newest first. */
  readonly damagedSnapshots: readonly SnapshotDamaged[];
  /** Records, entries and bytes that were replayed after the snapshot. */
  readonly recordCount: number;
  readonly entryCount: number;
  readonly byteCount: number;
  /** Duration of the whole recovery. */
  readonly durationMs: number;
  readonly tail: LogTail;
  /** The newest record, if it is incomplete. */
  readonly tornTail?: TornTail | undefined;
}

export interface RecoveredWorld {
  /** Empty if log and snapshots are. */
  readonly engine: Engine;
  readonly recovery: Recovery;
}

/** A recovered world that can be written to. */
export interface WritableWorld extends RecoveredWorld {
  /** What acquire() of the log returned. */
  readonly epoch: number;
}

/**
 * Recovers a world for writing: acquires the log and drops an incomplete newest record. It acquires the log only after
 * all of it has been replayed, because a program that must refuse a world must not fence off the one that serves it. It
 * then replays what an older writer appended in the meantime.
 *
 * @throws as recover() does
 * @throws LogConflict, LogWriteFailed, Fenced
 */
export async function recoverToWrite(
  log: CommandLog,
  snapshots: ReadableSnapshots,
  options: Omit<RecoveryOptions, 'until'> = {},
): Promise<WritableWorld> {
  const { onEntries } = options;
  const { engine, recovery } = await recover(log, snapshots, options);
  const epoch = await log.acquire();
  const late = await replay(log, engine, { startHash: recovery.tail.hash, onEntries });
  const { tail, tornTail } = late;
  if (tornTail !== undefined) await log.dropLast(epoch, tornTail.firstSeq);
  const whole: Recovery = {
    ...recovery,
    recordCount: recovery.recordCount + late.recordCount,
    entryCount: recovery.entryCount + late.entryCount,
    byteCount: recovery.byteCount + late.byteCount,
    tail,
    tornTail,
  };
  return { engine, recovery: whole, epoch };
}

/**
 * Recovers a world, and changes nothing on disk.
 *
 * @throws RecoveryRefused if the log is damaged, or does not match the snapshots
 * @throws SnapshotDamaged if the requested snapshot is damaged
 * @throws LogUnreadable
 */
export async function recover(
  log: ReadableLog,
  snapshots: ReadableSnapshots,
  options: RecoveryOptions = {},
): Promise<RecoveredWorld> {
  const startedMs = performance.now();
  const { until, onEntries, onProgress } = options;
  const damagedSnapshots: SnapshotDamaged[] = [];
  const seqs = await snapshots.list();
  // Beside a running server, a snapshot may be newer than the part of the log that was read.
  await log.refresh();
  const start = await startOf(snapshots, seqs, options, damagedSnapshots);
  const snapshotDurationMs = performance.now() - startedMs;
  requireStart(log, start, damagedSnapshots);
  const engine = start?.engine ?? Engine.create();
  const startSeq = engine.seq;
  const replayed = await replay(log, engine, {
    startHash: start === null ? NO_PREVIOUS_HASH : Buffer.from(start.manifest.logHash, 'hex'),
    until,
    onEntries,
    onProgress: (seq, lastSeq) => onProgress?.('entries', seq - startSeq, lastSeq && lastSeq - startSeq),
  });
  if (until === undefined) requireNoNewerSnapshot(seqs, engine.seq);
  const recovery: Recovery = {
    snapshot: start?.manifest ?? null,
    snapshotDurationMs,
    damagedSnapshots,
    ...replayed,
    durationMs: performance.now() - startedMs,
  };
  return { engine, recovery };
}

interface Start {
  readonly engine: Engine;
  readonly manifest: SnapshotManifest;
}

/** @param damaged receives the snapshots that were skipped */
async function startOf(
  snapshots: ReadableSnapshots,
  seqs: readonly number[],
  options: RecoveryOptions,
  damaged: SnapshotDamaged[],
): Promise<Start | null> {
  const { until, fromSnapshot, eventBytesOf, onProgress } = options;
  const read = (seq: number): Promise<Start> =>
    readSnapshot(snapshots, seq, {
      eventBytes: eventBytesOf?.(seq),
      onProgress: (done, total) => onProgress?.('rows', done, total),
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

/** A snapshot of a later seq proves that the log was longer once. */
function requireNoNewerSnapshot(seqs: readonly number[], seq: number): void {
  const newest = seqs.at(-1) ?? 0;
  if (newest <= seq) return;
  throw new RecoveryRefused(seq + 1, `records are missing, since there is a snapshot at seq ${newest}`);
}
