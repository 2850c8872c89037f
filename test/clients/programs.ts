// Other programs that the tests of the clients run: whether this machine has them, and what they print.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Test } from 'tap';
import { root } from '../tidy/repository.js';

/** A hang becomes a failure after this. */
const DEADLINE_MS = 600_000;
/** The folder of the Python client. */
export const PYTHON_PACKAGE = join(root, 'clients/python');
/** Lets a program find the Python client, and leaves no files in its folder. */
export const PYTHON_ENVIRONMENT = { PYTHONPATH: join(PYTHON_PACKAGE, 'src'), PYTHONDONTWRITEBYTECODE: '1' };
/** What Debian 12 has. */
const PYTHON_CODE = 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else 1)';

/**
 * Finds a program, or skips the test and says why.
 *
 * @param needed `python3`, `curl` and so on
 * @returns whether all of them are there
 */
export function hasPrograms(t: Test, ...needed: string[]): boolean {
  const missing = needed.filter((program) =>
    program === 'python3' ? !succeeds('python3', '-c', PYTHON_CODE) : !succeeds(program, '--version'),
  );
  if (missing.length === 0) return true;
  const reason = missing.map((program) => (program === 'python3' ? 'python3 from 3.11 on' : program)).join(' and ');
  t.pass('not tested', { skip: `this machine has no ${reason}` });
  return false;
}

/** Whether a command ends with 0. */
export function succeeds(program: string, ...programArguments: string[]): boolean {
  return spawnSync(program, programArguments, { stdio: 'ignore', timeout: DEADLINE_MS }).status === 0;
}

/**
 * Runs a program to its end, without blocking this process, which may be serving it.
 *
 * @param environment added to that of the test
 * @throws Error with its output, if it does not end with 0
 */
export function run(
  program: string,
  programArguments: readonly string[],
  { cwd, environment = {} }: { readonly cwd?: string; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, programArguments, {
      ...(cwd === undefined ? {} : { cwd }),
      // NODE_OPTIONS would load the loader of the test runner into a program in Node.
      env: { ...process.env, NODE_OPTIONS: '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: DEADLINE_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ${programArguments.join(' ')} ended with ${code ?? signal}:\n${output}`));
    });
  });
}
