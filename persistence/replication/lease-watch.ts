// What a process sees of the lease of another one, and whether it may claim it. It counts by its own monotonic clock, and only
// while it can read the lease: after an outage of the store the leader has the time of a whole lease to renew it.

import type { Leadership, Lease } from '../stores/world-store.js';
import type { TimeSource } from '../time/clock.js';

export interface LeaseWatchParts {
  readonly leadership: Pick<Leadership, 'read'>;
  readonly source: Pick<TimeSource, 'elapsedMs'>;
  /** Id of this process. */
  readonly id: string;
}

export class LeaseWatch {
  readonly #parts: LeaseWatchParts;
  #seen: Lease | null = null;
  /** When the present beat was first seen, without a failed read since; null after a failed read. */
  #countsFromMs: number | null = null;
  /** When the lease was last read. */
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  /** When a read failed first, without a successful one since. */
  #cutOffSinceMs: number | null = null;
  /** When the present beat was first seen. */
  #beatAtMs = 0;
  /** Whether the beat has changed while it was watched, and the lease is that of another process. */
  #isRenewed = false;

  constructor(parts: LeaseWatchParts) {
    this.#parts = parts;
  }

  /** The lease when it was last read; null before. */
  get seen(): Lease | null {
    return this.#seen;
  }

  /** Milliseconds since the present beat was first seen; null if none was. */
  get ageMs(): number | null {
    return this.#seen === null || this.#seen.epoch === 0 ? null : this.#parts.source.elapsedMs() - this.#beatAtMs;
  }

  /** The lease of another process, if it has not expired; null if nobody else leads, as far as known. */
  get leader(): Lease | null {
    const { ageMs } = this;
    if (ageMs === null || this.#seen === null || this.#isOwn(this.#seen)) return null;
    return this.#seen.leaderId !== null && ageMs < this.#seen.leaseMs ? this.#seen : null;
  }

  /** Whether another process was seen to renew its lease, or to claim it. */
  get isRenewed(): boolean {
    return this.#isRenewed && this.leader !== null;
  }

  /** Milliseconds for which the lease could not be read; 0 if the last attempt succeeded. */
  get cutOffMs(): number {
    return this.#cutOffSinceMs === null ? 0 : this.#parts.source.elapsedMs() - this.#cutOffSinceMs;
  }

  /** Reads the lease. @throws StoreUnreachable */
  async look(): Promise<Lease> {
    let lease: Lease;
    try {
      lease = await this.#parts.leadership.read();
    } catch (error) {
      this.#countsFromMs = null;
      this.#cutOffSinceMs ??= this.#parts.source.elapsedMs();
      throw error;
    }
    this.#cutOffSinceMs = null;
    const nowMs = this.#parts.source.elapsedMs();
    const isNew = this.#seen === null || this.#seen.beat !== lease.beat || this.#seen.epoch !== lease.epoch;
    if (isNew) {
      this.#isRenewed = this.#seen !== null && lease.leaderId !== null && !this.#isOwn(lease);
      this.#beatAtMs = nowMs;
    }
    // A process that was stopped itself has seen nothing meanwhile. Perhaps the leader was stopped with it.
    const wasAway = nowMs - this.#lookedAtMs > lease.leaseMs;
    if (isNew || wasAway || this.#countsFromMs === null) this.#countsFromMs = nowMs;
    this.#lookedAtMs = nowMs;
    this.#seen = lease;
    return lease;
  }

  /** Forgets what was seen, before the watch starts again. */
  forget(): void {
    this.#seen = null;
    this.#countsFromMs = null;
    this.#cutOffSinceMs = null;
    this.#isRenewed = false;
  }

  /** Milliseconds until the lease that was read last may be claimed; 0 if it may be now. */
  get claimInMs(): number {
    const lease = this.#seen;
    if (lease === null || this.#countsFromMs === null) return Number.POSITIVE_INFINITY;
    // A lease of this process that it does not hold: the answer to a claim, or to a release, was lost. It claims it again, under
    // a new epoch, so that a call that arrives late has an epoch that is out of date.
    if (lease.epoch === 0 || this.#isOwn(lease)) return 0;
    const isFree = lease.leaderId === null && (lease.wantedId === null || lease.wantedId === this.#parts.id);
    if (isFree) return 0;
    return Math.max(this.#countsFromMs + lease.leaseMs - this.#parts.source.elapsedMs(), 0);
  }

  #isOwn({ leaderId }: Lease): boolean {
    return leaderId === this.#parts.id;
  }
}
