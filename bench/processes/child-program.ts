// The program of a child process that measures: `child-program.js MODULE`. It calls the module's function `measure` with the task
// that arrives as the first message, and sends the result back.
import { once } from 'node:events';
import { BenchFailed } from '../bench-failed.js';

/**
 * What a module with a measurement exports as `measure`.
 *
 * @param report reports how far it is
 * @param finish aborts if the result is wanted early
 */
export type MeasureFunction<Task, Result> = (
  task: Task,
  report: (text: string) => void,
  finish: AbortSignal,
) => Promise<Result>;

export type Answer<Result> =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'result'; readonly result: Result }
  /** An expected one is a sentence, any other a stack. */
  | { readonly kind: 'failure'; readonly isExpected: boolean; readonly message: string };

// Ends with the process that started it, which may have ended while this module was loaded.
process.once('disconnect', () => process.exit());
if (!process.connected) process.exit();
// What a socket delivers is examined outside of any promise.
process.once('uncaughtException', (error) => void fail(error).then(() => process.exit(1)));
const finish = new AbortController();
try {
  const arrival = once(process, 'message') as Promise<[unknown]>;
  const { measure } = (await import(process.argv[2] ?? '')) as { measure: MeasureFunction<unknown, unknown> };
  const [task] = await arrival;
  process.once('message', () => finish.abort());
  const result = await measure(task, (text) => void send({ kind: 'progress', text }), finish.signal);
  await send({ kind: 'result', result });
} catch (error) {
  await fail(error);
}
process.disconnect();

function fail(error: unknown): Promise<void> {
  const isExpected = error instanceof BenchFailed || isConnectionError(error);
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  return send({ kind: 'failure', isExpected, message: isExpected ? message : (stack ?? message) });
}

/** Whether a server does not listen, or has closed a connection. */
function isConnectionError(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'EPIPE';
}

function send(message: Answer<unknown>): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) throw new Error('this program is started by the bench, with a channel to it');
    process.send(message, () => resolve());
  });
}
