// What the operator's subcommands share: JSON for programs, a sentence and an exit code for failures, progress, and a
// clean end if they are interrupted.
import { inspect } from 'node:util';
import { Command } from 'commander';
import type { RecoveryProgress } from '../persistence/recovery/recovery.js';
import { EXIT_CODES, failureOf, labelled } from './exit-codes.js';
import { printLines, tellLines } from './line-output.js';
import { RecoveryProgressBar } from './recovery-progress.js';

export interface OperatorOptions {
  readonly data: string;
  readonly json?: true;
}

export interface OperatorDefinition {
  readonly name: string;
  readonly summary: string;
  /** Command lines, as they are typed. */
  readonly examples: readonly string[];
  /** Further paragraphs of the help text. */
  readonly remarks: string;
}

/** A subcommand without arguments. The caller adds options other than --json. */
export function operatorCommand({ name, summary, examples, remarks }: OperatorDefinition): Command {
  const lines = examples.map((example) => `  ${example}`).join('\n');
  return new Command(name)
    .description(summary)
    .allowExcessArguments(false)
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', `\nExamples:\n${lines}\n\n${remarks}`);
}

/** Runs a subcommand to its end: what it throws becomes a sentence on standard error and an exit code. */
export async function runToExitCode(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Interrupted) {
      tellLines([`galaxyd ${name}: ${error.message}`]);
      // The parent process must see that the signal ended it.
      process.kill(process.pid, error.signal);
      return;
    }
    const failure = failureOf(error);
    if (failure === null) {
      // A bug: its stack trace, which may repeat what was read, on lines of its own.
      tellLines(inspect(error).split('\n'));
      process.exit(EXIT_CODES.failed.code);
    }
    tellLines(labelled(`galaxyd ${name}`, failure.lines));
    process.exitCode = failure.code;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

class Interrupted extends Error {
  constructor(
    readonly signal: NodeJS.Signals,
    sentence = 'it was interrupted and leaves nothing behind',
  ) {
    super(sentence);
  }
}

/**
 * Runs something that a signal ends. A second signal ends the process at once.
 *
 * @param left what the interruption leaves behind, as a sentence for the operator
 */
export async function withSignals<T>(left: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = (signal: NodeJS.Signals): void => {
    interruption.abort(new Interrupted(signal, left));
    for (const each of SIGNALS) process.removeListener(each, interrupt);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await run(interruption.signal);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  }
}

/**
 * Shows progress during a long operation. A signal ends the operation at its next step, so that it can clean up; a
 * second signal ends the process at once.
 */
export async function withProgress<T>(run: (onProgress: RecoveryProgress) => Promise<T>): Promise<T> {
  const bar = new RecoveryProgressBar();
  let interruption: Interrupted | undefined;
  const interrupt = (signal: NodeJS.Signals): void => {
    interruption = new Interrupted(signal);
    for (const each of SIGNALS) process.removeListener(each, interrupt);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await run((...progress) => {
      if (interruption !== undefined) throw interruption;
      bar.show(...progress);
    });
  } catch (error) {
    // The code in between may have wrapped the interruption in an error of its own.
    throw interruption ?? error;
  } finally {
    bar.end();
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  }
}

/** Prints a result: JSON for programs, else lines for people. */
export function printResult(options: { readonly json?: true }, result: unknown, lines: () => readonly string[]): void {
  printLines(options.json ? [JSON.stringify(result)] : lines());
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

/** Formats a number of bytes with a suitable unit. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length);
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}
