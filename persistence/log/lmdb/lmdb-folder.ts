// The data folder of a world: where its parts are, and what kind of file each may be.
import { access, constants, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { requireFolderOrNone } from '../../files/plain-file.js';
import { SnapshotFolder } from '../../snapshots/snapshot-files.js';
import { NoWorld } from '../../stores/world-store.js';
import { firstSeqOf } from './lmdb-segment.js';

/** Absolute paths of the parts of a data folder. */
export interface DataPlaces {
  readonly path: string;
  readonly logPath: string;
  readonly snapshotsPath: string;
  /** Only a restored or forked world has this file. */
  readonly originPath: string;
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
 * Requires the folder of a world, or of the rest of one: a segment of its log, or a snapshot.
 *
 * @throws NoWorld, UnfitFile
 */
export async function requireWorld(places: DataPlaces): Promise<void> {
  const { path } = places;
  try {
    await readdir(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new NoWorld(`there is no folder ${path}`);
    if (codeOf(error) === 'ENOTDIR') throw new NoWorld(`${path} is not a folder`);
    throw error;
  }
  await requireFolders(places);
  if (!(await holdsWorld(places))) throw new NoWorld(`there is no world in ${path}`);
}

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
export async function requireFolders({ logPath, snapshotsPath }: DataPlaces): Promise<void> {
  await requireFolderOrNone(logPath);
  await requireFolderOrNone(snapshotsPath);
}

/** Reports a read-only folder as the system's own error, before LMDB would report a damaged log. */
export async function requireWritable(path: string): Promise<void> {
  await access(path, constants.W_OK);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
