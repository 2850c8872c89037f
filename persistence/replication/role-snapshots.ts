// The snapshots of a process whose role changes: only the leader takes them.
import type { SnapshotKeeper } from '../upkeep/snapshot-keeper.js';
import { NO_SNAPSHOTS, type SnapshotReport } from '../upkeep/snapshot-report.js';
import type { TakenSnapshot } from '../upkeep/snapshot-taking.js';

export class RoleSnapshots implements Pick<SnapshotKeeper, 'take' | 'report'> {
  #keeper: SnapshotKeeper | null = null;
  #report: SnapshotReport = NO_SNAPSHOTS;

  /** @param keeper null if the process does not lead */
  keepBy(keeper: SnapshotKeeper | null): void {
    this.#report = this.report;
    this.#keeper = keeper;
  }

  /** On a standby, what it reported last as a leader. */
  get report(): SnapshotReport {
    return this.#keeper?.report ?? this.#report;
  }

  /** @throws Error in one sentence */
  async take(): Promise<TakenSnapshot> {
    if (this.#keeper === null) throw new Error('only the leader takes snapshots, and this process does not lead');
    return await this.#keeper.take();
  }
}
