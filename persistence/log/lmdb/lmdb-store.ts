// A world in a data folder of this machine: where its parts are and what kind of file each may be; the log in LMDB, snapshots and origin
// as files, locks of the operating system.
import { access, constants, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DiskEvent, DiskSpace, type FreeBytes, lostFileSentence, requireSpace } from '../../files/disk-space.js';
import { fileSystemWarnings, makeFolder } from '../../files/folder-sync.js';
import { requireFolderOrNone } from '../../files/plain-file.js';
import { SnapshotFolder } from '../../snapshots/snapshot-files.js';
import type { SnapshotStore } from '../../snapshots/snapshot-store.js';
import { OperatorFolder } from '../../stores/operator-folder.js';
import type { OperatorRecords } from '../../stores/operator-records.js';
import { type Origin, readOrigin, writeOrigin } from '../../stores/origin.js';
import {
  CannotCreate,
  type HeldWorld,
  LogMisplaced,
  NotOwner,
  NoWorld,
  SnapshotInProgress,
  type StoreLock,
  type WorldBeginning,
  WorldLocked,
  type WorldStore,
} from '../../stores/world-store.js';
import type { ReadableLog } from '../log.js';
import { isLocked, lockFolder } from './folder-lock.js';
import { LmdbLog } from './lmdb-log.js';
import { firstSeqOf } from './lmdb-segment.js';
import { makeNewFolder, requireFree } from './new-folder.js';

export interface LmdbStoreOptions {
  /** Free bytes of the disk below which writes are refused; DISK_FLOOR_BYTES by default. */
  readonly diskFloorBytes?: number;
  /** Asks the file system by default. */
  readonly freeBytes?: FreeBytes;
  readonly onDiskEvent?: (event: DiskEvent) => void;
}

export class LmdbStore implements WorldStore {
  readonly url: string;
  readonly label: string;
  readonly name: string;
  readonly snapshots: SnapshotStore;
  readonly leadership = null;
  readonly #places: DataPlaces;
  readonly #options: LmdbStoreOptions;

  /** @param path of the data folder, absolute or relative to the working directory */
  constructor(path: string, options: LmdbStoreOptions = {}) {
    this.#places = placesOf(path);
    this.#options = options;
    this.url = pathToFileURL(this.#places.path).href;
    this.label = this.#places.path;
    this.name = basename(this.#places.path);
    this.snapshots = new SnapshotFolder(this.#places.snapshotsPath);
  }

  requireWorld(): Promise<void> {
    return requireWorld(this.#places);
  }

  origin(): Promise<Origin | null> {
    return readOrigin(this.#places.originPath);
  }

  operatorRecords(): OperatorRecords {
    return new OperatorFolder(this.#places.operatorPath);
  }

  openLog(): Promise<ReadableLog> {
    return LmdbLog.openReadOnly(this.#places.logPath);
  }

  async open(): Promise<HeldWorld> {
    const { path, logPath } = this.#places;
    const { freeBytes } = this.#options;
    await makeFolder(path);
    await requireWritable(path);
    await requireFolders(this.#places);
    const lock = await lockFolder(path);
    let freeSpace: DiskSpace | undefined;
    const release = async (): Promise<void> => {
      freeSpace?.stop();
      await lock.release();
    };
    try {
      await requireSpace(path, 'open a world', freeBytes);
      await this.#sweepSnapshots();
      const warnings = await fileSystemWarnings(path);
      const log = await LmdbLog.open(logPath);
      freeSpace = this.#watchedSpace(log);
      await freeSpace.watch();
      const requireRoom = async (): Promise<void> => {
        await requireSpace(path, 'take a snapshot', freeBytes);
        const lost = await log.lostFile();
        if (lost !== null) throw new LogMisplaced(lostFileSentence(lost));
      };
      return { log, freeSpace, warnings, requireRoom, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  isInUse(): Promise<boolean> {
    return isLocked(this.#places.path);
  }

  async lockSnapshots(): Promise<StoreLock> {
    const { snapshotsPath } = this.#places;
    await makeFolder(snapshotsPath);
    try {
      return await lockFolder(snapshotsPath);
    } catch (error) {
      throw error instanceof WorldLocked ? new SnapshotInProgress(snapshotsPath) : error;
    }
  }

  async requireOwner(): Promise<void> {
    const { logPath } = this.#places;
    const { uid } = await stat(logPath);
    const ownUid = process.getuid?.() ?? uid;
    if (uid === ownUid) return;
    throw new NotOwner(`${logPath} belongs to the user with the id ${uid}; run it as that user, not as ${ownUid}`);
  }

  async requireFree(): Promise<void> {
    const { path } = this.#places;
    await requireFree(path);
    // A world inside another one's folder would be copied, moved or removed with it.
    for (let parent = dirname(path); parent !== dirname(parent); parent = dirname(parent)) {
      if (await holdsWorld(placesOf(parent))) throw new CannotCreate(`${path} lies within the world in ${parent}`);
    }
  }

  async create({ origin, write }: WorldBeginning): Promise<void> {
    const { path, logPath } = this.#places;
    await makeNewFolder(path, basename(logPath), async (stage) => {
      const staged = placesOf(stage);
      // On a full disk some calls fail with misleading errors.
      const requireRoom = (): Promise<void> => requireSpace(stage, 'restore a world');
      await requireRoom();
      await makeFolder(staged.snapshotsPath);
      const log = await LmdbLog.open(staged.logPath);
      try {
        await write({ snapshots: new SnapshotFolder(staged.snapshotsPath), log, requireRoom });
      } finally {
        await log.close();
      }
      if (origin !== null) await writeOrigin(staged.originPath, origin);
    });
  }

  #watchedSpace(log: LmdbLog): DiskSpace {
    const { diskFloorBytes, freeBytes, onDiskEvent } = this.#options;
    return new DiskSpace(this.#places.path, {
      floorBytes: diskFloorBytes,
      freeBytes,
      onDiskEvent,
      findLostFile: () => log.lostFile(),
    });
  }

  /** Removes leftovers of unfinished snapshots, unless another process is writing one. */
  async #sweepSnapshots(): Promise<void> {
    let lock: StoreLock;
    try {
      lock = await this.lockSnapshots();
    } catch (error) {
      if (error instanceof SnapshotInProgress) return;
      throw error;
    }
    try {
      await this.snapshots.sweep();
    } finally {
      await lock.release();
    }
  }
}

/** Absolute paths of the parts of a data folder. */
interface DataPlaces {
  readonly path: string;
  readonly logPath: string;
  readonly snapshotsPath: string;
  /** Only a restored or forked world has this file. */
  readonly originPath: string;
  /** Made by the first action of an operator. */
  readonly operatorPath: string;
}

/** @param path absolute, or relative to the working directory */
export function placesOf(path: string): DataPlaces {
  const absolute = resolve(path);
  return {
    path: absolute,
    logPath: join(absolute, 'log'),
    snapshotsPath: join(absolute, 'snapshots'),
    originPath: join(absolute, 'origin.json'),
    operatorPath: join(absolute, 'operator'),
  };
}

/**
 * Requires the folder of a world, or of the rest of one: a segment of its log, or a snapshot.
 *
 * @throws NoWorld, UnfitFile
 */
export async function requireWorld(places: DataPlaces): Promise<void> {
  const { path } = places;
  try {
    await readdir(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new NoWorld(`there is no folder ${path}; ${ADVICE}`);
    if (codeOf(error) === 'ENOTDIR') throw new NoWorld(`${path} is not a folder; ${ADVICE}`);
    throw error;
  }
  await requireFolders(places);
  if (!(await holdsWorld(places))) throw new NoWorld(`there is no world in ${path}; ${ADVICE}`);
}

/** What to do if a subcommand finds no world. */
const ADVICE = 'name the folder that galaxyd serve has as --data';

/** Whether there is a log segment or a snapshot. */
export async function holdsWorld({ logPath, snapshotsPath }: DataPlaces): Promise<boolean> {
  const isThere = async (folder: string, isPart: (name: string) => boolean): Promise<boolean> => {
    try {
      return (await readdir(folder)).some(isPart);
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
      throw error;
    }
  };
  return (
    (await isThere(logPath, (name) => firstSeqOf(name) !== undefined)) ||
    (await isThere(snapshotsPath, (name) => SnapshotFolder.seqOf(name) !== null))
  );
}

/**
 * The folder of a world and the two folders in it may be links: operators put them on other disks. Anything deeper must
 * not be a link; the code that opens it checks that.
 *
 * @throws UnfitFile
 */
async function requireFolders({ logPath, snapshotsPath }: DataPlaces): Promise<void> {
  await requireFolderOrNone(logPath);
  await requireFolderOrNone(snapshotsPath);
}

/** Reports a read-only folder as the system's own error, before LMDB would report a damaged log. */
async function requireWritable(path: string): Promise<void> {
  await access(path, constants.W_OK);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
