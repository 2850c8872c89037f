// How the process ends when it must not go on: told on standard error, then killed before anything else runs.
import { writeSync } from 'node:fs';
import { LAST_WORDS_BYTES_MAX } from './limits.js';

/** Called once, with what makes it impossible to go on. */
export type FatalHandler = (error: Error) => void;

/**
 * The default. Memory is ahead of the log, or broken; no reply may leave any more. SIGKILL, since with writes queued
 * LMDB turns a thrown exception or process.exit() into a hang, and a hung server is never restarted.
 */
export function killProcess(error: Error): void {
  try {
    const lastWords = Buffer.from(`galaxyd stops: ${error.stack ?? error.message}`).subarray(
      0,
      LAST_WORDS_BYTES_MAX - 1,
    );
    // Asking for process.stderr makes a pipe or socket there non-blocking: one that is full throws instead of waiting for
    // its reader, who may have stalled.
    writeSync(process.stderr.fd, `${lastWords}\n`);
  } finally {
    // Also where nobody reads standard error any more, which throws too; this call does not return.
    process.kill(process.pid, 'SIGKILL');
  }
}

/**
 * Ends the process in the same way on an exception that nobody catches, a rejected promise included. Node's own way is
 * process.exit(). Called once, by the program that serves a world.
 */
export function killOnUncaughtException(): void {
  process.on('uncaughtException', (thrown) => killProcess(asError(thrown)));
}

/** Whatever was thrown, as an Error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
