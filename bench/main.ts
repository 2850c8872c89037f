// The bench: measures what the command line asks for and prints it as tables or JSON. It does not judge how fast anything is;
// it fails if a server answered what it should not.
import { BenchFailed, runProgram } from './bench-failed.js';
import { closedLoop } from './loads/closed-loop.js';
import { type MeasuringPlan, measureParts, parseCommandLine, stepsOf } from './runner/command-line.js';
import { Progress } from './runner/progress.js';
import * as results from './runner/results.js';
import { Run } from './runner/run.js';
import { SCENARIOS, WHOLE } from './scenarios/scenarios.js';

const words = process.argv.slice(2);
const plan = parseCommandLine(words, SCENARIOS, WHOLE);
await runProgram('bench', async () => {
  if (plan.kind === 'report') report(plan.files);
  else await measure(plan);
});

function report(files: readonly string[]): void {
  const chosen = files.length > 0 ? files.map(results.readResult) : results.chosenResults();
  if (chosen.length === 0) throw new BenchFailed('there is no result yet: run `npm run bench -- --choose` first');
  results.writePerformanceDocument(chosen);
  console.log('wrote docs/performance.md');
}

/** Whatever happens, what was measured before is printed and kept. It is chosen only if it is whole and without a fault. */
async function measure({ parts, loader, durability, isJson, isChosen }: MeasuringPlan): Promise<void> {
  const machine = results.thisMachine();
  if (machine.fileSystem === 'tmpfs')
    console.error(
      'bench: the temporary folder is in memory, so durable writes cost nothing; set TMPDIR to another one',
    );
  const loop = closedLoop(loader);
  const run = new Run(loop, new Progress(stepsOf(parts)));
  const measuredAt = new Date().toISOString();
  let failure: unknown;
  try {
    await measureParts(parts, run);
  } catch (error) {
    failure = error;
  }
  run.end();
  const faults = run.tables.flatMap((table) => table.faults);
  if (failure === undefined || run.tables.some(({ rows }) => rows.length > 0)) {
    const { tables } = run;
    const head = { format: 2, measuredAt, command: results.commandText(words), machine, durability } as const;
    const ending = failure instanceof Error ? { failure: failure.message } : {};
    const result = { ...head, revision: results.revisionOf(results.ROOT), loader: loop.loader, ...ending, tables };
    results.printAndKeep(result, { isJson, isChosen: isChosen && failure === undefined && faults.length === 0 });
  }
  if (failure !== undefined) throw failure;
  const [first, ...others] = faults;
  if (first === undefined) return;
  throw new BenchFailed(others.length === 0 ? first : `${first} (${others.length} more in the result)`);
}
