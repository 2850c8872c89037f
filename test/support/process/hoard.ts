// Descriptors that a test takes away from a process, so that it runs out of them.
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

export class Hoard {
  readonly #files: number[] = [];

  /** Opens files until the system allows no more, then closes a number of them again. */
  takeAllBut(freeFiles: number): void {
    try {
      for (;;) this.#files.push(openSync(devNull, 'r'));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EMFILE')) throw error;
    }
    this.#close(freeFiles);
  }

  giveBack(): void {
    this.#close(this.#files.length);
  }

  #close(count: number): void {
    for (const file of this.#files.splice(0, count)) closeSync(file);
  }
}

/** The command prefix that limits the open files of a program. */
export const limitedTo = (fileCount: number): string[] => ['bash', '-c', `ulimit -n ${fileCount}; exec "$0" "$@"`];
