// Replays everything that a store holds and checks every hash on the way. It changes nothing, and reports the first
// thing that is wrong.
import { Engine } from '../../engine/engine.js';
import { UnfitFile } from '../files/plain-file.js';
import { NO_PREVIOUS_HASH } from '../log/batch-record.js';
import { type LogTail, LogUnreadable, type ReadableLog } from '../log/log.js';
import type { RecoveryProgress } from '../recovery/recovery.js';
import { RecoveryRefused, type Replay, replay } from '../recovery/replay.js';
import { readSnapshot, type SnapshotReading, verifySnapshot } from '../snapshots/snapshot-reader.js';
import { SnapshotDamaged, type SnapshotManifest, type SnapshotStore } from '../snapshots/snapshot-store.js';
import { OriginUnreadable } from '../stores/origin.js';
import type { WorldStore } from '../stores/world-store.js';

/** What was verified. */
export interface VerifiedWorld {
  readonly snapshots: readonly SnapshotManifest[];
  /** Log entries that were replayed. */
  readonly entryCount: number;
  /** Bytes of the snapshots and of the records of the log. */
  readonly byteCount: number;
  /** Where the replay ended: seq, world time in milliseconds, state. */
  readonly lastSeq: number;
  readonly lastMs: number;
  readonly stateHash: string;
}

/**
 * @throws NoWorld, OriginUnreadable, SnapshotDamaged, RecoveryRefused, LogUnreadable: the first thing that is wrong
 */
export async function verifyWorld(store: WorldStore, onProgress?: RecoveryProgress): Promise<VerifiedWorld> {
  await store.requireWorld();
  await store.origin();
  const log = await store.openLog();
  try {
    const { engine: _, tail: __, ...verified } = await verifyParts(log, store.snapshots, onProgress);
    return verified;
  } finally {
    await log.close();
  }
}

/** The errors that say that what is stored is damaged. Others say that it could not be read. */
export const DAMAGE = [RecoveryRefused, SnapshotDamaged, LogUnreadable, OriginUnreadable, UnfitFile] as const;

/** System errors that concern the process, and not what is stored. */
const OWN_TROUBLE = new Set<unknown>(['EMFILE', 'ENFILE', 'ENOMEM', 'EACCES', 'EPERM']);

export function isDamage(error: unknown): boolean {
  if (!DAMAGE.some((kind) => error instanceof kind)) return false;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && OWN_TROUBLE.has(cause.code)) return false;
  return true;
}

/** A verified world with what is needed to replay on. */
export interface VerifiedParts extends VerifiedWorld {
  readonly engine: Engine;
  /** Where the replay ended. */
  readonly tail: LogTail;
}

/** The same for an open log and its snapshots. @throws SnapshotDamaged, RecoveryRefused, LogUnreadable */
export async function verifyParts(
  log: ReadableLog,
  store: SnapshotStore,
  onProgress?: RecoveryProgress,
): Promise<VerifiedParts> {
  const verified = await verifiedSnapshots(store, onProgress);
  // Snapshots may be newer than the log was when it was opened. A running server removes a snapshot before it prunes
  // the log after it, so the log must reach back to every snapshot that exists now.
  await log.refresh();
  const seqs = await store.list();
  const snapshots = verified.filter(({ seq }) => seqs.includes(seq));
  const [oldest] = snapshots;
  const start = log.firstSeq === 1 ? undefined : oldest;
  const engine = start === undefined ? Engine.create() : await engineAt(store, start, onProgress);
  const startSeq = engine.seq;
  let byteCount = snapshots.reduce((sum, manifest) => sum + manifest.byteCount, 0);
  let hash: Uint8Array = start === undefined ? NO_PREVIOUS_HASH : Buffer.from(start.logHash, 'hex');
  const replayUntil = async (until?: number): Promise<void> => {
    const { tail, tornTail, ...replayed }: Replay = await replay(log, engine, {
      startHash: hash,
      until: until === undefined ? undefined : { seq: until },
      onProgress: (seq, lastSeq) => onProgress?.('entries', seq - startSeq, lastSeq && lastSeq - startSeq),
    });
    hash = tail.hash;
    byteCount += replayed.byteCount;
    if (tornTail === undefined) return;
    throw new RecoveryRefused(tornTail.firstSeq, 'the newest record is incomplete; the next start drops it');
  };
  for (const manifest of snapshots) {
    await replayUntil(manifest.seq);
    requireSame(engine, manifest);
  }
  await replayUntil();
  if (engine.seq === 0) throw new RecoveryRefused(1, 'there is no log');
  const { seq, nowMs } = engine;
  const stateHash = engine.stateHash();
  const counted = { snapshots, entryCount: seq - startSeq, byteCount, lastSeq: seq, lastMs: nowMs, stateHash };
  return { ...counted, engine, tail: { lastSeq: seq, hash } };
}

/** Every snapshot that exists at the end. A running server may add and remove snapshots meanwhile. */
async function verifiedSnapshots(store: SnapshotStore, onProgress?: RecoveryProgress): Promise<SnapshotManifest[]> {
  const verified = new Map<number, SnapshotManifest>();
  const reading: SnapshotReading = { onProgress: (done, total) => onProgress?.('verified rows', done, total) };
  for (;;) {
    const seqs = await store.list();
    const next = seqs.find((seq) => !verified.has(seq));
    if (next === undefined) return seqs.flatMap((seq) => verified.get(seq) ?? []);
    try {
      verified.set(next, await verifySnapshot(store, next, reading));
    } catch (error) {
      if (!(error instanceof SnapshotDamaged) || (await store.list()).includes(next)) throw error;
    }
  }
}

async function engineAt(
  store: SnapshotStore,
  { seq }: SnapshotManifest,
  onProgress: RecoveryProgress | undefined,
): Promise<Engine> {
  const reading: SnapshotReading = { onProgress: (done, total) => onProgress?.('rows', done, total) };
  return (await readSnapshot(store, seq, reading)).engine;
}

/** The replay has reached a snapshot's seq: both states must be the same. */
function requireSame(engine: Engine, { seq, stateHash }: SnapshotManifest): void {
  if (engine.seq !== seq) {
    throw new RecoveryRefused(engine.seq + 1, `records are missing, since there is a snapshot at seq ${seq}`);
  }
  const replayed = engine.stateHash();
  if (replayed === stateHash) return;
  throw new SnapshotDamaged(seq, 'wrong_state_hash', `it is ${stateHash}, but the replay of the log gives ${replayed}`);
}
