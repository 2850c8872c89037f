// The folder a world lives in: made where it is missing, and held by one process at a time.
import { join, resolve } from 'node:path';
import { lockFolder } from './folder-lock.js';
import { makeFolder } from './folder-sync.js';

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
  const lock = await lockFolder(absolute);
  return { path: absolute, logPath: join(absolute, 'log'), release: () => lock.release() };
}
