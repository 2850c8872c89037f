// The manifest of a snapshot that was never taken, for tests that only look at its fields.
import type { SnapshotManifest } from '../../persistence/snapshots/snapshot-store.js';

export function manifestAt(seq: number, fields: Partial<SnapshotManifest> = {}): SnapshotManifest {
  return {
    formatVersion: 1,
    rulesVersion: 1,
    seq,
    worldTimeMs: 0,
    stateHash: '0123456789abcdef',
    logHash: '0'.repeat(32),
    rowCount: 1,
    chunkCount: 1,
    byteCount: 100,
    createdAtMs: 0,
    ...fields,
  };
}
