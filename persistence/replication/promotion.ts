// Asks the leader of a shared store to hand over to a standby, and waits until the standby leads. The leader and the
// standby do the work; this only asks and watches, so it may be interrupted at any time.
import { setTimeout as delay } from 'node:timers/promises';
import { HANDOVER_LAG_MAX, PROMOTION_POLL_MS, PROMOTION_WAIT_MS } from '../limits.js';
import type { Leadership, Lease, Member } from '../stores/world-store.js';
import { isAlive } from './member-reports.js';

/** There is nobody to ask, or nobody to hand over to, or it did not happen. */
export class PromotionRefused extends Error {
  override readonly name: string = 'PromotionRefused';
}

/** The clock of the standby has jumped too far for it to take over. */
export class StandbyClockJumped extends PromotionRefused {
  constructor({ url, obstacle }: Member) {
    super(`${url} would not take over: ${obstacle}`);
  }
}

export interface PromotionOptions {
  /** Id or URL of the standby; by default the one that has applied most. */
  readonly to?: string;
  /** Withdraws the request. */
  readonly signal: AbortSignal;
  /** Name of the store in sentences. */
  readonly label: string;
  /** Defaults to PROMOTION_WAIT_MS. */
  readonly waitMs?: number;
}

export interface Promotion {
  /** The process that leads now. */
  readonly leader: Member;
  /** The process that led before; null if the wanted one led already. */
  readonly before: Member | null;
  readonly epoch: number;
  /** Time from the request until the standby had the lease. */
  readonly durationMs: number;
}

/** What it needs of a shared store. */
type Promoting = Pick<Leadership, 'read' | 'members' | 'want'>;

/**
 * Hands leadership over.
 *
 * @throws PromotionRefused, StandbyClockJumped; then nothing is asked of anybody any more
 * @throws StoreUnreachable
 */
export async function promote(leadership: Promoting, options: PromotionOptions): Promise<Promotion> {
  const { to, signal, label, waitMs = PROMOTION_WAIT_MS } = options;
  const lease = await leadership.read();
  const members = await leadership.members();
  const before = leaderOf(lease, members, label);
  // A process reports its role once a second, so the lease knows better who leads.
  const standbys = members.filter(({ id }) => id !== before.id);
  const wanted = to === undefined ? mostAdvanced(standbys, label) : named([before, ...standbys], to, label);
  if (wanted.id === before.id) return { leader: wanted, before: null, epoch: lease.epoch, durationMs: 0 };
  requireAlive(wanted);
  if (wanted.obstacle !== null) throw new StandbyClockJumped(wanted);
  requireNear(wanted, before);
  const startedMs = performance.now();
  await leadership.want(wanted.id);
  try {
    const { epoch } = await leadingLease(leadership, { lease, wanted, signal, waitMs });
    return { leader: wanted, before, epoch, durationMs: performance.now() - startedMs };
  } catch (error) {
    await leadership.want(null).catch(() => {});
    throw error;
  }
}

function leaderOf({ leaderId }: Lease, members: readonly Member[], label: string): Member {
  const leader = members.find(({ id }) => id === leaderId);
  if (leader !== undefined && isAlive(leader)) return leader;
  throw new PromotionRefused(
    `no process leads the world in ${label} now; a standby takes over by itself, and needs no promotion`,
  );
}

function mostAdvanced(members: readonly Member[], label: string): Member {
  const alive = members.filter(isAlive).sort((one, other) => other.seq - one.seq);
  const best = alive.find(({ obstacle }) => obstacle === null) ?? alive[0];
  if (best !== undefined) return best;
  throw new PromotionRefused(
    `there is no standby of the world in ${label}; start another galaxyd serve on the same store first`,
  );
}

/** @param members the leader first */
function named(members: readonly Member[], to: string, label: string): Member {
  const url = to.replace(/\/+$/, '');
  const found = members.filter((member) => member.id === to || member.url.replace(/\/+$/, '') === url);
  // A process that was started again has the URL of its predecessor, which is still listed for a while.
  const [newest] = found.sort((one, other) => one.reportedAgoMs - other.reportedAgoMs);
  if (newest !== undefined) return newest;
  const known = members.map(({ id, url: memberUrl }) => `${memberUrl} (${id})`).join(', ');
  throw new PromotionRefused(`${to} does not serve the world in ${label}; these do, the leader first: ${known}`);
}

function requireAlive(member: Member): void {
  if (isAlive(member)) return;
  const seconds = (member.reportedAgoMs / 1000).toFixed(1);
  throw new PromotionRefused(`${member.id} (${member.url}) has not reported for ${seconds} s, and may have ended`);
}

/** The leader would not hand over to it. */
function requireNear({ url, seq }: Member, leader: Member): void {
  const entries = leader.seq - seq;
  if (entries <= HANDOVER_LAG_MAX) return;
  throw new PromotionRefused(`${url} is ${entries} entries behind; promote it when it has caught up`);
}

interface Wanted {
  /** The lease before the request. */
  readonly lease: Lease;
  readonly wanted: Member;
  readonly signal: AbortSignal;
  readonly waitMs: number;
}

async function leadingLease(leadership: Promoting, { lease, wanted, signal, waitMs }: Wanted): Promise<Lease> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    const now = await leadership.read();
    if (now.leaderId === wanted.id) return now;
    if (now.epoch > lease.epoch && now.leaderId !== null) {
      throw new PromotionRefused(`${now.leaderUrl ?? now.leaderId} has taken over instead of ${wanted.url}`);
    }
    if (performance.now() >= deadlineMs) {
      throw new PromotionRefused(
        `${wanted.url} has not taken over within ${waitMs / 1000} s; the request is withdrawn, and ` +
          `${now.leaderUrl ?? 'nobody'} leads`,
      );
    }
    await delay(PROMOTION_POLL_MS, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
  }
}
