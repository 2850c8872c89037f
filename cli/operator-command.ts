// What the operator's subcommands share: JSON for programs, a sentence and an exit code for failures, progress, and an end
// without leftovers where they are interrupted.
import { Command } from 'commander';
import type { RecoveryProgress } from '../persistence/recovery/recovery.js';
import { failureOf } from './exit-codes.js';
import { RecoveryProgressBar } from './recovery-progress.js';

export interface OperatorOptions {
  readonly data: string;
  readonly json?: true;
}

export interface OperatorDefinition {
  readonly name: string;
  readonly summary: string;
  /** Command lines, as they would be typed. */
  readonly examples: readonly string[];
  /** What more is to be said. */
  readonly remarks: string;
}

/** A subcommand without arguments; options beside --json are the caller's to add. */
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
      console.error(`galaxyd ${name}: ${error.message}`);
      // Whoever waits for it is to see that it was ended by the signal.
      process.kill(process.pid, error.signal);
      return;
    }
    const failure = failureOf(error);
    if (failure === null) throw error;
    console.error(`galaxyd ${name}: ${failure.sentence}`);
    process.exitCode = failure.code;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

class Interrupted extends Error {
  constructor(readonly signal: NodeJS.Signals) {
    super('it was interrupted, and leaves nothing behind');
  }
}

/**
 * Shows progress while something long runs. A signal ends it at its next step, so that it can clear away what it has
 * begun; a second one ends the process at once.
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
    // Whoever was on the way took it for a failure of its own.
    throw interruption ?? error;
  } finally {
    bar.end();
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  }
}

/** Prints a result: JSON for programs, else sentences. */
export function tell(options: { readonly json?: true }, result: unknown, sentences: () => string): void {
  console.log(options.json ? JSON.stringify(result) : sentences());
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

/** A number of bytes in the unit that suits it. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length);
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}
