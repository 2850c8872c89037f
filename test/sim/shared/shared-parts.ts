// The parts of a simulated process that shares its world, each behind a function, so that the breakages can replace it by a
// broken one.
import { EventHub, type EventHubParts } from '../../../http/events/event-hub.js';
import type { CommandLog } from '../../../persistence/log/log.js';
import type { Leadership } from '../../../persistence/stores/leadership.js';
import type { TimeSource } from '../../../persistence/time/clock.js';
import { GroupCommit, type GroupCommitOptions } from '../../../persistence/writer/group-commit.js';
import type { ProcessLoop } from './process-loop.js';
import { SharedDesk, type SharedDeskOptions } from './shared-desk.js';

export interface SharedParts {
  /** Wraps the log of the process. */
  log(log: CommandLog): CommandLog;
  /** Wraps the lease as the process reaches it. */
  leadership(leadership: Leadership, loop: ProcessLoop): Leadership;
  /** The clocks by which it decides whether it leads. */
  source(loop: ProcessLoop): TimeSource;
  commit(options: GroupCommitOptions): GroupCommit;
  desk(options: SharedDeskOptions): SharedDesk;
  hub(parts: EventHubParts): EventHub;
}

export const HONEST_SHARED_PARTS: SharedParts = {
  log: (log) => log,
  leadership: (leadership) => leadership,
  source: ({ source }) => source,
  commit: (options) => new GroupCommit(options),
  desk: (options) => new SharedDesk(options),
  hub: (parts) => new EventHub(parts),
};
