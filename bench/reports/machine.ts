// What a result was measured on. Without it no number means anything.
import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import { TEMPORARY_PLACE } from '../processes/clean-up.js';

export interface Machine {
  readonly node: string;
  readonly system: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  /** Of the folder that worlds and databases were written to. */
  readonly fileSystem: string;
}

export interface Revision {
  /** As it was asked for. */
  readonly name: string;
  /** Short hash; `unknown` without git. */
  readonly commit: string;
  /** Whether files differed from the commit. */
  readonly isDirty: boolean;
}

/** This checkout, seen from dist/bench/reports. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const BYTES_PER_GIB = 1024 ** 3;

export function thisMachine(): Machine {
  return {
    node: process.version,
    system: `${type()} ${release()}`,
    cpu: cpus()[0]?.model.trim() || 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / BYTES_PER_GIB),
    fileSystem: fileSystemOf(TEMPORARY_PLACE),
  };
}

/** Whether a durable write costs nothing, since nothing is durable. */
export function isInMemory({ fileSystem }: Machine): boolean {
  return fileSystem === 'tmpfs';
}

/** What is checked out in a folder, changes included. */
export function revisionOf(folder: string): Revision {
  const name = 'this checkout';
  try {
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: 'pipe' });
    const isDirty = git('status', '--porcelain').trim() !== '';
    return { name, commit: git('rev-parse', '--short=12', 'HEAD').trim(), isDirty };
  } catch {
    return { name, commit: 'unknown', isDirty: false };
  }
}

/** As df(1) of GNU coreutils names it; `unknown` elsewhere. */
function fileSystemOf(folder: string): string {
  try {
    const output = execFileSync('df', ['--output=fstype', folder], { encoding: 'utf8', stdio: 'pipe' });
    return output.trim().split('\n').at(-1) ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
