// What whoever watches a world is told of its snapshots. Their keeper fills it; reading it costs nothing.
import type { SnapshotManifest } from '../snapshots/snapshot-store.js';

export interface SnapshotReport {
  /** The newest one, taken by this process or one before; null before the first. */
  readonly newest: SnapshotManifest | null;
  /** How long taking it took; null where this process has taken none. */
  readonly durationMs: number | null;
  /** Since the process began. */
  readonly takenCount: number;
  readonly failedCount: number;
  readonly isInProgress: boolean;
  /** True while the taking of snapshots cannot keep up with the world. */
  readonly isLate: boolean;
  /** Null for a world in memory alone. */
  readonly history: History | null;
}

/** How much of a world's past can be verified and restored. */
export interface History {
  /** The first seq that can be gone back to. */
  readonly coveredFromSeq: number;
  /** True if this process deletes nothing of it. */
  readonly isKept: boolean;
}

/** For a world of which no snapshots are taken. */
export const NO_SNAPSHOTS: SnapshotReport = Object.freeze({
  newest: null,
  durationMs: null,
  takenCount: 0,
  failedCount: 0,
  isInProgress: false,
  isLate: false,
  history: null,
});
