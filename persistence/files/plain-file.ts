// Opens files of a data folder, which may come from anywhere: a copy, an archive, another user. It opens only regular
// files: opening a named pipe would block for ever, a device has side effects, a link leads elsewhere.
import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';

/** A path does not hold the kind of file that it must. */
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

/** Do not follow a link in the last part of a path, and do not block. Windows has no such flags. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a regular file for reading.
 *
 * @param bytesMax maximum size; a larger file is refused
 * @throws UnfitFile
 * @throws Error of the operating system: ENOENT if there is none
 */
export async function openPlainFile(path: string, bytesMax = Number.POSITIVE_INFINITY): Promise<FileHandle> {
  requirePlain(path, await lstat(path), bytesMax);
  const file = await open(path, FLAGS);
  try {
    // Check again, because the file may have been replaced in between.
    requirePlain(path, await file.stat(), bytesMax);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The same, synchronously. @returns a file descriptor */
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

/** Checks a file that other code is going to open, if it exists. @throws as openPlainFile() */
export function requirePlainFileOrNoneSync(path: string, bytesMax: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined) requirePlain(path, found, bytesMax);
}

/** Checks that the path is a folder, and not a link to one. @throws UnfitFile, or Error of the operating system */
export function requirePlainFolderSync(path: string): void {
  const found = lstatSync(path);
  if (!found.isDirectory()) throw new UnfitFile(path, `is ${kindOf(found)} and not a folder`);
}

/** Checks that the path is a folder, a link to one, or does not exist. @throws UnfitFile */
export async function requireFolderOrNone(path: string): Promise<void> {
  const found = await lstat(path).catch(nullIfMissing);
  if (found === null || found.isDirectory()) return;
  const isLinkToFolder = found.isSymbolicLink() && (await stat(path).catch(() => null))?.isDirectory() === true;
  if (isLinkToFolder) return;
  throw new UnfitFile(
    path,
    found.isSymbolicLink() ? 'is a link that does not lead to a folder' : `is ${kindOf(found)} and not a folder`,
  );
}

function requirePlain(path: string, found: Stats, bytesMax: number): void {
  if (!found.isFile()) throw new UnfitFile(path, `is ${kindOf(found)} and not a regular file`);
  if (found.size > bytesMax) throw new UnfitFile(path, `has ${found.size} bytes, more than the maximum of ${bytesMax}`);
}

function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return 'a link';
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  if (found.isSocket()) return 'a socket';
  return found.isFile() ? 'a file' : 'a device';
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
