// What a process that writes a world consists of, once the world is recovered: group commit, sequencer, snapshots. openWorld makes
// it for the whole life of the process, replication/ for each term.
import type { Engine } from '../engine/engine.js';
import type { FatalHandler } from './fatal.js';
import type { FreeSpace } from './files/disk-space.js';
import type { CommandLog, LogTail, WriterLog } from './log/log.js';
import type { ReplayableEngine } from './recovery/replay.js';
import type { SnapshotManifest, SnapshotStore } from './snapshots/snapshot-store.js';
import type { HeldWorld } from './stores/world-store.js';
import type { Clock } from './time/clock.js';
import type { Scheduler } from './time/scheduler.js';
import { coveredFrom } from './upkeep/coverage.js';
import { type SnapshotEvent, SnapshotKeeper, type SnapshotSchedule } from './upkeep/snapshot-keeper.js';
import type { SnapshotTaker } from './upkeep/snapshot-worker.js';
import { type Durability, GroupCommit, type GroupCommitOptions } from './writer/group-commit.js';
import { Sequencer } from './writer/sequencer.js';

export interface WriterParts {
  readonly engine: Pick<Engine, 'world'>;
  /** The engine as the sequencer uses it. */
  readonly applied: ReplayableEngine;
  readonly log: WriterLog;
  /** What acquire() of the log returned. */
  readonly epoch: number;
  readonly tail: LogTail;
  readonly durability: Durability;
  readonly clock: Clock;
  readonly freeSpace: FreeSpace;
  readonly bytesSinceCut: number;
  readonly onFatal: FatalHandler;
  readonly scheduler: Scheduler;
  readonly commit?: ReplacedParts['commit'];
  /** See SequencerOptions. */
  readonly marksInstants?: boolean;
}

/** What a simulation replaces. */
export interface ReplacedParts {
  readonly scheduler?: Scheduler;
  readonly commit?: ((options: GroupCommitOptions) => GroupCommit) | undefined;
  /** Wraps the engine, for everything that applies entries after the recovery. */
  readonly witness?: (engine: Engine) => ReplayableEngine;
}

/** Makes the sequencer of a recovered world. It is not started yet. */
export function makeWriter(parts: WriterParts): Sequencer {
  const { engine, applied, log, epoch, tail, durability, clock, freeSpace, bytesSinceCut, onFatal, scheduler } = parts;
  const { commit: makeCommit = (options) => new GroupCommit(options), marksInstants = false } = parts;
  const rulesVersion = () => engine.world.settings.rulesVersion;
  const commit = makeCommit({ log, epoch, tail, rulesVersion, durability, onFatal, bytesSinceCut, scheduler });
  return new Sequencer({ engine: applied, clock, log, commit, freeSpace, scheduler, marksInstants });
}

export interface UpkeepOptions {
  /** When snapshots are taken; by default only on request. */
  readonly snapshotSchedule?: SnapshotSchedule | undefined;
  /** Whether to keep the whole log, and older snapshots at intervals; false by default. */
  readonly keepHistory?: boolean | undefined;
  /** Called for each snapshot that was taken, and for each failure. */
  readonly onSnapshotEvent?: ((event: SnapshotEvent) => void) | undefined;
}

export interface UpkeepParts extends UpkeepOptions {
  readonly held: HeldWorld;
  readonly engine: Engine;
  readonly sequencer: Sequencer;
  readonly epoch: number;
  readonly snapshots: SnapshotStore;
  readonly taker: SnapshotTaker;
  /** The snapshot that the world was recovered from, or the newest one; null if there is none. */
  readonly newest: SnapshotManifest | null;
  /** The first seq that can be restored. */
  readonly coveredFromSeq: number;
  readonly onFatal: FatalHandler;
  readonly scheduler?: Scheduler;
  readonly elapsedMs?: () => number;
}

const NEVER: SnapshotSchedule = { everyMs: Number.POSITIVE_INFINITY, everyBytes: Number.POSITIVE_INFINITY };

/** Only these of further options. */
export function upkeepOf({ snapshotSchedule, keepHistory, onSnapshotEvent }: UpkeepOptions): UpkeepOptions {
  return { snapshotSchedule, keepHistory, onSnapshotEvent };
}

/** Starts to keep the snapshots of a world that this process writes. */
export function keepSnapshots(parts: UpkeepParts): SnapshotKeeper {
  const {
    held,
    newest,
    coveredFromSeq,
    snapshotSchedule = NEVER,
    onSnapshotEvent: onEvent = () => {},
    ...rest
  } = parts;
  const { log, requireRoom } = held;
  const keeper = new SnapshotKeeper(
    { ...rest, ...snapshotSchedule, log, requireRoom, onEvent },
    { newest, coveredFromSeq },
  );
  keeper.start();
  return keeper;
}

/** The first seq that can be restored. Reads no records. */
export async function coveredFromSeq(
  log: CommandLog,
  snapshots: SnapshotStore,
  newest: SnapshotManifest | null,
): Promise<number> {
  return (await coveredFrom(log, snapshots, await snapshots.list())) ?? newest?.seq ?? 1;
}
