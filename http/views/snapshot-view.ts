// A snapshot as shown in replies.
import type { SnapshotManifest } from '../../persistence/snapshots/snapshot-store.js';
import type { SnapshotBody } from '../schemas/world.js';
import { isoText } from './iso-time.js';

/** @param manifest null if there is no snapshot */
export function snapshotBody(manifest: SnapshotManifest): SnapshotBody;
export function snapshotBody(manifest: SnapshotManifest | null): SnapshotBody | null;
export function snapshotBody(manifest: SnapshotManifest | null): SnapshotBody | null {
  if (manifest === null) return null;
  const { seq, worldTimeMs, stateHash, byteCount, createdAtMs } = manifest;
  return { seq, worldTime: isoText(worldTimeMs), stateHash, byteCount, takenAt: isoText(createdAtMs) };
}
