// Opens a world end to end: store, log, replay or genesis, clock, sequencer. What the command line and tests call.
import type { Engine } from '../engine/engine.js';
import { type FatalHandler, killProcess } from './fatal.js';
import { LogStalled } from './log/log.js';
import { beginWorld, type ChosenSettings, checkSettings } from './recovery/genesis.js';
import { type Recovery, type RecoveryProgress, recoverToWrite } from './recovery/recovery.js';
import type { Origin } from './stores/origin.js';
import type { HeldWorld, WorldStore } from './stores/world-store.js';
import { coveredFrom } from './upkeep/coverage.js';
import { type KeptPast, type SnapshotEvent, SnapshotKeeper, type SnapshotSchedule } from './upkeep/snapshot-keeper.js';
import { SnapshotWorker } from './upkeep/snapshot-worker.js';
import { beginningMs, ManualClock, RealClock } from './writer/clock.js';
import type { Follower } from './writer/feed.js';
import { type Durability, GroupCommit } from './writer/group-commit.js';
import { Sequencer } from './writer/sequencer.js';

export interface OpenWorldOptions {
  /** Where the world is kept. Snapshots are taken only of one that another process can open. */
  readonly store: WorldStore;
  readonly settings?: ChosenSettings;
  readonly clock?: 'real' | 'manual';
  readonly durability?: Durability;
  /** When snapshots are taken; by default only on request. */
  readonly snapshotSchedule?: SnapshotSchedule;
  /** Whether all of the log is kept, and a snapshot every so often; false by default. */
  readonly keepHistory?: boolean;
  /** Told of snapshots that were taken, and of those that could not be. */
  readonly onSnapshotEvent?: (event: SnapshotEvent) => void;
  /**
   * Given what recovery replays behind the snapshot, then everything that happens from there on, once it is durable. The
   * genesis of a new world is not among it.
   */
  readonly follower?: Follower;
  /** Told how far the recovery is. */
  readonly onProgress?: RecoveryProgress;
  /** How to end when it cannot go on; killProcess by default. */
  readonly onFatal?: FatalHandler;
}

export interface OpenWorld {
  readonly engine: Engine;
  readonly sequencer: Sequencer;
  /** What recovery found; see isNew. */
  readonly recovery: Recovery;
  /** True where the world began just now. */
  readonly isNew: boolean;
  /** Where the world came from; null for one that began with its genesis. */
  readonly origin: Origin | null;
  /** Null for a world of which no snapshots are taken. */
  readonly snapshots: SnapshotKeeper | null;
  readonly durability: Durability;
  readonly clockKind: 'real' | 'manual';
  /** As in HeldWorld. */
  readonly doubtfulFileSystem: string | null;
  /** Stops the sequencer, closes the log and lets others have the world; after a fatal error log and lock are left alone. */
  close(): Promise<void>;
}

const NEVER: SnapshotSchedule = { everyMs: Number.POSITIVE_INFINITY, everyBytes: Number.POSITIVE_INFINITY };

/**
 * Opens the world in a store, or makes a new one there. When it settles, everything that fell due meanwhile has fired and
 * commands can be submitted.
 *
 * @throws WorldLocked, NoDiskSpace, RecoveryRefused, LogUnreadable, LogWriteFailed, SettingsMismatch, OriginUnreadable
 */
export async function openWorld(options: OpenWorldOptions): Promise<OpenWorld> {
  const held = await options.store.open();
  const { onFatal = killProcess } = options;
  let isBroken = false;
  const breakDown: FatalHandler = (error) => {
    isBroken = true;
    onFatal(error);
  };
  try {
    const world = await openWorldIn(held, options, breakDown);
    const close = async (): Promise<void> => {
      await world.snapshots?.stop();
      await world.sequencer.stop();
      // After a fatal error the sequencer has left the log alone: it and the lock go with the process.
      if (!isBroken) await held.release();
    };
    return { ...world, close };
  } catch (error) {
    if (error instanceof LogStalled) breakDown(error);
    if (isBroken) throw error;
    await held.log.close();
    await held.release();
    throw error;
  }
}

async function openWorldIn(
  held: HeldWorld,
  options: OpenWorldOptions,
  onFatal: FatalHandler,
): Promise<Omit<OpenWorld, 'close'>> {
  const { store, settings = {}, durability = 'durable', clock: clockKind = 'real', follower, onProgress } = options;
  const { log, freeSpace, doubtfulFileSystem } = held;
  const origin = await store.origin();
  const { engine, recovery, epoch } = await recoverToWrite(log, store.snapshots, {
    ...(follower === undefined ? {} : { follower }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const isNew = engine.seq === 0;
  const tail = isNew ? await beginWorld(engine, log, epoch, settings, beginningMs(clockKind)) : recovery.tail;
  checkSettings(engine.world, settings);
  const { snapshot: newest } = recovery;
  const coveredFromSeq = (await coveredFrom(log, store.snapshots, await store.snapshots.list())) ?? newest?.seq ?? 1;
  const { rulesVersion } = engine.world.settings;
  const bytesSinceCut = recovery.byteCount;
  const commit = new GroupCommit({ log, epoch, tail, rulesVersion, durability, onFatal, bytesSinceCut });
  const clock = clockKind === 'manual' ? new ManualClock(engine.nowMs) : new RealClock(engine.nowMs);
  const sequencer = new Sequencer({ engine, clock, log, commit, freeSpace });
  if (follower !== undefined) sequencer.follow(follower);
  await sequencer.start();
  const snapshots = keepSnapshots(held, { engine, sequencer, epoch }, { newest, coveredFromSeq }, options, onFatal);
  return {
    engine,
    sequencer,
    recovery,
    isNew,
    origin,
    snapshots,
    durability,
    clockKind,
    doubtfulFileSystem,
  };
}

function keepSnapshots(
  { log, requireRoom }: HeldWorld,
  { engine, sequencer, epoch }: Pick<OpenWorld, 'engine' | 'sequencer'> & { readonly epoch: number },
  past: KeptPast,
  { store, snapshotSchedule = NEVER, keepHistory = false, onSnapshotEvent: onEvent = () => {} }: OpenWorldOptions,
  onFatal: FatalHandler,
): SnapshotKeeper | null {
  const { url, snapshots } = store;
  if (url === null) return null;
  const taker = new SnapshotWorker(url);
  const keeper = new SnapshotKeeper(
    {
      ...snapshotSchedule,
      keepHistory,
      engine,
      sequencer,
      log,
      epoch,
      snapshots,
      taker,
      requireRoom,
      onEvent,
      onFatal,
    },
    past,
  );
  keeper.start();
  return keeper;
}
