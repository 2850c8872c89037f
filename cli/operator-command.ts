// What the operator's subcommands share: where the world is, JSON for programs, a sentence and an exit code for failures.
import { Command } from 'commander';
import { exitCodeOf } from './exit-codes.js';
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
    const code = exitCodeOf(error);
    if (code === null || !(error instanceof Error)) throw error;
    console.error(`galaxyd ${name}: ${error.message}`);
    process.exitCode = code;
  }
}

/** Shows progress while something long runs. */
export async function withProgress<T>(run: (bar: RecoveryProgressBar) => Promise<T>): Promise<T> {
  const bar = new RecoveryProgressBar();
  try {
    return await run(bar);
  } finally {
    bar.end();
  }
}

/** Prints a result: JSON for programs, else sentences. */
export function tell(options: { readonly json?: true }, result: unknown, sentences: () => string): void {
  console.log(options.json ? JSON.stringify(result) : sentences());
}

export function mebibytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;
}
