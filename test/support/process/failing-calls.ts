// Makes system calls of a running process fail, by strace: as a disk would that fails between two calls.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Test } from 'tap';
import { runGalaxyd } from './galaxyd-process.js';

export interface CallFailure {
  /** Name of the system call, or several with commas. */
  readonly call: string;
  /** The first of them that fails, counted for each thread from 1; all later ones fail as well. */
  readonly nth: number;
  /** Name of the error, such as EIO. */
  readonly error: string;
}

/** Skips the test with the reason if strace cannot be attached to a process here. */
export async function canFailCalls(t: Test): Promise<boolean> {
  const probe = await runGalaxyd(t, { args: ['--version'], by: ['strace', '-f', '-o', '/dev/null'] }).catch(
    (error: unknown) => ({ code: null, stderr: String(error) }),
  );
  if (probe.code === 0) return true;
  t.pass('not tested', { skip: `strace cannot make system calls fail here: ${probe.stderr}` });
  return false;
}

/** The failing calls of a process. It ends with the process. */
export class FailingCalls {
  readonly #tracePath: string;
  readonly #ended: Promise<unknown>;

  private constructor(tracePath: string, ended: Promise<unknown>) {
    this.#tracePath = tracePath;
    this.#ended = ended;
  }

  /**
   * Attaches to all threads of a process, and to its later children.
   *
   * @param tracePath a file for the trace
   */
  static async begin(
    t: Test,
    pid: number | undefined,
    { call, nth, error }: CallFailure,
    tracePath: string,
  ): Promise<FailingCalls> {
    const inject = `inject=${call}:error=${error}:when=${nth}+`;
    const child = spawn('strace', ['-f', '-e', `trace=${call}`, '-e', inject, '-o', tracePath, '-p', String(pid)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'close');
    t.teardown(() => child.kill('SIGKILL'));
    let said = '';
    for await (const text of child.stderr.setEncoding('utf8')) {
      said += text;
      if (/ attached\b.*\n/.test(said)) return new FailingCalls(tracePath, ended);
    }
    throw new Error(`strace ended: ${said}`);
  }

  /** The calls that failed on purpose. Call it after the process has ended. */
  async injected(): Promise<string[]> {
    await this.#ended;
    return (await readFile(this.#tracePath, 'utf8')).split('\n').filter((line) => line.includes('(INJECTED)'));
  }
}
