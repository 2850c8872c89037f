// This process: how many files it may open, how another galaxyd is started, and how it reports that it cannot serve.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Ending, type ErrorKind, failureOf, labelled } from '../commands/exit-codes.js';
import { FileOutput, STANDARD_ERROR } from '../output/lines.js';

/**
 * Program and arguments that start galaxyd. V8 has four threads for garbage collection and compilation by default, on any machine. With
 * 0 it has one for each core but that of the main thread, so that they do not hold up the thread that flushes the log.
 */
export const GALAXYD: readonly string[] = [
  process.execPath,
  '--v8-pool-size=0',
  fileURLToPath(new URL('../main.js', import.meta.url)),
];

/** @returns Infinity if the limit is unknown, as on all systems except Linux. Node has raised the soft limit to the hard one */
export function openFilesMax(): number {
  try {
    const softLimit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return softLimit === undefined ? Number.POSITIVE_INFINITY : Number(softLimit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Prints why this process cannot serve, and sets its exit code.
 *
 * @param doing what it cannot do, such as `serve`
 * @param refusals expected failures that only this subcommand has
 * @throws error if it is a bug
 */
export function reportFailure(
  doing: string,
  error: unknown,
  refusals: readonly (readonly [ErrorKind, Ending])[],
): void {
  const failure = failureOf(error, refusals);
  if (failure === null) throw error;
  const output = new FileOutput(STANDARD_ERROR);
  for (const line of labelled(`galaxyd cannot ${doing}`, failure.lines)) output.write(line);
  process.exitCode = failure.code;
}
