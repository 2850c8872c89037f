// Fail-stop: reports the error on standard error, then kills the process before anything else runs.
import { writeSync } from 'node:fs';
import { shownText } from '../text/foreign-text.js';
import { LAST_WORDS_BYTES_MAX } from './limits.js';

/** Called once, with the error that makes it impossible to continue. */
export type FatalHandler = (error: Error) => void;

/**
 * The default handler. Memory is ahead of the log or corrupt, so no further reply may be sent. It uses SIGKILL because
 * with queued writes LMDB turns a thrown exception or process.exit() into a hang, and a hung server is never restarted.
 */
export function killProcess(error: Error): void {
  try {
    const stack = (error.stack ?? error.message).split('\n').map(shownText).join('\n');
    const lastWords = Buffer.from(`galaxyd stops: ${stack}`).subarray(0, LAST_WORDS_BYTES_MAX - 1);
    // Accessing process.stderr makes a pipe or socket there non-blocking: if it is full, the write throws instead of
    // waiting for a reader that may have stalled.
    writeSync(process.stderr.fd, `${lastWords}\n`);
  } finally {
    // Also if standard error has no reader any more, which makes the write throw. This call does not return.
    process.kill(process.pid, 'SIGKILL');
  }
}

/**
 * Ends the process in the same way on an uncaught exception or an unhandled rejection, where Node would call
 * process.exit(). Called once, by the program that serves a world.
 */
export function killOnUncaughtException(): void {
  process.on('uncaughtException', (thrown) => killProcess(asError(thrown)));
}

/** Returns what was thrown as an Error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
