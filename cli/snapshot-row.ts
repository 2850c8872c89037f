// A snapshot as operators are shown it.
import type { SnapshotManifest } from '../persistence/snapshots/snapshot-store.js';

export interface SnapshotRow {
  readonly seq: number;
  /** ISO 8601. */
  readonly worldTime: string;
  readonly byteCount: number;
  readonly stateHash: string;
  /** The machine's time at which it was taken, ISO 8601. */
  readonly takenAt: string;
}

export function snapshotRow({ seq, worldTimeMs, byteCount, stateHash, createdAtMs }: SnapshotManifest): SnapshotRow {
  const worldTime = new Date(worldTimeMs).toISOString();
  return { seq, worldTime, byteCount, stateHash, takenAt: new Date(createdAtMs).toISOString() };
}
