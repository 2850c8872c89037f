// Makes folders and the names in them durable: a file that is on disk is still lost if its folder loses its name.
import { closeSync, fsync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/**
 * Creates a folder and its missing parents, readable only by the owner and durable.
 *
 * @returns the topmost folder that was created; undefined if all existed
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  const topmostMade = await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) =>
    trueCause(error, path),
  );
  if (topmostMade === undefined) return undefined;
  for (let made = path; made.length >= topmostMade.length; made = dirname(made)) await syncFolder(dirname(made));
  return topmostMade;
}

/**
 * On a full disk, Node reports a recursive mkdir as ENOENT; a mkdir of the last folder alone reports the true error.
 */
async function trueCause(error: unknown, path: string): Promise<never> {
  const isReportedMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  if (isReportedMissing) await mkdir(path, { mode: 0o700 });
  throw error;
}

/**
 * Waits until the names created in the folder survive a power failure. Windows has no such call and needs none. It
 * opens the folder before it returns, so a caller that holds a spare descriptor can release it right before
 * (spare-files.ts).
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
