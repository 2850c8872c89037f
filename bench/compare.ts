// `npm run bench:compare A B`: two revisions side by side.
import { runProgram } from './bench-failed.js';
import { parseCompareArguments } from './compare-arguments.js';
import { comparisonSteps, runComparison } from './comparison/comparison-run.js';
import { closedLoop } from './end-to-end/closed-loop.js';
import { exitOnSignals } from './processes/at-exit.js';
import { thisMachine } from './reports/machine.js';
import { Progress } from './reports/progress.js';
import { type ComparisonResult, commandText, LOCAL_FOLDER, RESULT_FOLDER, saveResult } from './reports/result-file.js';
import { resultTables } from './reports/tables.js';

exitOnSignals();
const words = process.argv.slice(2);
const { plan, loader, isJson, isChosen } = parseCompareArguments(words);
await runProgram(async () => {
  const loop = closedLoop(loader);
  const progress = new Progress(comparisonSteps(plan));
  const comparison = await runComparison(plan, loop, progress);
  progress.end();
  const result: ComparisonResult = {
    format: 1,
    kind: 'comparison',
    measuredAt: new Date().toISOString(),
    command: commandText('bench:compare', words),
    machine: thisMachine(),
    loader: loop.loader,
    durability: plan.durability,
    rounds: plan.rounds,
    ...comparison,
  };
  const path = saveResult(result, isChosen ? RESULT_FOLDER : LOCAL_FOLDER);
  console.log(isJson ? JSON.stringify(result) : resultTables(result));
  console.error(`bench: kept in ${path}`);
});
