// Opens a world end to end: folder, lock, log, replay or genesis, clock, sequencer. What the command line and tests call.
import type { Engine } from '../engine/engine.js';
import { beginningMs, ManualClock, RealClock } from './clock.js';
import { coveredFrom } from './coverage.js';
import { openDataFolder } from './data-folder.js';
import { AMPLE_SPACE, DiskSpace, type FreeBytes, type FreeSpace, requireSpace } from './disk-space.js';
import { type FatalHandler, killProcess } from './fatal.js';
import type { Follower } from './feed.js';
import { doubtfulFileSystem } from './file-system.js';
import { beginWorld, type ChosenSettings, checkSettings } from './genesis.js';
import { type Durability, GroupCommit } from './group-commit.js';
import { LmdbLog } from './lmdb-log.js';
import { type CommandLog, LogStalled } from './log.js';
import { MemoryLog } from './memory-log.js';
import { MemorySnapshots } from './memory-snapshots.js';
import { type Origin, readOrigin } from './origin.js';
import { type Recovery, type RecoveryProgress, recoverToWrite } from './recovery.js';
import { Sequencer } from './sequencer.js';
import { SnapshotFolder } from './snapshot-files.js';
import { type KeptPast, type SnapshotEvent, SnapshotKeeper, type SnapshotSchedule } from './snapshot-keeper.js';
import type { SnapshotStore } from './snapshot-store.js';
import { lockSnapshots, SnapshotInProgress } from './snapshot-taking.js';
import { SnapshotWorker } from './snapshot-worker.js';

export interface OpenWorldOptions {
  /** Where the world lives; null for one that is gone when the process ends. */
  readonly dataFolder: string | null;
  readonly settings?: ChosenSettings;
  readonly clock?: 'real' | 'manual';
  readonly durability?: Durability;
  /** Free bytes of the disk under which writes are turned away; DISK_FLOOR_BYTES unless told. */
  readonly diskFloorBytes?: number;
  readonly freeBytes?: FreeBytes;
  /** When snapshots are taken; never by themselves unless told. */
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
  /** How to end when it cannot go on; killProcess unless told. */
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
  /** Null for a world without a data folder. */
  readonly snapshots: SnapshotKeeper | null;
  readonly durability: Durability;
  readonly clockKind: 'real' | 'manual';
  /** Absolute, or null. */
  readonly dataFolder: string | null;
  /** Name of the data folder's file system, where it is one that may not keep what was promised; null elsewhere. */
  readonly doubtfulFileSystem: string | null;
  /** Stops the sequencer, closes the log and lets others have the folder; after a fatal error log and folder are left alone. */
  close(): Promise<void>;
}

/** What a world is kept in, and how to let go of it. */
interface Store {
  readonly path: string | null;
  readonly log: CommandLog;
  readonly snapshots: SnapshotStore;
  readonly origin: Origin | null;
  readonly freeSpace: FreeSpace;
  readonly doubtfulFileSystem: string | null;
  release(): Promise<void>;
}

const NEVER: SnapshotSchedule = { everyMs: Number.POSITIVE_INFINITY, everyBytes: Number.POSITIVE_INFINITY };

/**
 * Opens the world of a data folder, or makes a new one there. When it settles, everything that fell due meanwhile has
 * fired and commands can be submitted.
 *
 * @throws DataFolderLocked, NoDiskSpace, RecoveryRefused, LogUnreadable, LogWriteFailed, SettingsMismatch, OriginUnreadable
 */
export async function openWorld(options: OpenWorldOptions): Promise<OpenWorld> {
  const store = await openStore(options);
  const { onFatal = killProcess } = options;
  let isBroken = false;
  const breakDown: FatalHandler = (error) => {
    isBroken = true;
    onFatal(error);
  };
  try {
    const world = await openWorldIn(store, options, breakDown);
    const close = async (): Promise<void> => {
      await world.snapshots?.stop();
      await world.sequencer.stop();
      // After a fatal error the sequencer has left the log alone: it and the folder go with the process.
      if (!isBroken) await store.release();
    };
    return { ...world, close };
  } catch (error) {
    if (error instanceof LogStalled) breakDown(error);
    if (isBroken) throw error;
    await store.log.close();
    await store.release();
    throw error;
  }
}

async function openWorldIn(
  store: Store,
  options: OpenWorldOptions,
  onFatal: FatalHandler,
): Promise<Omit<OpenWorld, 'close'>> {
  const { settings = {}, durability = 'durable', clock: clockKind = 'real', follower, onProgress } = options;
  const { log, freeSpace, doubtfulFileSystem, origin, path: dataFolder } = store;
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
  const snapshots = keepSnapshots(store, { engine, sequencer, epoch }, { newest, coveredFromSeq }, options, onFatal);
  return {
    engine,
    sequencer,
    recovery,
    isNew,
    origin,
    snapshots,
    durability,
    clockKind,
    dataFolder,
    doubtfulFileSystem,
  };
}

function keepSnapshots(
  { path, log, snapshots }: Store,
  { engine, sequencer, epoch }: Pick<OpenWorld, 'engine' | 'sequencer'> & { readonly epoch: number },
  past: KeptPast,
  { snapshotSchedule = NEVER, keepHistory = false, onSnapshotEvent: onEvent = () => {}, freeBytes }: OpenWorldOptions,
  onFatal: FatalHandler,
): SnapshotKeeper | null {
  if (path === null) return null;
  const taker = new SnapshotWorker(path);
  const requireRoom = (): Promise<void> => requireSpace(path, 'take a snapshot', freeBytes);
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

async function openStore(options: OpenWorldOptions): Promise<Store> {
  if (options.dataFolder === null) {
    return {
      path: null,
      log: new MemoryLog(),
      snapshots: new MemorySnapshots(),
      origin: null,
      freeSpace: AMPLE_SPACE,
      doubtfulFileSystem: null,
      release: async () => {},
    };
  }
  const folder = await openDataFolder(options.dataFolder);
  const { path } = folder;
  const { diskFloorBytes, freeBytes } = options;
  const diskSpace = new DiskSpace(path, {
    ...(diskFloorBytes === undefined ? {} : { floorBytes: diskFloorBytes }),
    ...(freeBytes === undefined ? {} : { freeBytes }),
  });
  const release = async (): Promise<void> => {
    diskSpace.stop();
    await folder.release();
  };
  try {
    await requireSpace(path, 'open a world', freeBytes);
    const fileSystem = await doubtfulFileSystem(path);
    const origin = await readOrigin(folder.originPath);
    const snapshots = new SnapshotFolder(folder.snapshotsPath);
    await sweepSnapshots(snapshots, folder.snapshotsPath);
    const log = await LmdbLog.open(folder.logPath);
    await diskSpace.watch();
    return { path, log, snapshots, origin, freeSpace: diskSpace, doubtfulFileSystem: fileSystem, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Removes what unfinished snapshots have left, unless somebody is about to finish one. */
async function sweepSnapshots(snapshots: SnapshotFolder, path: string): Promise<void> {
  try {
    const lock = await lockSnapshots(path);
    await snapshots.sweep();
    await lock.release();
  } catch (error) {
    if (!(error instanceof SnapshotInProgress)) throw error;
  }
}
