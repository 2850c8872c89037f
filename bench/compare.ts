// `npm run bench:compare A B`: two revisions side by side.
import { parseCompareArguments } from './arguments.js';
import { runProgram } from './bench-failed.js';
import { comparisonSteps, runComparison } from './comparison/comparison-run.js';
import { closedLoop } from './end-to-end/closed-loop.js';
import { thisMachine } from './reports/machine.js';
import { Progress } from './reports/progress.js';
import { commandText, printAndKeep } from './reports/result-file.js';

const words = process.argv.slice(2);
const { plan, ...settings } = parseCompareArguments(words);
await runProgram(async () => {
  const loop = closedLoop(settings.loader);
  const progress = new Progress(comparisonSteps(plan));
  const comparison = await runComparison({ plan, loop, progress });
  progress.end();
  const head = {
    format: 1,
    kind: 'comparison',
    measuredAt: new Date().toISOString(),
    command: commandText('bench:compare', words),
    machine: thisMachine(),
    loader: loop.loader,
    durability: plan.durability,
    rounds: plan.rounds,
  } as const;
  printAndKeep({ ...head, ...comparison }, settings);
});
