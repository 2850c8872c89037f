// Takes a snapshot of a world outside the process that serves it: reads the newest snapshot, replays the log after it,
// writes the state. So every snapshot also tests recovery. It changes nothing in the log.
import type { ReadableLog } from '../log/log.js';
import { type RecoveryProgress, recover } from '../recovery/recovery.js';
import { replay } from '../recovery/replay.js';
import type { SnapshotManifest, SnapshotStore } from '../snapshots/snapshot-store.js';
import { writeSnapshot } from '../snapshots/snapshot-writer.js';
import type { WorldStore } from '../stores/world-store.js';

export interface SnapshotRequest {
  /** Seq of a durable entry that ends a record. */
  readonly seq: number;
  /** A later seq, at which the replay is compared with the live engine; see Engine.fingerprint. */
  readonly auditSeq?: number;
}

export interface TakenSnapshot {
  readonly manifest: SnapshotManifest;
  /** False if a sound snapshot of this seq already existed. */
  readonly isNew: boolean;
  /** Seq of the snapshot that the replay began with, which proves it sound; null for the genesis. */
  readonly basisSeq: number | null;
  /** Snapshots that were found damaged, with a sentence each. */
  readonly damaged: readonly { readonly seq: number; readonly message: string }[];
  /** Fingerprint of the replayed state at auditSeq; null if that was not requested, or is not durable yet. */
  readonly auditFingerprint: string | null;
  readonly durationMs: number;
}

/** A snapshot of the world cannot be taken. */
export class SnapshotRefused extends Error {
  override readonly name = 'SnapshotRefused';
}

/**
 * Takes a snapshot of a world, which may be in use.
 *
 * @param request defaults to the newest durable seq
 * @throws NoWorld, SnapshotRefused, SnapshotInProgress, SnapshotWriteFailed, RecoveryRefused, LogUnreadable
 */
export async function takeSnapshot(
  store: WorldStore,
  request?: SnapshotRequest,
  onProgress?: RecoveryProgress,
): Promise<TakenSnapshot> {
  await store.requireWorld();
  const lock = await store.lockSnapshots();
  try {
    const log = await store.openLog();
    try {
      if (log.firstSeq === undefined) throw new SnapshotRefused(`there is no world in ${store.label}`);
      await store.snapshots.sweep();
      return await takeFrom(log, store.snapshots, request, onProgress);
    } finally {
      await log.close();
    }
  } finally {
    await lock.release();
  }
}

/** The same, from an open log into an open store. */
export async function takeFrom(
  log: ReadableLog,
  snapshots: SnapshotStore,
  request?: SnapshotRequest,
  onProgress?: RecoveryProgress,
): Promise<TakenSnapshot> {
  const startedMs = performance.now();
  const { engine, recovery } = await recover(log, snapshots, {
    until: request && { seq: request.seq },
    onProgress,
  });
  const { seq } = engine;
  if (request !== undefined && seq !== request.seq) {
    throw new SnapshotRefused(`the log ends at seq ${seq}, before seq ${request.seq}`);
  }
  const basis = recovery.snapshot;
  const isNew = basis?.seq !== seq;
  const damaged = recovery.damagedSnapshots.map(({ seq: damagedSeq, message }) => ({ seq: damagedSeq, message }));
  // A damaged snapshot of the same seq would be in the way.
  if (isNew && damaged.some(({ seq: damagedSeq }) => damagedSeq === seq)) await snapshots.remove(seq);
  const logHash = recovery.tail.hash;
  const order = { engine, logHash, store: snapshots, createdAtMs: Date.now(), onProgress };
  const manifest = isNew ? await writeSnapshot(order) : basis;
  let auditFingerprint: string | null = null;
  if (request?.auditSeq !== undefined) {
    const { auditSeq } = request;
    await log.refresh();
    await replay(log, engine, { startHash: logHash, until: { seq: auditSeq } });
    if (engine.seq === auditSeq) auditFingerprint = engine.fingerprint();
  }
  const durationMs = performance.now() - startedMs;
  return { manifest, isNew, basisSeq: basis?.seq ?? null, damaged, auditFingerprint, durationMs };
}
