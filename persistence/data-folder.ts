// The folder a world lives in: what stands where, made where it is missing, and held by one process at a time.
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
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const places = placesOf(path);
  await makeFolder(places.path);
  const lock = await lockFolder(places.path);
  return { ...places, release: () => lock.release() };
}
