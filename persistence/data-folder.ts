// The folder a world lives in: what stands where, made where it is missing, and held by one process at a time.
import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lockFolder } from './folder-lock.js';
import { makeFolder } from './folder-sync.js';

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

/**
 * Opens a data folder for this process alone.
 *
 * @param path absolute, or relative to the working directory
 * @throws DataFolderLocked
 * @throws Error of the operating system where it may not be written
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const places = placesOf(path);
  await makeFolder(places.path);
  // Told by the system in its own words, before LMDB would call a log that may only be read a damaged one.
  await access(places.path, constants.W_OK);
  const lock = await lockFolder(places.path);
  return { ...places, release: () => lock.release() };
}
