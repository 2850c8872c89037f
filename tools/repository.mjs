// Where the repository is, and the two ways in which its tools report: one line on standard error, or a failed step. It
// never writes to standard output, which belongs to the program that runs afterwards.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The absolute path of the repository's root. */
export const repository = fileURLToPath(new URL('..', import.meta.url));

/** @param {...string} path parts relative to the repository's root */
export const inRepository = (...path) => join(repository, ...path);

/** @param {string} line */
export const say = (line) => void process.stderr.write(`galaxyd: ${line}\n`);

/** An expected failure: reported in one line without a stack trace, with the exit code of the step that failed. */
export class StepFailed extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
