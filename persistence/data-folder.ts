// The folder a world lives in: made where it is missing, and held by one process at a time.
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type FolderLock, lockFolder } from './folder-lock.js';
import { syncFolder } from './folder-sync.js';

export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  /** Where the log is. */
  readonly logPath: string;
  /** Lets others have the folder. The log must be closed before. */
  release(): Promise<void>;
}

/**
 * Opens a data folder for this process alone.
 *
 * @param path absolute, or relative to the working directory
 * @throws DataFolderLocked
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const absolute = resolve(path);
  await makeFolder(absolute);
  const lock: FolderLock = await lockFolder(absolute);
  const logPath = join(absolute, 'log');
  try {
    await makeFolder(logPath);
  } catch (error) {
    await lock.release();
    throw error;
  }
  return { path: absolute, logPath, release: () => lock.release() };
}

/** Readable by its owner alone, and still there after a power cut. */
async function makeFolder(path: string): Promise<void> {
  const topmostMade = await mkdir(path, { recursive: true, mode: 0o700 });
  if (topmostMade === undefined) return;
  for (let made = path; made.length >= topmostMade.length; made = dirname(made)) await syncFolder(dirname(made));
}
