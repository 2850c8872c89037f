// Where a galaxyd can be made to die: exact points of its work, told to dying.ts in a file that it is pointed to.
import { rm, writeFile } from 'node:fs/promises';
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

/** The point of death of the processes that are started with it, for one death. */
export class Death {
  /** Prefix of a command that starts a galaxyd which dies there. Its child processes have it too. */
  readonly by: readonly string[];
  readonly #point: string;
  readonly #mark: string;

  /** @param folder of the test's own, with nothing else in it */
  constructor(folder: string) {
    this.#point = join(folder, 'point');
    this.#mark = join(folder, 'mark');
    const variables = { NODE_OPTIONS: `--import=${PROGRAM}`, DIE_AT: this.#point, DIE_MARK: this.#mark };
    this.by = ['env', ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)];
  }

  /** What is started from now on dies there, once. */
  async comesAt(point: PointOfDeath): Promise<void> {
    await rm(this.#mark, { force: true });
    await writeFile(this.#point, JSON.stringify(point));
  }
}
