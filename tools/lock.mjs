// Lets one process at a time install and build here, so that two concurrent `npm start` do not corrupt each other's
// files. The lock file names its owner; a lock whose owner is dead is taken over.

import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { inRepository, StepFailed, say } from './repository.mjs';

const folder = inRepository('dist/.build');
const lock = inRepository('dist/.build/lock');

/** How often a waiting process checks the lock. */
const pollMs = 200;

/** How long a process waits for the install and build of another one before it gives up. */
const waitMaximumMs = 15 * 60 * 1000;

/**
 * Waits for the lock, then runs the work while holding it. Throws StepFailed if the wait is too long.
 * @param {() => Promise<void>} work
 */
export async function withLock(work) {
  const startMs = performance.now();
  for (let tries = 0; !tryToTake(); tries += 1) {
    if (tries === 0) say('waiting for another process that is installing or building here…');
    if (performance.now() - startMs > waitMaximumMs)
      throw new StepFailed(`waited too long. If nothing is building, remove ${lock}`);
    await delay(pollMs);
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** The lock appears with its owner already in it: link() is atomic and fails if the lock exists. */
function tryToTake() {
  mkdirSync(folder, { recursive: true });
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    if (!isOwnerAlive()) rmSync(lock, { force: true });
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

function isOwnerAlive() {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch (error) {
    // The lock is gone by now, or its process belongs to another user: it is not ours to remove.
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH';
  }
}
