// Creates a folder atomically, and never overwrites anything. The caller decides what is in it.
import { lstat, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder, syncFolder } from '../../files/folder-sync.js';
import { CannotCreate } from '../../stores/world-store.js';
import { lockFolder } from './folder-lock.js';

/**
 * Creates a folder, or fills an empty one, which may be a mount point. Until all of it is durable it has a hidden name:
 * beside its final place, or inside the empty folder. It first removes leftovers of a process that died.
 *
 * @param path absolute
 * @param lastName name of the part without which the others have no effect: moved last into an empty folder
 * @param build fills the folder that it receives, durably when it settles
 * @throws CannotCreate, WorldLocked
 */
export async function makeNewFolder(
  path: string,
  lastName: string,
  build: (stage: string) => Promise<void>,
): Promise<void> {
  const isThere = await requireFree(path);
  const stage = isThere ? join(path, STAGE_NAME) : join(dirname(path), `${STAGE_NAME}-${basename(path)}`);
  const topmostMade = await makeFolder(dirname(stage));
  try {
    await fill(stage, build, async () => {
      await requireFree(path);
      if (isThere) return moveInto(path, stage, lastName);
      await rename(stage, path);
      await syncFolder(dirname(path));
    });
  } catch (error) {
    if (topmostMade !== undefined) await removeEmptyFolders(dirname(stage), topmostMade);
    throw error;
  }
}

/** No other program uses this name. */
const STAGE_NAME = '.galaxyd-partial';

async function fill(
  stage: string,
  build: (stage: string) => Promise<void>,
  appear: () => Promise<void>,
): Promise<void> {
  await makeStage(stage);
  const lock = await lockFolder(stage);
  try {
    for (const left of await readdir(stage)) await rm(join(stage, left), { recursive: true });
    await build(stage);
    await appear();
  } catch (error) {
    await rm(stage, { recursive: true, force: true });
    throw error;
  } finally {
    await lock.release();
  }
}

/**
 * Creates the stage, or reuses one that a dead process has left. Its name is predictable, so another user may have put
 * something there: links are never followed, and another user's folder is never touched.
 *
 * @throws CannotCreate
 */
async function makeStage(stage: string): Promise<void> {
  try {
    await mkdir(stage, { mode: 0o700 });
    await syncFolder(dirname(stage));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const found = await lstat(stage);
    const isOwn = process.getuid === undefined || found.uid === process.getuid();
    if (found.isDirectory() && isOwn) return;
    const what = found.isDirectory() ? "is another user's" : 'is not a folder';
    throw new CannotCreate(`${stage} ${what}, and is in the way of the new folder; remove it`);
  }
}

/**
 * @param path absolute
 * @returns true for an empty folder, false if nothing exists there
 * @throws CannotCreate for anything else
 */
export async function requireFree(path: string): Promise<boolean> {
  try {
    const names = await readdir(path);
    if (names.every((name) => name === STAGE_NAME)) return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'ENOENT') return false;
    if (error.code !== 'ENOTDIR') throw error;
    throw new CannotCreate(`${await fileOn(path)} is a file, not a folder`);
  }
  throw new CannotCreate(`${path} is not empty, and galaxyd never overwrites anything`);
}

/** The part of a path that is not a folder. */
async function fileOn(path: string): Promise<string> {
  for (let part = path; part !== dirname(part); part = dirname(part)) {
    const found = await stat(part).catch(() => null);
    if (found !== null && !found.isDirectory()) return part;
  }
  return path;
}

async function moveInto(path: string, stage: string, lastName: string): Promise<void> {
  const names = (await readdir(stage)).sort((one, other) => Number(one === lastName) - Number(other === lastName));
  const moved: string[] = [];
  try {
    for (const name of names) {
      // Everything else is durable before the last one is moved.
      if (name === lastName) await syncFolder(path);
      await rename(join(stage, name), join(path, name));
      moved.push(name);
    }
    await rmdir(stage);
    await syncFolder(path);
  } catch (error) {
    for (const name of moved) await rm(join(path, name), { recursive: true });
    throw error;
  }
}

/** Removes folders from `lowest` up to `topmost`, and stops at one that is not empty. */
async function removeEmptyFolders(lowest: string, topmost: string): Promise<void> {
  for (let path = lowest; path.length >= topmost.length; path = dirname(path)) {
    const isGone = await rmdir(path).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}
