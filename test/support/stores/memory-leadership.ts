// The lease of a world in memory that several processes of a test share. Every call settles in the turn that it began in.
import { MEMBER_KEPT_MS } from '../../../persistence/limits.js';
import { Fenced } from '../../../persistence/log/log.js';
import type { MemoryRecords } from '../../../persistence/log/memory-log.js';
import type {
  Claim,
  HeldWorld,
  Leadership,
  Lease,
  Member,
  MemberReport,
} from '../../../persistence/stores/world-store.js';

/** The lease and the members of a shared world. */
export interface MemoryLease {
  lease: Lease;
  /** Indexed by id, with the time of the last report by the clock of the store. */
  readonly members: Map<string, { readonly report: MemberReport; readonly atMs: number }>;
  /** The clock of the store: monotonic milliseconds. */
  readonly elapsedMs: () => number;
}

/** @param elapsedMs the clock of the store; performance.now by default */
export function noLease(elapsedMs: () => number = () => performance.now()): MemoryLease {
  const lease = { epoch: 0, leaderId: null, leaderUrl: null, beat: 0, leaseMs: 0, wantedId: null };
  return { lease, members: new Map(), elapsedMs };
}

export class MemoryLeadership implements Leadership {
  readonly #records: MemoryRecords;
  readonly #stored: MemoryLease;
  readonly #open: () => Promise<HeldWorld>;

  /**
   * @param records of the world, whose epoch a claim raises
   * @param stored may be shared by several processes
   * @param open opens the world beside other processes
   */
  constructor(records: MemoryRecords, stored: MemoryLease, open: () => Promise<HeldWorld>) {
    this.#records = records;
    this.#stored = stored;
    this.#open = open;
  }

  openShared(): Promise<HeldWorld> {
    return this.#open();
  }

  async read(): Promise<Lease> {
    return this.#stored.lease;
  }

  async claim({ id, url, leaseMs }: Claim, seen: Lease): Promise<Lease | null> {
    const { epoch, beat } = this.#stored.lease;
    if (epoch !== seen.epoch || beat !== seen.beat) return null;
    this.#records.epoch += 1;
    return this.#change({ epoch: this.#records.epoch, leaderId: id, leaderUrl: url, leaseMs, wantedId: null });
  }

  async renew(epoch: number): Promise<Lease> {
    if (this.#records.epoch !== epoch) throw new Fenced(epoch);
    return this.#change({});
  }

  async release(epoch: number, successorId: string | null): Promise<void> {
    if (this.#records.epoch !== epoch) return;
    this.#change({ leaderId: null, leaderUrl: null, wantedId: successorId });
  }

  async want(memberId: string | null): Promise<void> {
    this.#stored.lease = { ...this.#stored.lease, wantedId: memberId };
  }

  async report(report: MemberReport): Promise<void> {
    this.#stored.members.set(report.id, { report, atMs: this.#stored.elapsedMs() });
  }

  async members(): Promise<readonly Member[]> {
    const nowMs = this.#stored.elapsedMs();
    return [...this.#stored.members.values()]
      .map(({ report, atMs }) => ({ ...report, reportedAgoMs: nowMs - atMs }))
      .filter(({ reportedAgoMs }) => reportedAgoMs <= MEMBER_KEPT_MS);
  }

  async leave(memberId: string): Promise<void> {
    this.#stored.members.delete(memberId);
  }

  async close(): Promise<void> {}

  #change(changed: Partial<Lease>): Lease {
    const { lease } = this.#stored;
    this.#stored.lease = { ...lease, ...changed, beat: lease.beat + 1 };
    return this.#stored.lease;
  }
}
