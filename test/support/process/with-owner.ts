// What a program of the repository begins, ends with it, as what a test begins ends with the test.
import type { Owner } from './galaxyd-process.js';

/** Undoes in reverse order what the work begins, whatever happens. */
export async function withOwner<T>(work: (owner: Owner) => Promise<T>): Promise<T> {
  const undo: (() => unknown)[] = [];
  try {
    return await work({ teardown: (step) => undo.push(step as () => unknown) });
  } finally {
    for (const step of undo.reverse()) await step();
  }
}
