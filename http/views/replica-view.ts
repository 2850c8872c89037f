// The role of this process, and the other processes that serve the world, as /api/status shows them.
import type { Replica } from '../../persistence/replication/replica-view.js';
import type { ReplicaBody } from '../schemas/world.js';

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
