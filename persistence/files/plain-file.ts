// Opens files of a data folder, which may come from anywhere: a copy, an archive, another user. What stands there instead of
// a regular file is never opened: a named pipe would wait for ever, a device has effects, a link leads elsewhere.
import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';

/** What stands at a path is not what must stand there. */
export class UnfitFile extends Error {
  override readonly name = 'UnfitFile';

  /** @param clause about the path: "is a link and not a regular file" */
  constructor(
    readonly path: string,
    readonly clause: string,
  ) {
    super(`${path} ${clause}`);
  }
}

/** Neither follows a link in the last part of a path nor waits for whoever is at the other end. Windows knows no such flags. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a regular file for reading.
 *
 * @param bytesMax of its size; a larger one is refused
 * @throws UnfitFile
 * @throws Error of the operating system: ENOENT if there is none
 */
export async function openPlainFile(path: string, bytesMax = Number.POSITIVE_INFINITY): Promise<FileHandle> {
  requirePlain(path, await lstat(path), bytesMax);
  const file = await open(path, FLAGS);
  try {
    // Again, because it may have been exchanged in between.
    requirePlain(path, await file.stat(), bytesMax);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The same at once. @returns a file descriptor */
export function openPlainFileSync(path: string, bytesMax = Number.POSITIVE_INFINITY): number {
  requirePlain(path, lstatSync(path), bytesMax);
  const file = openSync(path, FLAGS);
  try {
    requirePlain(path, fstatSync(file), bytesMax);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Checks what somebody else is going to open, if it is there. @throws as openPlainFile() */
export function requirePlainFileOrNoneSync(path: string, bytesMax: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined) requirePlain(path, found, bytesMax);
}

/** Checks that a folder stands there, and no link to one. @throws UnfitFile, or Error of the operating system */
export function requirePlainFolderSync(path: string): void {
  const found = lstatSync(path);
  if (!found.isDirectory()) throw new UnfitFile(path, `is ${kindOf(found)} and not a folder`);
}

/** Checks that there is a folder, a link to one, or nothing at all. @throws UnfitFile */
export async function requireFolderOrNone(path: string): Promise<void> {
  const found = await lstat(path).catch(noneIfMissing);
  if (found === null || found.isDirectory()) return;
  const isLinkToFolder = found.isSymbolicLink() && (await stat(path).catch(() => null))?.isDirectory() === true;
  if (isLinkToFolder) return;
  throw new UnfitFile(
    path,
    found.isSymbolicLink() ? 'is a link that leads to no folder' : `is ${kindOf(found)} and not a folder`,
  );
}

function requirePlain(path: string, found: Stats, bytesMax: number): void {
  if (!found.isFile()) throw new UnfitFile(path, `is ${kindOf(found)} and not a regular file`);
  if (found.size > bytesMax)
    throw new UnfitFile(path, `has ${found.size} bytes, and ${bytesMax} at most are plausible`);
}

function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return 'a link';
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  if (found.isSocket()) return 'a socket';
  return found.isFile() ? 'a file' : 'a device';
}

function noneIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
