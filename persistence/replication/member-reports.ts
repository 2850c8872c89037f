// Reports this process to the others that share the store, and learns of them.
import { MEMBER_REPORT_MS } from '../limits.js';
import type { Scheduler } from '../writer/scheduler.js';
import type { Leadership, Member, MemberReport } from './leadership.js';
import { Repeated } from './repeated.js';

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

  /** As of the last report of this process. */
  get members(): readonly Member[] {
    return this.#members;
  }

  start(): void {
    this.#reports.start(0);
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
