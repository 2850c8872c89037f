// Replays everything that a store holds and checks every hash on the way. It changes nothing, and tells the first
// thing that is wrong.
import { Engine } from '../../engine/engine.js';
import { NO_PREVIOUS_HASH } from '../log/batch-record.js';
import type { ReadableLog } from '../log/log.js';
import type { RecoveryProgress, RecoveryStep } from '../recovery/recovery.js';
import { RecoveryRefused, type Replay, replay } from '../recovery/replay.js';
import { readSnapshot, type SnapshotReading, verifySnapshot } from '../snapshots/snapshot-reader.js';
import { SnapshotDamaged, type SnapshotManifest, type SnapshotStore } from '../snapshots/snapshot-store.js';
import type { WorldStore } from '../stores/world-store.js';

/** What was looked at, all of it sound. */
export interface VerifiedWorld {
  readonly snapshots: readonly SnapshotManifest[];
  /** Entries of the log that were replayed, each record checked. */
  readonly entryCount: number;
  /** Where that led to: seq, world time in milliseconds, state. */
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
    return await verifyParts(log, store.snapshots, onProgress);
  } finally {
    await log.close();
  }
}

/** @throws SnapshotDamaged, RecoveryRefused, LogUnreadable */
async function verifyParts(
  log: ReadableLog,
  store: SnapshotStore,
  onProgress: RecoveryProgress | undefined,
): Promise<VerifiedWorld> {
  const verified = await verifiedSnapshots(store, onProgress);
  // What was written since the log was opened: the snapshots may tell of it. A running server removes a snapshot before it
  // lets go of the log behind it: what is there now, the log must reach back to.
  await log.refresh();
  const seqs = await store.list();
  const snapshots = verified.filter(({ seq }) => seqs.includes(seq));
  const [oldest] = snapshots;
  const start = log.firstSeq === 1 ? undefined : oldest;
  const engine = start === undefined ? Engine.create() : await engineAt(store, start, onProgress);
  const startSeq = engine.seq;
  let hash: Uint8Array = start === undefined ? NO_PREVIOUS_HASH : Buffer.from(start.logHash, 'hex');
  const goOn = async (until?: number): Promise<void> => {
    const { tail, tornTail }: Replay = await replay(log, engine, {
      startHash: hash,
      ...(until === undefined ? {} : { until: { seq: until } }),
      ...(onProgress === undefined
        ? {}
        : { onProgress: (seq, lastSeq) => onProgress('entries', seq - startSeq, lastSeq && lastSeq - startSeq) }),
    });
    hash = tail.hash;
    if (tornTail === undefined) return;
    throw new RecoveryRefused(tornTail.firstSeq, 'the newest record was not written whole; a start drops it');
  };
  for (const manifest of snapshots) {
    await goOn(manifest.seq);
    requireSame(engine, manifest);
  }
  await goOn();
  if (engine.seq === 0) throw new RecoveryRefused(1, 'there is no log');
  const { seq, nowMs } = engine;
  return { snapshots, entryCount: seq - startSeq, lastSeq: seq, lastMs: nowMs, stateHash: engine.stateHash() };
}

/** Every snapshot that is there at the end. Beside a running server one may come, and another one go, meanwhile. */
async function verifiedSnapshots(store: SnapshotStore, onProgress?: RecoveryProgress): Promise<SnapshotManifest[]> {
  const verified = new Map<number, SnapshotManifest>();
  for (;;) {
    const seqs = await store.list();
    const next = seqs.find((seq) => !verified.has(seq));
    if (next === undefined) return seqs.flatMap((seq) => verified.get(seq) ?? []);
    try {
      verified.set(next, await verifySnapshot(store, next, readingProgress('verified rows', onProgress)));
    } catch (error) {
      if (!(error instanceof SnapshotDamaged) || (await store.list()).includes(next)) throw error;
    }
  }
}

function readingProgress(
  step: RecoveryStep,
  onProgress: RecoveryProgress | undefined,
): Pick<SnapshotReading, 'onProgress'> {
  return onProgress === undefined ? {} : { onProgress: (done, total) => onProgress(step, done, total) };
}

async function engineAt(
  store: SnapshotStore,
  { seq }: SnapshotManifest,
  onProgress: RecoveryProgress | undefined,
): Promise<Engine> {
  return (await readSnapshot(store, seq, readingProgress('rows', onProgress))).engine;
}

/** The replay has come to a snapshot's seq: both must tell the same. */
function requireSame(engine: Engine, { seq, stateHash }: SnapshotManifest): void {
  if (engine.seq !== seq) {
    throw new RecoveryRefused(engine.seq + 1, `records are missing, since there is a snapshot at seq ${seq}`);
  }
  const replayed = engine.stateHash();
  if (replayed === stateHash) return;
  throw new SnapshotDamaged(seq, 'wrong_state_hash', `it is ${stateHash}, and the log leads to ${replayed}`);
}
