// What a process reports of itself and its world: what is announced, its snapshots, its role, and the other processes that serve the world.

import type { Announcement } from '../../engine/world/state.js';
import type { Replica } from '../../persistence/replication/replica-view.js';
import type { SnapshotManifest } from '../../persistence/snapshots/snapshot-store.js';
import { isoText, isoTextOrNull } from '../exchange/iso-time.js';
import type { AnnouncementBody, ReplicaBody, SnapshotBody } from '../schemas/world.js';

/** What the operator announces. */
export function announcementBody(announcement: Announcement | null): AnnouncementBody | null {
  if (announcement === null) return null;
  const { text, atMs, untilMs } = announcement;
  return { text, at: isoText(atMs), until: isoTextOrNull(untilMs) };
}

/** @param manifest null if there is no snapshot */
export function snapshotBody(manifest: SnapshotManifest): SnapshotBody;
export function snapshotBody(manifest: SnapshotManifest | null): SnapshotBody | null;
export function snapshotBody(manifest: SnapshotManifest | null): SnapshotBody | null {
  if (manifest === null) return null;
  const { seq, worldTimeMs, stateHash, byteCount, createdAtMs } = manifest;
  return { seq, worldTime: isoText(worldTimeMs), stateHash, byteCount, takenAt: isoText(createdAtMs) };
}

export function replicaBody(replica: Replica | null): ReplicaBody | null {
  if (replica === null) return null;
  const { id, role, epoch, leaderUrl, leaseAgeMs, lag, members, mayAnswer } = replica;
  return {
    id,
    role,
    epoch,
    leaderUrl,
    mayAnswer,
    leaseAgeMs: leaseAgeMs === null ? null : Math.round(leaseAgeMs),
    lag: { entries: lag.entries, ms: Math.round(lag.ms) },
    members: members.map(({ id: memberId, url, role: memberRole, seq, version, reportedAgoMs }) => ({
      id: memberId,
      url,
      role: memberRole,
      seq,
      version,
      reportedAgoMs: Math.round(reportedAgoMs),
    })),
  };
}

/** Differs whenever replicaBody() differs by more than the passing of time. */
export function replicaVersion({ role, epoch, leaderUrl, mayAnswer, lag, members }: Replica): string {
  const others = members.map(({ id, url, role: memberRole, seq, version }) => [id, url, memberRole, seq, version]);
  return JSON.stringify([role, epoch, leaderUrl, mayAnswer, lag.entries, others]);
}
