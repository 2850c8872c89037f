// Installs the packages that package-lock.json names, only if those in node_modules differ. It compares with npm's own record in
// node_modules, which npm writes last, so an interrupted install does not count.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inRepository, runCommandToEnd, runToEnd, StepFailed, say } from './repository.mjs';

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean,
 *   dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} LockedPackage
 * @typedef {'program' | 'all'} Packages those of the program and its build; or also those of checks and tests
 */

/** On Windows the command npm is a script of a shell, so npm is started from where it is installed, beside Node. */
const NPM_OF_WINDOWS =
  process.platform === 'win32' ? join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js') : undefined;

/** The workspaces whose packages the program and its build need. Checks and tests also need those of tools/. */
const PROGRAM_WORKSPACES = ['', 'clients/typescript'];

/**
 * Reports whether node_modules holds what the lock file names. Optional packages may be absent, since most are for
 * other platforms.
 * @param {Packages} wanted
 * @param {Record<string, LockedPackage> | undefined} locked
 * @param {Record<string, LockedPackage> | undefined} installed
 */
export function isInstalled(
  wanted,
  locked = packagesOf('package-lock.json'),
  installed = packagesOf('node_modules/.package-lock.json'),
) {
  if (locked === undefined || installed === undefined) return false;
  /** @param {string} path */
  const isPresent = (path) => {
    const entry = locked[path];
    const present = installed[path];
    if (present === undefined) return entry?.optional === true || entry?.devOptional === true;
    // The lock has no integrity for a few optional packages of other platforms.
    return present.version === entry?.version && (entry?.integrity ?? present.integrity) === present.integrity;
  };
  // npm writes its record last. If the packages that a workspace names are there, so are the packages that those need.
  const named = PROGRAM_WORKSPACES.flatMap((path) =>
    Object.keys({ ...locked[path]?.dependencies, ...locked[path]?.devDependencies }),
  );
  // A package that the lock does not name harms nobody; to remove it while tests run would.
  const paths = Object.keys(locked).filter((path) => path !== '' && (wanted === 'all' || path in installed));
  return [...paths, ...named.map((name) => `node_modules/${name}`)].every(isPresent);
}

/**
 * Runs `npm ci` if the packages differ from the lock file. Throws StepFailed with npm's exit code.
 * @param {Packages} wanted
 */
export async function installIfStale(wanted) {
  if (isInstalled(wanted)) return;
  say(`installs the packages of ${wanted === 'all' ? 'the program and of its tests' : 'the program'} from npm…`);
  const workspaces =
    wanted === 'all'
      ? []
      : ['--include-workspace-root', ...PROGRAM_WORKSPACES.filter(Boolean).map((path) => `--workspace=${path}`)];
  const npmArguments = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error', ...workspaces];
  const npmProgram = process.env['npm_execpath'] ?? NPM_OF_WINDOWS;
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
