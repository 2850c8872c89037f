// What all tools share: the paths of the repository, reports on standard error, and running other programs. Nothing here writes to
// standard output, which belongs to the program that runs afterwards.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
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

/** Signals that end this process. They are forwarded, so that no child is left behind. */
const forwardedSignals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a JavaScript program with this Node as a child process in our terminal. Standard input is closed.
 * @param {string} program path, relative to the repository or absolute
 * @param {string[]} programArguments
 * @param {'own' | 'standard error'} [output] where the child's standard output goes
 * @returns {Promise<number>} its exit code; 128 + n if signal n ended it, as in a shell
 */
export function runToEnd(program, programArguments, output = 'own') {
  return runCommandToEnd(process.execPath, [program, ...programArguments], output);
}

/**
 * Runs any command, looked up in PATH.
 * @param {string} command
 * @param {string[]} commandArguments
 * @param {'own' | 'standard error'} [output]
 * @returns {Promise<number>}
 */
export function runCommandToEnd(command, commandArguments, output = 'own') {
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArguments, {
      cwd: repository,
      stdio: ['ignore', output === 'own' ? 'inherit' : process.stderr, 'inherit'],
    });
    const forward = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
    for (const signal of forwardedSignals) process.on(signal, forward);
    const settle = () => {
      for (const signal of forwardedSignals) process.off(signal, forward);
    };
    child.once('error', (error) => {
      settle();
      reject(new StepFailed(`cannot run ${command}: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      settle();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
