// The production parts of a simulated process, each behind a function, so that the breakages can replace it by a broken
// one. The parts in this file are those that run outside of the simulation too.

import { EventHub, type EventHubParts } from '../../http/events/event-hub.js';
import type { CommandLog } from '../../persistence/log/log.js';
import { recoverToWrite } from '../../persistence/recovery/recovery.js';
import type { SnapshotStore } from '../../persistence/snapshots/snapshot-store.js';
import { type Clock, ManualClock, RealClock, type TimeSource } from '../../persistence/time/clock.js';
import { takeFrom } from '../../persistence/upkeep/snapshot-taking.js';
import { GroupCommit, type GroupCommitOptions } from '../../persistence/writer/group-commit.js';
import { FrontDesk, type FrontDeskOptions } from './front-desk.js';

export interface Parts {
  /** Wraps the log of the process. */
  log(log: CommandLog): CommandLog;
  /** Wraps the store of snapshots for its readers and writers. */
  snapshots(store: SnapshotStore): SnapshotStore;
  readonly recover: typeof recoverToWrite;
  readonly takeFrom: typeof takeFrom;
  clock(kind: Clock['kind'], lastMs: number, source: TimeSource): Clock;
  commit(options: GroupCommitOptions): GroupCommit;
  frontDesk(options: FrontDeskOptions): FrontDesk;
  hub(parts: EventHubParts): EventHub;
}

export const HONEST_PARTS: Parts = {
  log: (log) => log,
  snapshots: (store) => store,
  recover: recoverToWrite,
  takeFrom,
  clock: (kind, lastMs, source) => (kind === 'manual' ? new ManualClock(lastMs) : new RealClock(lastMs, source)),
  commit: (options) => new GroupCommit(options),
  frontDesk: (options) => new FrontDesk(options),
  hub: (parts) => new EventHub(parts),
};
