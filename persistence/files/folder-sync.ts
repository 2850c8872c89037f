// Makes folders, and the names in them, durable: a file that is on disk is lost all the same if its folder forgets its name.
import { closeSync, fsync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/**
 * Makes a folder where it is missing, its parents too: readable by its owner alone, and still there after a power cut.
 *
 * @returns the topmost folder that was made; undefined where all were there
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  const topmostMade = await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) =>
    trueCause(error, path),
  );
  if (topmostMade === undefined) return undefined;
  for (let made = path; made.length >= topmostMade.length; made = dirname(made)) await syncFolder(dirname(made));
  return topmostMade;
}

/** Node says of a full disk that there is no such folder; asked for the last one alone, it says what is wrong. */
async function trueCause(error: unknown, path: string): Promise<never> {
  const isSaidMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  if (isSaidMissing) await mkdir(path, { mode: 0o700 });
  throw error;
}

/**
 * Waits until what was created in the folder is found again after a power cut. Windows has no such call and needs none.
 * It opens the folder before it returns: a caller that holds a spare descriptor can give it up right before (spare-files.ts).
 */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    await promisify(fsync)(folder);
  } finally {
    closeSync(folder);
  }
}
