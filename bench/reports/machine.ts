// What a result was measured on: without it no number says anything.
import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
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

/** Magic numbers of statfs(2). */
const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  16914836: 'tmpfs',
  2035054128: 'overlay',
  26985: 'nfs',
  801189825: 'zfs',
  4076150800: 'f2fs',
};
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

function fileSystemOf(folder: string): string {
  const { type: magic } = statfsSync(folder);
  return FILE_SYSTEMS[magic] ?? `type 0x${magic.toString(16)}`;
}
