// The folder a world lives in: what stands where, made where it is missing, and held by one process at a time.
import { access, constants, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lockFolder } from './folder-lock.js';
import { makeFolder } from './folder-sync.js';
import { firstSeqOf } from './lmdb-segment.js';
import { requireFolderOrNone } from './plain-file.js';
import { SnapshotFolder } from './snapshot-files.js';

/** What stands where in a data folder. All absolute. */
export interface DataPlaces {
  readonly path: string;
  readonly logPath: string;
  readonly snapshotsPath: string;
  /** A file that only a restored or forked world has. */
  readonly originPath: string;
}

export interface DataFolder extends DataPlaces {
  /** Lets others have the folder. The log must be closed before. */
  release(): Promise<void>;
}

/** @param path absolute, or relative to the working directory */
export function placesOf(path: string): DataPlaces {
  const absolute = resolve(path);
  return {
    path: absolute,
    logPath: join(absolute, 'log'),
    snapshotsPath: join(absolute, 'snapshots'),
    originPath: join(absolute, 'origin.json'),
  };
}

/** What was named as the folder of a world is none. */
export class NoWorld extends Error {
  override readonly name = 'NoWorld';
}

/**
 * What stands where in the folder of a world, or of what is left of one: some segment of its log, or some snapshot.
 *
 * @throws NoWorld, UnfitFile
 */
export async function requireWorld(path: string): Promise<DataPlaces> {
  const places = placesOf(path);
  try {
    await readdir(places.path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new NoWorld(`there is no folder ${places.path}`);
    if (codeOf(error) === 'ENOTDIR') throw new NoWorld(`${places.path} is not a folder`);
    throw error;
  }
  await requireFolders(places);
  if (!(await holdsWorld(places))) throw new NoWorld(`there is no world in ${places.path}`);
  return places;
}

/** Whether there is a segment of a log, or a snapshot. */
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
 * The folder of a world, and the two in it, may be links: operators put them on other disks. What stands deeper is checked
 * by whoever opens it, and may not be one.
 */
async function requireFolders({ logPath, snapshotsPath }: DataPlaces): Promise<void> {
  await requireFolderOrNone(logPath);
  await requireFolderOrNone(snapshotsPath);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/**
 * Opens a data folder for this process alone.
 *
 * @param path absolute, or relative to the working directory
 * @throws DataFolderLocked, UnfitFile
 * @throws Error of the operating system where it may not be written
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const places = placesOf(path);
  await makeFolder(places.path);
  // Told by the system in its own words, before LMDB would call a log that may only be read a damaged one.
  await access(places.path, constants.W_OK);
  await requireFolders(places);
  const lock = await lockFolder(places.path);
  return { ...places, release: () => lock.release() };
}
