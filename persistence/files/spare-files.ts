// Holds file descriptors in reserve, so that a step that must not fail can open its files even if the process has run
// out of descriptors.
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

export class SpareFiles {
  readonly #files: number[] = [];

  private constructor() {}

  /** @throws Error of the operating system if it refuses one of them; none is held then */
  static hold(count: number): SpareFiles {
    const spare = new SpareFiles();
    try {
      for (let held = 0; held < count; held += 1) spare.#files.push(openSync(devNull, 'r'));
    } catch (error) {
      spare.give();
      throw error;
    }
    return spare;
  }

  /**
   * Closes some of them. The caller must open its files in the same turn of the event loop: later, a new connection may
   * have taken the descriptors.
   *
   * @param count defaults to all of them
   */
  give(count: number = this.#files.length): void {
    for (const file of this.#files.splice(0, count)) closeSync(file);
  }
}
