// Lets one process at a time install and build, so that two concurrent `npm start` do not corrupt each other's files. A process that
// wants the lock writes a claim and then looks for other claims. Of two processes, the later one sees the claim of the other, so they
// never both hold the lock. Claims of dead processes do not count. Each claim has its own name, so removing a dead one removes no other.

import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inRepository, StepFailed, say } from './repository.mjs';

/** Average time between two checks of the lock. It varies, so that processes that see each other's claims get out of step. */
const pollMs = 100;

/** How long a process waits for another one to install and build. */
const waitMaximumMs = 15 * 60 * 1000;

/**
 * Waits for the lock, then runs the work while holding it. Throws StepFailed if the wait is too long.
 * @param {() => Promise<void>} work
 * @param {string} folder for the claims
 */
export async function withLock(work, folder = inRepository('dist/.build/claims')) {
  const startMs = performance.now();
  let claim = claimed(folder);
  for (let tries = 0; claim === null; tries += 1) {
    if (tries === 0) say('waiting for another process that is installing or building here…');
    if (performance.now() - startMs > waitMaximumMs)
      throw new StepFailed(`waited too long. If nothing is building, remove ${folder}`);
    await delay(pollMs * (0.5 + Math.random()));
    claim = claimed(folder);
  }
  try {
    await work();
  } finally {
    rmSync(claim, { force: true });
  }
}

/**
 * Takes the lock, unless another process has it or is about to take it.
 * @param {string} folder
 * @returns {string | null} the claim that holds it
 */
function claimed(folder) {
  mkdirSync(folder, { recursive: true });
  // A waiting process must not leave a claim.
  if (isClaimedBesides('', folder)) return null;
  const name = `${process.pid}-${randomUUID()}`;
  const claim = join(folder, name);
  writeFileSync(claim, '');
  if (!isClaimedBesides(name, folder)) return claim;
  rmSync(claim, { force: true });
  return null;
}

/**
 * Whether another living process has a claim. Removes claims of dead processes.
 * @param {string} own
 * @param {string} folder
 */
function isClaimedBesides(own, folder) {
  const others = readdirSync(folder).filter((name) => name !== own);
  const dead = others.filter((name) => !isAlive(Number.parseInt(name, 10)));
  for (const name of dead) rmSync(join(folder, name), { force: true });
  return dead.length < others.length;
}

/** @param {number} pid */
function isAlive(pid) {
  // In an earlier container, another process had the same id.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process may belong to another user.
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH';
  }
}
