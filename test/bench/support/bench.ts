// Runs the bench in this process, as `npm run bench -- WORDS` does, without a word.
import type { Command } from 'commander';
import { type ClosedLoop, closedLoop } from '../../../bench/loads/closed-loop.js';
import { type MeasuringPlan, measureParts, parseCommandLine, stepsOf } from '../../../bench/runner/command-line.js';
import { Progress } from '../../../bench/runner/progress.js';
import { Run } from '../../../bench/runner/run.js';
import type { Row } from '../../../bench/runner/table.js';
import { SCENARIOS, WHOLE } from '../../../bench/scenarios/scenarios.js';

/** Throws instead of ending the process, and prints nothing. */
const quiet = (command: Command): void => {
  command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
};

export function parse(words: readonly string[]) {
  return parseCommandLine(words, SCENARIOS, WHOLE, quiet);
}

export function measuring(...words: string[]): MeasuringPlan {
  const plan = parse(words);
  if (plan.kind !== 'measure') throw new Error('it was to measure');
  return plan;
}

/** What a run left. */
export interface Ran {
  readonly faults: readonly string[];
  /** Lines of the progress. */
  readonly lines: readonly string[];
  /** Rows of the table of a name; none if there is no such table. */
  rows(table: string): readonly Row[];
  readonly notes: readonly string[];
}

/** @param loop stands for wrk */
export async function bench(words: readonly string[], loop?: ClosedLoop): Promise<Ran> {
  const { parts, loader } = measuring(...words);
  const lines: string[] = [];
  const stream = { isTTY: false, write: (text: string | Uint8Array) => lines.push(String(text)) > 0 };
  const run = new Run(loop ?? closedLoop(loader), new Progress(stepsOf(parts), stream));
  await measureParts(parts, run);
  const { tables } = run;
  return {
    faults: tables.flatMap((table) => table.faults),
    notes: tables.flatMap((table) => table.notes),
    lines,
    rows: (name) => tables.find((table) => table.name === name)?.rows ?? [],
  };
}
