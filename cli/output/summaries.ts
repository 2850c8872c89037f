// How snapshots, recoveries, sizes and counts are shown to operators.
import type { OpenWorld } from '../../persistence/open-world.js';
import type { SnapshotManifest } from '../../persistence/snapshots/snapshot-store.js';

/** A snapshot, in JSON and in log lines. */
export interface SnapshotRow {
  readonly seq: number;
  /** ISO 8601. */
  readonly worldTime: string;
  readonly byteCount: number;
  readonly stateHash: string;
  /** Machine time at which it was taken, ISO 8601. */
  readonly takenAt: string;
}

export function snapshotRow({ seq, worldTimeMs, byteCount, stateHash, createdAtMs }: SnapshotManifest): SnapshotRow {
  const worldTime = new Date(worldTimeMs).toISOString();
  return { seq, worldTime, byteCount, stateHash, takenAt: new Date(createdAtMs).toISOString() };
}

/**
 * What a world was recovered from, and how long each part took.
 *
 * @param data the folder as the operator named it
 */
export function recoverySentence({ recovery, engine }: Pick<OpenWorld, 'recovery' | 'engine'>, data: string): string {
  const { snapshot, snapshotDurationMs, entryCount, durationMs } = recovery;
  const replayMs = Math.round(durationMs - snapshotDurationMs);
  const entries = `${counted(entryCount, 'entry', 'entries')} of the log in ${replayMs} ms`;
  const parts =
    snapshot === null
      ? entries
      : `the snapshot at seq ${snapshot.seq} (${snapshot.rowCount} rows) in ${Math.round(snapshotDurationMs)} ms, then ${entries}`;
  return `recovered ${data}: ${parts}; seq ${engine.seq}`;
}

/** `1 entry`, `2 entries`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A number with thousands separators. */
export function grouped(value: number): string {
  return value.toLocaleString('en');
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

/** A number of bytes in a suitable unit. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length);
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}
