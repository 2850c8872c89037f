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
 * @param finish when it aborts, the program is asked to finish early; it still answers with its result
 * @throws Error with the program's own message where it fails
 */
export async function measureInChild<Task extends object, Result>(
  program: URL,
  task: Task,
  onProgress: (text: string) => void = () => {},
  execArgv: readonly string[] = [],
  finish?: AbortSignal,
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
  const askToFinish = () => {
    if (child.connected) child.send(FINISH);
  };
  if (finish?.aborted) askToFinish();
  finish?.addEventListener('abort', askToFinish, { once: true });
  try {
    return await answer;
  } finally {
    finish?.removeEventListener('abort', askToFinish);
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

/** The second message to a child: no more than asks it to finish early. */
const FINISH = 'finish';

/**
 * In the child: waits for the task, does it, and answers.
 *
 * @param work its signal aborts when whoever asked wants the result early
 */
export async function answerTask<Task extends object, Result>(
  work: (task: Task, tell: (text: string) => void, finish: AbortSignal) => Promise<Result>,
): Promise<void> {
  // Ends with whoever asked.
  process.once('disconnect', () => process.exit());
  const [task] = (await once(process, 'message')) as [Task];
  const finish = new AbortController();
  process.once('message', () => finish.abort());
  try {
    const result = await work(task, (text) => answer({ kind: 'progress', text }), finish.signal);
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
