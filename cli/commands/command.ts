// What subcommands share: --json and help texts, a sentence and an exit code for each failure, progress, and an orderly end if a
// signal interrupts them.
import { inspect } from 'node:util';
import { Command } from 'commander';
import type { RecoveryProgress } from '../../persistence/recovery/recovery.js';
import { printLines, tellLines } from '../output/lines.js';
import { RecoveryProgressBar } from '../output/progress.js';
import { EXIT_CODES, failureOf, labelled } from './exit-codes.js';

/** The flags of a subcommand that reads or changes one world. */
export interface OperatorOptions {
  readonly data: string;
  readonly json?: true;
}

interface OperatorDefinition {
  readonly name: string;
  readonly summary: string;
  /** Command lines, as an operator types them. */
  readonly examples: readonly string[];
  /** Further paragraphs of the help text. */
  readonly remarks: string;
}

/** Makes a subcommand with --json and without arguments. The caller adds its other options. */
export function operatorCommand({ name, summary, examples, remarks }: OperatorDefinition): Command {
  const lines = examples.map((example) => `  ${example}`).join('\n');
  return new Command(name)
    .description(summary)
    .allowExcessArguments(false)
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', `\nExamples:\n${lines}\n\n${remarks}`);
}

/**
 * Runs a subcommand, or a part of it, to its end. An expected failure becomes a sentence on standard error and an exit code.
 *
 * @returns its result; undefined if it failed
 */
export async function runToExitCode<Result>(name: string, run: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Interrupted) {
      tellLines([`galaxyd ${name}: ${error.message}`]);
      // The parent process must see that the signal ended this one.
      process.kill(process.pid, error.signal);
      return undefined;
    }
    const failure = failureOf(error);
    if (failure === null) {
      // A bug. Its stack trace may quote what was read, so each line is made printable.
      tellLines(inspect(error).split('\n'));
      process.exit(EXIT_CODES.failed.code);
    }
    tellLines(labelled(`galaxyd ${name}`, failure.lines));
    process.exitCode = failure.code;
    return undefined;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What an interruption leaves behind, unless a subcommand says something else. */
const LEAVES_NOTHING = 'it was interrupted and leaves nothing behind';

class Interrupted extends Error {
  constructor(
    readonly signal: NodeJS.Signals,
    sentence: string,
  ) {
    super(sentence);
  }
}

/**
 * Runs an operation with an AbortSignal that the first signal to this process aborts. A second one ends the process at once.
 *
 * @param left what the interruption leaves behind, as a sentence for the operator
 */
export async function withSignals<T>(run: (signal: AbortSignal) => Promise<T>, left = LEAVES_NOTHING): Promise<T> {
  const interruption = new AbortController();
  const stopListening = (): void => {
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  };
  const interrupt = (signal: NodeJS.Signals): void => {
    stopListening();
    interruption.abort(new Interrupted(signal, left));
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await run(interruption.signal);
  } finally {
    stopListening();
  }
}

/** Shows the progress of a long operation. A signal ends the operation at its next step, so that it can clean up. */
export async function withProgress<T>(run: (onProgress: RecoveryProgress) => Promise<T>): Promise<T> {
  const bar = new RecoveryProgressBar();
  return await withSignals(async (signal) => {
    try {
      return await run((...progress) => {
        signal.throwIfAborted();
        bar.showStep(...progress);
      });
    } catch (error) {
      // The operation may have wrapped the interruption in an error of its own.
      throw signal.aborted ? signal.reason : error;
    } finally {
      bar.end();
    }
  });
}

/** Prints a result: JSON for programs, else lines for people. */
export function printResult(options: { readonly json?: true }, result: unknown, lines: () => readonly string[]): void {
  printLines(options.json ? [JSON.stringify(result)] : lines());
}
