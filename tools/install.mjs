// Installs the packages that package-lock.json names, only if those in node_modules differ. npm's own record inside
// node_modules is the stamp: npm writes it last, so an interrupted install does not count.

import { readFileSync } from 'node:fs';
import { runCommandToEnd, runToEnd } from './child.mjs';
import { inRepository, StepFailed, say } from './repository.mjs';

/** @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage */

/**
 * Reports whether node_modules holds what the lock file names. Optional packages may be absent, since most are for
 * other platforms.
 * @param {'runtime' | 'all'} wanted with 'runtime', the development packages may be absent as well
 */
export function isInstalled(wanted) {
  const locked = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  if (locked === undefined || installed === undefined) return false;
  return Object.entries(locked).every(([path, entry]) => {
    if (path === '') return true;
    const present = installed[path];
    if (present !== undefined) {
      // The lock has no integrity for a few optional packages of other platforms.
      return present.version === entry.version && (entry.integrity ?? present.integrity) === present.integrity;
    }
    return entry.optional === true || entry.devOptional === true || (wanted === 'runtime' && entry.dev === true);
  });
}

/** Runs `npm ci` if the packages differ from the lock file. Throws StepFailed with npm's exit code. */
export async function installIfStale() {
  if (isInstalled('all')) return;
  say('installing dependencies…');
  const npmArguments = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npmProgram = process.env['npm_execpath'];
  const isNpm = npmProgram !== undefined && /npm-cli\.c?js$/.test(npmProgram);
  const exitCode = isNpm
    ? await runToEnd(npmProgram, npmArguments, 'standard error')
    : await runCommandToEnd('npm', npmArguments, 'standard error');
  if (exitCode !== 0) {
    throw new StepFailed(
      `npm ci failed with exit code ${exitCode}, so the dependencies are not installed. See npm's messages above; ` +
        'the first run needs access to the package registry.',
      exitCode,
    );
  }
}

/**
 * @param {string} lockFile relative to the repository
 * @returns {Record<string, LockedPackage> | undefined} undefined if the file is missing or cannot be read
 */
function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(inRepository(lockFile), 'utf8')).packages;
  } catch {
    return undefined;
  }
}
