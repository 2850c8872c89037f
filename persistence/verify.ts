// Replays everything that a data folder holds and checks every hash on the way. It changes nothing, and tells the first
// thing that is wrong.
import { Engine } from '../engine/engine.js';
import { RULES_VERSION } from '../engine/rules/catalogue.js';
import { NO_PREVIOUS_HASH } from './batch-record.js';
import type { ReadableLog } from './log.js';
import type { RecoveryProgress } from './recovery.js';
import { RecoveryRefused, type Replay, replay } from './replay.js';
import { readSnapshot, verifySnapshot } from './snapshot-reader.js';
import { SnapshotDamaged, type SnapshotManifest, type SnapshotStore } from './snapshot-store.js';

/** What was looked at, all of it sound. */
export interface VerifiedWorld {
  readonly snapshots: readonly SnapshotManifest[];
  /** The seqs that were replayed, each record and entry checked: from the first to the last. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly stateHash: string;
}

/**
 * @throws SnapshotDamaged, RecoveryRefused, LogUnreadable: the first thing that is wrong
 */
export async function verifyWorld(
  log: ReadableLog,
  store: SnapshotStore,
  onProgress?: RecoveryProgress,
): Promise<VerifiedWorld> {
  const rulesVersions = new Set([RULES_VERSION]);
  const snapshots: SnapshotManifest[] = [];
  for (const seq of await store.list()) snapshots.push(await verifySnapshot(store, seq, { rulesVersions }));
  const [oldest] = snapshots;
  const fromGenesis = log.firstSeq === 1;
  const engine = fromGenesis || oldest === undefined ? Engine.create() : await engineAt(store, oldest, rulesVersions);
  const startSeq = engine.seq;
  let hash: Uint8Array = fromGenesis || oldest === undefined ? NO_PREVIOUS_HASH : Buffer.from(oldest.logHash, 'hex');
  const goOn = async (until?: number): Promise<void> => {
    const { tail, tornTail }: Replay = await replay(log, engine, {
      rulesVersions,
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
  return { snapshots, firstSeq: startSeq + 1, lastSeq: engine.seq, stateHash: engine.stateHash() };
}

async function engineAt(
  store: SnapshotStore,
  { seq }: SnapshotManifest,
  rulesVersions: ReadonlySet<number>,
): Promise<Engine> {
  return (await readSnapshot(store, seq, { rulesVersions })).engine;
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
