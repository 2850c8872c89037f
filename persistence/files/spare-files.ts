// Holds file descriptors in reserve, so that a step that must not fail can open its files when the process has run out.
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

export class SpareFiles {
  readonly #files: number[] = [];

  private constructor() {}

  /** @throws Error of the operating system if it refuses one of them; then none is held */
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
   * Closes some of them. The caller opens as many files before this turn of the event loop ends: later, a new connection may
   * have taken their place.
   *
   * @param count defaults to all of them
   */
  give(count: number = this.#files.length): void {
    for (const file of this.#files.splice(0, count)) closeSync(file);
  }
}
