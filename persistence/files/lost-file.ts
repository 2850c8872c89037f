// Finds out whether an open file still has its name: it may have been removed, moved, or replaced by another one. As long
// as a process has it open, nothing of it is lost.
import { fstatSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** A file that this process has open, and that its name does not lead to. */
export interface LostFile {
  readonly path: string;
  /** Its descriptor in this process. */
  readonly descriptor: number;
  /** Whether it has no name at all any more: it goes with the process. Else it was moved. */
  readonly isRemoved: boolean;
}

/** @returns null if the name leads to the file, or if that cannot be found out */
export async function lostFileAt(path: string, descriptor: number): Promise<LostFile | null> {
  const open = fstatSync(descriptor, { bigint: true });
  try {
    const named = await stat(path, { bigint: true });
    if (named.dev === open.dev && named.ino === open.ino) return null;
  } catch (error) {
    // Without a permission to look nothing is known.
    if (!(error instanceof Error && 'code' in error && MISSING.has(error.code))) return null;
  }
  return { path, descriptor, isRemoved: open.nlink === 0n };
}

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/** What the operator should know, as a sentence without a full stop. */
export function lostFileSentence({ path, descriptor, isRemoved }: LostFile): string {
  return isRemoved
    ? `${path} was removed; it is lost with this process, so do not stop it before you have copied /proc/${process.pid}/fd/${descriptor}`
    : `${path} was moved, or another file has its name; put it back`;
}
