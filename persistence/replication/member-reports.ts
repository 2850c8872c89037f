// Reports this process to the others that share the store, and learns of them.
import { HANDOVER_LAG_MAX, MEMBER_READY_MS, MEMBER_REPORT_MS } from '../limits.js';
import type { Leadership, Member, MemberReport } from '../stores/world-store.js';
import { Repeated, type Scheduler } from '../time/scheduler.js';

export interface MemberReportsParts {
  readonly leadership: Pick<Leadership, 'report' | 'members'>;
  readonly scheduler: Scheduler;
  readonly report: () => MemberReport;
  readonly onMembers: (members: readonly Member[]) => void;
}

export class MemberReports {
  readonly #parts: MemberReportsParts;
  readonly #reports: Repeated;
  #members: readonly Member[] = [];

  constructor(parts: MemberReportsParts) {
    this.#parts = parts;
    this.#reports = new Repeated(parts.scheduler, this.#report);
  }

  /** The members at the last report of this process. */
  get members(): readonly Member[] {
    return this.#members;
  }

  start(): void {
    this.#reports.start(0);
  }

  /** Reports at once: the role has changed. */
  hurry(): void {
    this.#reports.hurry();
  }

  async stop(): Promise<void> {
    await this.#reports.stop();
  }

  readonly #report = async (): Promise<number> => {
    const { leadership, report, onMembers } = this.#parts;
    try {
      await leadership.report(report());
      this.#members = await leadership.members();
      onMembers(this.#members);
    } catch {
      // The store cannot be reached now. The renewals, or the watch of the lease, report that.
    }
    return MEMBER_REPORT_MS;
  };
}

/** Whether a process has reported within MEMBER_READY_MS. */
export function isAlive({ reportedAgoMs }: Member): boolean {
  return reportedAgoMs <= MEMBER_READY_MS;
}

/**
 * The standbys that could lead at once, the one that has applied most first.
 *
 * @param ownId of this process, which is not among them
 * @param seq of the last entry of the log
 */
export function readyStandbys(members: readonly Member[], ownId: string, seq: number): Member[] {
  return members
    .filter((member) => member.id !== ownId && member.role === 'standby' && isAlive(member) && member.obstacle === null)
    .filter((member) => seq - member.seq <= HANDOVER_LAG_MAX)
    .sort((a, b) => b.seq - a.seq);
}
