// Reports changes of the role of a process to the operator, once for each change.
import type { TimeSource } from '../time/clock.js';
import type { LeaderTerm } from './leader-term.js';
import type { LeaseWatch } from './lease-watch.js';

export class RoleAnnouncer {
  readonly #source: Pick<TimeSource, 'elapsedMs'>;
  readonly tell: (event: RoleEvent) => void;
  #leaderId: string | null = null;
  #pausedAtMs: number | null = null;
  #refusedEpoch: number | null = null;
  #unreachableSinceMs: number | null = null;

  constructor(source: Pick<TimeSource, 'elapsedMs'>, tell: (event: RoleEvent) => void) {
    this.#source = source;
    this.tell = tell;
  }

  /** A standby has looked at the lease. */
  noteLeader({ leader, seen, ageMs }: Pick<LeaseWatch, 'leader' | 'seen' | 'ageMs'>): void {
    const leaderId = leader?.leaderId ?? null;
    // A lease that was given back is claimed in a moment.
    const isGivenBack = seen?.leaderId === null && (ageMs ?? 0) < seen.leaseMs;
    if (leaderId === this.#leaderId || isGivenBack) return;
    this.#leaderId = leaderId;
    const epoch = seen?.epoch ?? 0;
    if (leader === null) this.tell({ type: 'role_leaderless', epoch });
    else this.tell({ type: 'role_following', epoch, leaderUrl: leader.leaderUrl ?? '' });
  }

  /** A standby does not claim the lease, although it is free. @param epoch of the last leader */
  noteRefused(epoch: number, { message }: Error): void {
    if (epoch === this.#refusedEpoch) return;
    this.#refusedEpoch = epoch;
    this.tell({ type: 'role_refused', epoch, message });
  }

  /** A leader may answer again, or must not any more. */
  notePause({ epoch, isValid, ageMs }: Pick<LeaderTerm, 'epoch' | 'isValid' | 'ageMs'>): void {
    const nowMs = this.#source.elapsedMs();
    if (!isValid) this.tell({ type: 'role_paused', epoch, leaseAgeMs: ageMs });
    else if (this.#pausedAtMs !== null) {
      this.tell({ type: 'role_resumed', epoch, pausedMs: nowMs - this.#pausedAtMs });
    }
    this.#pausedAtMs = isValid ? null : nowMs;
  }

  noteUnreachable({ message }: Error): void {
    if (this.#unreachableSinceMs !== null) return;
    this.#unreachableSinceMs = this.#source.elapsedMs();
    this.tell({ type: 'store_unreachable', message });
  }

  noteReached(): void {
    if (this.#unreachableSinceMs === null) return;
    this.tell({ type: 'store_reached', afterMs: this.#source.elapsedMs() - this.#unreachableSinceMs });
    this.#unreachableSinceMs = null;
  }
}

export type RoleEvent =
  /** It leads. @property tookMs since it claimed the lease */
  | { readonly type: 'role_leading'; readonly epoch: number; readonly seq: number; readonly tookMs: number }
  /** It follows a leader. */
  | { readonly type: 'role_following'; readonly epoch: number; readonly leaderUrl: string }
  /** Nobody leads, as far as it knows. */
  | { readonly type: 'role_leaderless'; readonly epoch: number }
  /** Nobody leads, and it does not claim the lease. @property message why */
  | { readonly type: 'role_refused'; readonly epoch: number; readonly message: string }
  /** It cannot be sure that it still leads, and answers nothing. */
  | { readonly type: 'role_paused'; readonly epoch: number; readonly leaseAgeMs: number }
  | { readonly type: 'role_resumed'; readonly epoch: number; readonly pausedMs: number }
  | {
      readonly type: 'role_handing_over';
      readonly epoch: number;
      readonly successorId: string;
      readonly successorUrl: string;
    }
  /** It led, and follows from now on. */
  | { readonly type: 'role_handed_over'; readonly epoch: number; readonly seq: number }
  /** A standby that can read neither the lease nor the log. */
  | { readonly type: 'store_unreachable'; readonly message: string }
  | { readonly type: 'store_reached'; readonly afterMs: number };
