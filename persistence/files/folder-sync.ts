// Folders: makes them and the names in them durable, since a file that is on disk is still lost if its folder loses its name; and
// detects file systems on which LMDB may lose data.
import { closeSync, fsync, openSync } from 'node:fs';
import { mkdir, statfs } from 'node:fs/promises';
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

/** File system types of Linux statfs(2) whose locks, memory maps or flushes may not be what LMDB needs. */
const DOUBTFUL_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x01021997, '9p'],
  [0x794c7630, 'overlay'],
  [0x65735546, 'fuse'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb'],
]);

/** Returns the name of a folder's file system if a power failure may lose durable data on it; otherwise null. */
export async function doubtfulFileSystem(folder: string): Promise<string | null> {
  // Other operating systems number their file systems differently.
  return process.platform === 'linux' ? nameOfDoubtful((await statfs(folder)).type) : null;
}

/** What the operator of a world in a folder should know about its file system, as sentences. */
export async function fileSystemWarnings(folder: string): Promise<string[]> {
  const name = await doubtfulFileSystem(folder);
  return name === null ? [] : [`${folder} is on ${name}, which may lose data in a power failure; use a local disk`];
}

/** @param type as Linux statfs(2) returns it */
export function nameOfDoubtful(type: number): string | null {
  // Large types are negative on some machines.
  return DOUBTFUL_FILE_SYSTEMS.get(type >>> 0) ?? null;
}
