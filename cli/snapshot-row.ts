// A snapshot as it is shown to operators.
import type { SnapshotManifest } from '../persistence/snapshots/snapshot-store.js';

export interface SnapshotRow {
  readonly seq: number;
  /** ISO 8601. */
  readonly worldTime: string;
  readonly byteCount: number;
  readonly stateHash: string;
  /** When it was taken by the machine's clock, ISO 8601. */
  readonly takenAt: string;
}

export function snapshotRow({ seq, worldTimeMs, byteCount, stateHash, createdAtMs }: SnapshotManifest): SnapshotRow {
  const worldTime = new Date(worldTimeMs).toISOString();
  return { seq, worldTime, byteCount, stateHash, takenAt: new Date(createdAtMs).toISOString() };
}
