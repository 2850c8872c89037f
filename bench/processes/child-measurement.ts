// A measurement in a process of its own: it gets its task as one message, may report how far it is, and answers with one
// result. A fresh process starts from the same heap and unoptimised code each time, and does not share a core with us.
import { type ForkOptions, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BenchFailed } from '../bench-failed.js';
import type { Answer } from './child-program.js';
import { atExit, ended } from './clean-up.js';

interface ChildOptions {
  /** Called with what the measurement reports. */
  readonly onProgress?: (text: string) => void;
  /** Options of Node for the process. */
  readonly execArgv?: readonly string[];
  /** When it aborts, the measurement is asked to finish early; it still answers with its result. */
  readonly finish?: AbortSignal;
}

const PROGRAM = fileURLToPath(new URL('./child-program.js', import.meta.url));

/**
 * Runs the function `measure` of a module, a MeasureFunction.
 *
 * @throws BenchFailed with the function's own message if it throws one, or loses its connection to a server; otherwise Error with its stack
 */
export async function measureInChild<Task extends object, Result>(
  module: URL,
  task: Task,
  { onProgress = () => {}, execArgv = [], finish }: ChildOptions = {},
): Promise<Result> {
  // The benchmark library prints what it likes to standard output.
  const options: ForkOptions = { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [...execArgv] };
  const child = fork(PROGRAM, [module.href], options);
  const forget = atExit(() => child.kill('SIGKILL'));
  child.once('exit', forget);
  const answer = new Promise<Result>((resolve, reject) => {
    child.on('message', (message) => {
      const received = message as Answer<Result>;
      if (received.kind === 'progress') onProgress(received.text);
      else if (received.kind === 'result') resolve(received.result);
      else reject(received.isExpected ? new BenchFailed(received.message) : new Error(received.message));
    });
    child.once('error', reject);
    // Its answer may still be on the way when it has exited, but not when its channel is closed, too.
    child.once('close', (code, signal) => reject(new Error(`${module.pathname} ended with ${signal ?? code}`)));
  });
  child.send(task);
  const askToFinish = () => {
    if (child.connected) child.send('finish');
  };
  finish?.addEventListener('abort', askToFinish, { once: true });
  try {
    return await answer;
  } finally {
    finish?.removeEventListener('abort', askToFinish);
    await ended(child);
  }
}

/** A measurement in a process of its own that lasts for as long as something else is measured beside it. */
export interface Stay<Result> {
  /** Asks the measurement to finish, and resolves to its result. */
  leave(): Promise<Result>;
}

/** Begins the measurement of a module. Settles with its first report, with which it says that it is under way. */
export function startStay<Task extends object, Result>(module: URL, task: Task): Promise<Stay<Result>> {
  const leaving = new AbortController();
  return new Promise((resolve, reject) => {
    const leave = () => {
      leaving.abort();
      return result;
    };
    const options = { onProgress: () => resolve({ leave }), finish: leaving.signal };
    const result = measureInChild<Task, Result>(module, task, options);
    result.catch(reject);
  });
}

/** process.hrtime() counts from one instant for all processes of the machine, performance.now() from the start of each. */
const SHARED_OFFSET_MS = Number(process.hrtime.bigint() / 1_000n) / 1_000 - performance.now();

/** Milliseconds, with fractions; comparable between processes that run now. */
export function sharedNowMs(): number {
  return performance.now() + SHARED_OFFSET_MS;
}
