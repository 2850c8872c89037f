// Opens a world end to end: folder, lock, log, replay or genesis, clock, sequencer. What the command line and tests call.
import { Engine } from '../engine/engine.js';
import { RULES_VERSION } from '../engine/rules/catalogue.js';
import { beginningMs, ManualClock, RealClock } from './clock.js';
import { openDataFolder } from './data-folder.js';
import { AMPLE_SPACE, DiskSpace, type FreeBytes, type FreeSpace, requireSpace } from './disk-space.js';
import { type FatalHandler, killProcess } from './fatal.js';
import { doubtfulFileSystem } from './file-system.js';
import { beginWorld, type ChosenSettings, checkSettings } from './genesis.js';
import { type Durability, GroupCommit } from './group-commit.js';
import { LmdbLog } from './lmdb-log.js';
import { type CommandLog, LogStalled } from './log.js';
import { MemoryLog } from './memory-log.js';
import { type Recovery, type RecoveryOptions, recover } from './recovery.js';
import { Sequencer } from './sequencer.js';

export interface OpenWorldOptions {
  /** Where the world lives; null for one that is gone when the process ends. */
  readonly dataFolder: string | null;
  readonly settings?: ChosenSettings;
  readonly clock?: 'real' | 'manual';
  readonly durability?: Durability;
  /** Free bytes of the disk under which writes are turned away; DISK_FLOOR_BYTES unless told. */
  readonly diskFloorBytes?: number;
  readonly freeBytes?: FreeBytes;
  /** Told how far the replay is. */
  readonly onProgress?: NonNullable<RecoveryOptions['onProgress']>;
  /** How to end when it cannot go on; killProcess unless told. */
  readonly onFatal?: FatalHandler;
}

export interface OpenWorld {
  readonly engine: Engine;
  readonly sequencer: Sequencer;
  /** What replay found; without entries where the world is new. */
  readonly recovery: Recovery;
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
  readonly freeSpace: FreeSpace;
  readonly doubtfulFileSystem: string | null;
  release(): Promise<void>;
}

/**
 * Opens the world of a data folder, or makes a new one there. When it settles, everything that fell due meanwhile has
 * fired and commands can be submitted.
 *
 * @throws DataFolderLocked, NoDiskSpace, RecoveryRefused, LogUnreadable, LogWriteFailed, SettingsMismatch
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
  const { settings = {}, durability = 'durable', clock: clockKind = 'real', onProgress } = options;
  const { log, freeSpace, doubtfulFileSystem, path: dataFolder } = store;
  const engine = Engine.create();
  const rulesVersions = new Set([RULES_VERSION]);
  const recovery = await recover(log, engine, onProgress ? { rulesVersions, onProgress } : { rulesVersions });
  const isNew = recovery.entryCount === 0;
  const tail = isNew ? await beginWorld(engine, log, settings, beginningMs(clockKind)) : recovery.tail;
  checkSettings(engine.world.settings, settings);
  const { rulesVersion } = engine.world.settings;
  const commit = new GroupCommit({ log, tail, rulesVersion, durability, onFatal });
  const clock = clockKind === 'manual' ? new ManualClock(engine.nowMs) : new RealClock(engine.nowMs);
  const sequencer = new Sequencer({ engine, clock, log, commit, freeSpace });
  await sequencer.start();
  return { engine, sequencer, recovery, durability, clockKind, dataFolder, doubtfulFileSystem };
}

async function openStore(options: OpenWorldOptions): Promise<Store> {
  if (options.dataFolder === null) {
    const log = new MemoryLog();
    return { path: null, log, freeSpace: AMPLE_SPACE, doubtfulFileSystem: null, release: async () => {} };
  }
  const folder = await openDataFolder(options.dataFolder);
  const { diskFloorBytes, freeBytes } = options;
  const diskSpace = new DiskSpace(folder.path, {
    ...(diskFloorBytes === undefined ? {} : { floorBytes: diskFloorBytes }),
    ...(freeBytes === undefined ? {} : { freeBytes }),
  });
  const release = async (): Promise<void> => {
    diskSpace.stop();
    await folder.release();
  };
  try {
    await requireSpace(folder.path, freeBytes);
    const fileSystem = await doubtfulFileSystem(folder.path);
    const log = await LmdbLog.open(folder.logPath);
    await diskSpace.watch();
    return { path: folder.path, log, freeSpace: diskSpace, doubtfulFileSystem: fileSystem, release };
  } catch (error) {
    await release();
    throw error;
  }
}
