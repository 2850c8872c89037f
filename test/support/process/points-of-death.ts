// Where a galaxyd can be made to die: exact points of its work, told to dying.ts by way of the environment.
import { join } from 'node:path';

/** What the names of bots begin with whose creation the process does not survive. */
export const DOOMED = 'doomed';

/** How many are created at once: the first stands in a batch of its own, the others in one together. */
export const DOOMED_COUNT = 5;

export type PointOfDeath =
  | { readonly at: 'inside apply' }
  | { readonly at: 'before the write' }
  /** So long after the write was handed over; the thread that writes works meanwhile. */
  | { readonly at: 'during the flush'; readonly lateMs: number }
  | { readonly at: 'after the flush' }
  /** Counted from 1, in the server from the cut of the log on, in the snapshot process from its beginning. */
  | { readonly at: 'file operation'; readonly of: 'server' | 'snapshot process'; readonly number: number };

const PROGRAM = new URL('./dying.js', import.meta.url);

/**
 * Prefix of a command that starts a galaxyd which dies there, once.
 *
 * @param scratch an empty folder of the test
 */
export function dyingAt(point: PointOfDeath, scratch: string): string[] {
  const variables = { NODE_OPTIONS: `--import=${PROGRAM}`, DIE_AT: JSON.stringify(point), DIE_MARK: markIn(scratch) };
  return ['env', ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)];
}

/** The file that is there once it has died. */
export function markIn(scratch: string): string {
  return join(scratch, 'dead');
}
