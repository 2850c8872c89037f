// Exact points at which a galaxyd can be made to die; a file passes them to dying.ts.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Prefix of the names of bots whose creation kills the process. */
export const DOOMED = 'doomed';

/** How many are created at once: the first is a batch of its own, the others are one batch. */
export const DOOMED_COUNT = 5;

export type PointOfDeath =
  | { readonly at: 'inside apply' }
  | { readonly at: 'before the write' }
  /** `lateMs` after the write was handed over; the writing thread works meanwhile. */
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

  /** Processes that are started from now on die there, once. */
  async comesAt(point: PointOfDeath): Promise<void> {
    await rm(this.#mark, { force: true });
    await writeFile(this.#point, JSON.stringify(point));
  }
}
