// A measurement in a process of its own: it gets its task as one message, may tell how far it is, and answers with one
// result. A fresh process starts from the same heap and unoptimised code each time, and does not share a core with us.
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { STOP_DEADLINE_MS } from '../limits.js';
import { atExit } from './at-exit.js';

type Answer<Result> =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'failure'; readonly message: string };

/**
 * Runs a program that calls answerTask().
 *
 * @param onProgress told what the program tells
 * @param execArgv options of Node for it
 * @throws Error with the program's own message where it fails
 */
export async function measureInChild<Task extends object, Result>(
  program: URL,
  task: Task,
  onProgress: (text: string) => void = () => {},
  execArgv: readonly string[] = [],
): Promise<Result> {
  // Standard output is not ours: the benchmark library prints there as it likes.
  const options: ForkOptions = { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [...execArgv] };
  const child = fork(fileURLToPath(program), [], options);
  const forget = atExit(() => child.kill('SIGKILL'));
  child.once('exit', forget);
  const answer = new Promise<Result>((resolve, reject) => {
    child.on('message', (message) => {
      const told = message as Answer<Result>;
      if (told.kind === 'progress') onProgress(told.text);
      else if (told.kind === 'result') resolve(told.result);
      else reject(new Error(told.message));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`${program.pathname} ended with ${signal ?? code}`)));
  });
  child.send(task);
  try {
    return await answer;
  } finally {
    await ended(child);
  }
}

/** Waits until it has cleaned up after itself. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
  await exit;
  clearTimeout(deadline);
}

/** In the child: waits for the task, does it, and answers. */
export async function answerTask<Task extends object, Result>(
  work: (task: Task, tell: (text: string) => void) => Promise<Result>,
): Promise<void> {
  // Ends with whoever asked.
  process.once('disconnect', () => process.exit());
  const [task] = (await once(process, 'message')) as [Task];
  try {
    const result = await work(task, (text) => answer({ kind: 'progress', text }));
    await answer({ kind: 'result', result });
  } catch (error) {
    await answer({ kind: 'failure', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  process.disconnect();
}

function answer(message: Answer<unknown>): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) throw new Error('this program is started by the bench, with a channel to it');
    process.send(message, () => resolve());
  });
}
