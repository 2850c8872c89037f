// What whoever watches a world is told of its snapshots. Who makes them keeps it; reading it costs nothing.

export interface SnapshotReport {
  /** The newest snapshot that was written and verified, by this process or one before; null: there is none yet. */
  readonly newest: NewestSnapshot | null;
  /** Snapshots that came to nothing since the process began. */
  readonly failedCount: number;
  /** True while the making of snapshots cannot keep up with the world. */
  readonly isLate: boolean;
}

export interface NewestSnapshot {
  readonly seq: number;
  /** When it was complete, by the machine's clock: milliseconds since 1970. */
  readonly completedAtMs: number;
  /** How long the making took; null where that was another process. */
  readonly durationMs: number | null;
}

/** For a world of which no snapshots are made. */
export const NO_SNAPSHOTS: SnapshotReport = Object.freeze({ newest: null, failedCount: 0, isLate: false });
