// Opens a world end to end: folder, lock, log, replay or genesis, clock, sequencer. What the command line and tests call.
import { Engine } from '../engine/engine.js';
import { RULES_VERSION } from '../engine/rules/catalogue.js';
import { MANUAL_START_MS, ManualClock, RealClock } from './clock.js';
import { openDataFolder } from './data-folder.js';
import { AMPLE_SPACE, DiskSpace, type FreeSpace } from './disk-space.js';
import { type FatalHandler, killProcess } from './fatal.js';
import { beginWorld, type ChosenSettings, checkSettings } from './genesis.js';
import { type Durability, GroupCommit } from './group-commit.js';
import { LmdbLog } from './lmdb-log.js';
import type { CommandLog } from './log.js';
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
  /** Stops the sequencer, closes the log and lets others have the folder. */
  close(): Promise<void>;
}

/** What a world is kept in, and how to let go of it. */
interface Store {
  readonly path: string | null;
  readonly log: CommandLog;
  readonly freeSpace: FreeSpace;
  release(): Promise<void>;
}

/**
 * Opens the world of a data folder, or makes a new one there. When it settles, everything that fell due meanwhile has
 * fired and commands can be submitted.
 *
 * @throws DataFolderLocked, RecoveryRefused, LogUnreadable, SettingsMismatch
 */
export async function openWorld(options: OpenWorldOptions): Promise<OpenWorld> {
  const store = await openStore(options);
  try {
    return await openWorldIn(store, options);
  } catch (error) {
    await store.log.close();
    await store.release();
    throw error;
  }
}

async function openWorldIn(store: Store, options: OpenWorldOptions): Promise<OpenWorld> {
  const {
    settings = {},
    durability = 'durable',
    clock: clockKind = 'real',
    onFatal = killProcess,
    onProgress,
  } = options;
  const { log, freeSpace } = store;
  const engine = Engine.create();
  const rulesVersions = new Set([RULES_VERSION]);
  const recovery = await recover(log, engine, onProgress ? { rulesVersions, onProgress } : { rulesVersions });
  const isNew = recovery.entryCount === 0;
  const startMs = clockKind === 'manual' ? MANUAL_START_MS : Date.now();
  const tail = isNew ? await beginWorld(engine, log, settings, startMs) : recovery.tail;
  checkSettings(engine.world.settings, settings);
  const { rulesVersion } = engine.world.settings;
  const commit = new GroupCommit({ log, tail, rulesVersion, durability, onFatal });
  const clock = clockKind === 'manual' ? new ManualClock(engine.nowMs) : new RealClock(engine.nowMs);
  const sequencer = new Sequencer({ engine, clock, log, commit, freeSpace });
  await sequencer.start();
  const close = async (): Promise<void> => {
    await sequencer.stop();
    await store.release();
  };
  return { engine, sequencer, recovery, durability, clockKind, dataFolder: store.path, close };
}

async function openStore(options: OpenWorldOptions): Promise<Store> {
  if (options.dataFolder === null) {
    return { path: null, log: new MemoryLog(), freeSpace: AMPLE_SPACE, release: async () => {} };
  }
  const folder = await openDataFolder(options.dataFolder);
  const { diskFloorBytes } = options;
  const diskSpace = new DiskSpace(folder.path, diskFloorBytes === undefined ? {} : { floorBytes: diskFloorBytes });
  const release = async (): Promise<void> => {
    diskSpace.stop();
    await folder.release();
  };
  try {
    const log = await LmdbLog.open(folder.logPath);
    await diskSpace.watch();
    return { path: folder.path, log, freeSpace: diskSpace, release };
  } catch (error) {
    await release();
    throw error;
  }
}
