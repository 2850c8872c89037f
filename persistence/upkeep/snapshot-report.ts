// What monitoring reports of a world's snapshots. The keeper fills it; reading it costs nothing.
import type { SnapshotManifest } from '../snapshots/snapshot-store.js';

export interface SnapshotReport {
  /** The newest one, whichever process has taken it; null before the first. */
  readonly newest: SnapshotManifest | null;
  /** How long taking it took; null if this process has taken none. */
  readonly durationMs: number | null;
  /** Since the process started. */
  readonly takenCount: number;
  readonly failedCount: number;
  readonly isInProgress: boolean;
  /** True while snapshots cannot keep up with the world. */
  readonly isLate: boolean;
  /** Null for a world in memory. */
  readonly history: History | null;
}

/** How much of a world's history can be verified and restored. */
export interface History {
  /** The first seq that can be restored. */
  readonly coveredFromSeq: number;
  /** True if this process deletes none of it. */
  readonly isKept: boolean;
}

/** For a world without snapshots. */
export const NO_SNAPSHOTS: SnapshotReport = Object.freeze({
  newest: null,
  durationMs: null,
  takenCount: 0,
  failedCount: 0,
  isInProgress: false,
  isLate: false,
  history: null,
});
