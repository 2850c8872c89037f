// How the process ends when it must not go on: told on standard error, then killed before anything else runs.
import { writeSync } from 'node:fs';

/** Called once, with what makes it impossible to go on. */
export type FatalHandler = (error: Error) => void;

/**
 * The default. Memory is ahead of the log, or broken; no reply may leave any more. SIGKILL, since with writes queued
 * LMDB turns a thrown exception or process.exit() into a hang, and a hung server is never restarted.
 */
export function killProcess(error: Error): void {
  try {
    writeSync(2, `galaxyd stops: ${error.stack ?? error.message}\n`);
  } finally {
    // Also where nobody reads standard error any more: then the write throws, and this call does not return.
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
