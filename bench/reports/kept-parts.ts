// What a run of the suite has measured so far, part by part.
import type { EndToEndResult } from '../end-to-end/end-to-end-run.js';
import type { OpenLoopReport } from '../end-to-end/open-loop-rounds.js';
import type { SettingReading } from '../settings/settings-run.js';
import type { SnapshotReading } from '../snapshots/snapshot-run.js';
import type { Reading } from '../units/unit-case.js';
import type { CallReading } from '../websocket/call-run.js';
import type { SuiteParts } from './result-file.js';

type Reports = Pick<SuiteParts, 'subscribers' | 'viewers' | 'hostile'>;

/** What has been measured so far. */
export class KeptParts {
  readonly units: Reading[] = [];
  readonly endToEnd: EndToEndResult[] = [];
  readonly openLoop: OpenLoopReport[] = [];
  readonly snapshots: SnapshotReading[] = [];
  readonly settings: SettingReading[] = [];
  readonly calls: CallReading[] = [];
  #reports: Reports = {};

  /** Replaces a report by one of more parts. */
  set(reports: Reports): void {
    this.#reports = { ...this.#reports, ...reports };
  }

  /** @returns undefined if there is nothing yet */
  all(): SuiteParts | undefined {
    const lists = Object.values(this).some((list) => list.length > 0);
    return lists || Object.keys(this.#reports).length > 0 ? { ...this, ...this.#reports } : undefined;
  }
}
