// The production parts of a simulated process, each behind a function, so that the breakages can replace it by a broken
// one. The parts in this file are those that run outside of the simulation too.

import { EventHub, type EventHubParts } from '../../http/events/event-hub.js';
import type { CommandLog } from '../../persistence/log/log.js';
import { recoverToWrite } from '../../persistence/recovery/recovery.js';
import type { SnapshotStore } from '../../persistence/snapshots/snapshot-store.js';
import type { Leadership } from '../../persistence/stores/world-store.js';
import type { TimeSource } from '../../persistence/time/clock.js';
import { takeFrom } from '../../persistence/upkeep/snapshot-taking.js';
import { GroupCommit, type GroupCommitOptions } from '../../persistence/writer/group-commit.js';
import type { ProcessLoop } from './process-loop.js';
import { RequestHandler, type RequestHandlerOptions } from './request-handler.js';

export interface Parts {
  /** Wraps the log of the process. */
  log(log: CommandLog): CommandLog;
  /** Wraps the store of snapshots for its readers and writers. */
  snapshots(store: SnapshotStore): SnapshotStore;
  /** Wraps the lease as the process reaches it. */
  leadership(leadership: Leadership, loop: ProcessLoop): Leadership;
  /** The clocks by which it decides whether it leads. */
  source(loop: ProcessLoop): TimeSource;
  readonly recover: typeof recoverToWrite;
  readonly takeFrom: typeof takeFrom;
  commit(options: GroupCommitOptions): GroupCommit;
  handler(options: RequestHandlerOptions): RequestHandler;
  hub(parts: EventHubParts): EventHub;
}

export const HONEST_PARTS: Parts = {
  log: (log) => log,
  snapshots: (store) => store,
  leadership: (leadership) => leadership,
  source: ({ source }) => source,
  recover: recoverToWrite,
  takeFrom,
  commit: (options) => new GroupCommit(options),
  handler: (options) => new RequestHandler(options),
  hub: (parts) => new EventHub(parts),
};
