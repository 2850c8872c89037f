// Lets one process at a time install and build here, so that two `npm start` at once do not spoil each other's files.
// The lock names its owner; one whose owner is dead is taken over.

import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { inRepository, StepFailed, say } from './repository.mjs';

const folder = inRepository('dist/.build');
const lock = inRepository('dist/.build/lock');

/** How often a waiting process looks again. */
const pollMs = 200;

/** How long a process waits for another one's install and build before it gives up. */
const waitMaximumMs = 15 * 60 * 1000;

/**
 * Runs the work while holding the lock, waiting for whoever holds it now. Throws StepFailed when the wait is too long.
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

/** The lock appears with its owner already written in it, since a link is made in one step and only where none is yet. */
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
    // Gone meanwhile, or owned by somebody else: both mean that it is not ours to remove.
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH';
  }
}
