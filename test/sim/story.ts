// What happened in a run, line by line: always hashed, so that two runs can be compared, and kept if it will be read.
import { createHash } from 'node:crypto';

export class Story {
  readonly #hash = createHash('sha256');
  readonly #lines: string[] = [];
  readonly #isKept: boolean;

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  tell(line: string): void {
    this.#hash.update(line).update('\n');
    if (this.#isKept) this.#lines.push(line);
  }

  /** Empty if nothing is kept. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** 16 hexadecimal digits that two runs share only if their stories are the same. */
  hash(): string {
    return this.#hash.copy().digest('hex').slice(0, 16);
  }
}
