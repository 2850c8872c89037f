// What a store says of its world: where the log ends, its newest snapshot, who serves it. It changes nothing, and needs
// no server.
import { LogUnreadable } from '../log/log.js';
import { SnapshotDamaged, type SnapshotManifest } from '../snapshots/snapshot-store.js';
import type { Origin } from '../stores/origin.js';
import type { Lease, Member, WorldStore } from '../stores/world-store.js';
import { type Coverage, coverageOf } from './coverage.js';

export interface StoreStatus {
  /** What can be restored; null if nothing can. */
  readonly coverage: Coverage | null;
  /** The newest snapshot with a readable manifest. */
  readonly snapshot: SnapshotManifest | null;
  readonly origin: Origin | null;
  /** Whether a process has the world open for writing. */
  readonly isInUse: boolean;
  /** Who leads; null for a store that only one process can open. */
  readonly leadership: { readonly lease: Lease; readonly members: readonly Member[] } | null;
  /** Sentences about what cannot be read. */
  readonly problems: readonly string[];
}

/** @throws NoWorld, OriginUnreadable, StoreUnreachable */
export async function storeStatus(store: WorldStore): Promise<StoreStatus> {
  await store.requireWorld();
  const problems: string[] = [];
  const seqs = await store.snapshots.list();
  return {
    coverage: await coverage(store, seqs, problems),
    snapshot: await newestSnapshot(store, seqs, problems),
    origin: await store.origin(),
    isInUse: await store.isInUse(),
    leadership: await leadership(store),
    problems,
  };
}

async function coverage(store: WorldStore, seqs: readonly number[], problems: string[]): Promise<Coverage | null> {
  try {
    const log = await store.openLog();
    return await coverageOf(log, store.snapshots, seqs).finally(() => log.close());
  } catch (error) {
    if (!(error instanceof LogUnreadable)) throw error;
    problems.push(error.message);
    return null;
  }
}

async function newestSnapshot(
  { snapshots }: WorldStore,
  seqs: readonly number[],
  problems: string[],
): Promise<SnapshotManifest | null> {
  for (const seq of seqs.toReversed()) {
    try {
      return await snapshots.manifest(seq);
    } catch (error) {
      if (!(error instanceof SnapshotDamaged)) throw error;
      // A running server may have removed it since it was listed.
      if (error.fault !== 'missing') problems.push(error.message);
    }
  }
  return null;
}

async function leadership({ leadership: shared }: WorldStore): Promise<StoreStatus['leadership']> {
  if (shared === null) return null;
  try {
    return { lease: await shared.read(), members: await shared.members() };
  } finally {
    await shared.close();
  }
}
