// How many files this process may have open.
import { readFileSync } from 'node:fs';

/** Infinity if the limit is unknown, as on any system but Linux. Node has raised the soft limit to the hard one. */
export function openFilesMax(): number {
  try {
    const softLimit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return softLimit === undefined ? Number.POSITIVE_INFINITY : Number(softLimit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
