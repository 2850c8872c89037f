// `npm run bench:compare A B`: two revisions side by side.
import { parseCompareArguments } from './arguments.js';
import { runProgram } from './bench-failed.js';
import { type Comparison, comparisonSteps, runComparison } from './comparison/comparison-run.js';
import { closedLoop } from './end-to-end/closed-loop.js';
import { thisMachine } from './reports/machine.js';
import { measureAndKeep } from './reports/measure-and-keep.js';
import { Progress } from './reports/progress.js';
import { commandText } from './reports/result-file.js';

const words = process.argv.slice(2);
const { plan, ...settings } = parseCompareArguments(words);
await runProgram('bench', async () => {
  const loop = closedLoop(settings.loader);
  const progress = new Progress(comparisonSteps(plan));
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
  const kept: Comparison[] = [];
  const measure = async () => {
    try {
      await runComparison({ plan, loop, progress, keep: (comparison) => kept.push(comparison) });
    } finally {
      progress.end();
    }
  };
  const resultSoFar = () => {
    const [comparison] = kept;
    return comparison === undefined ? undefined : { ...head, ...comparison };
  };
  await measureAndKeep(measure, resultSoFar, settings);
});
