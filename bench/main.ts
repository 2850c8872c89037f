// The bench: measures what the command line asks for and prints it as tables or JSON. It does not judge how fast anything is;
// it fails if a server answered what it should not.
import { type MeasuringPlan, parseArguments } from './arguments.js';
import { BenchFailed, runProgram } from './bench-failed.js';
import { closedLoop } from './end-to-end/closed-loop.js';
import { KeptParts } from './reports/kept-parts.js';
import { isInMemory, ROOT, revisionOf, thisMachine } from './reports/machine.js';
import { measureAndKeep } from './reports/measure-and-keep.js';
import { writePerformanceDocument } from './reports/performance-document.js';
import { Progress } from './reports/progress.js';
import { chosenResults, commandText, readResult } from './reports/result-file.js';
import { measureParts, stepsOf } from './suite.js';

const words = process.argv.slice(2);
const plan = parseArguments(words);
await runProgram('bench', async () => {
  if (plan.kind === 'report') report(plan.files);
  else await measure(plan);
});

function report(files: readonly string[]): void {
  const results = files.length > 0 ? files.map(readResult) : chosenResults();
  if (results.length === 0) throw new BenchFailed('there is no result yet: run `npm run bench -- --choose` first');
  for (const path of writePerformanceDocument(results)) console.log(`wrote ${path}`);
}

async function measure(wanted: MeasuringPlan): Promise<void> {
  const machine = thisMachine();
  if (isInMemory(machine)) {
    console.error(
      'bench: the temporary folder is in memory, so durable writes cost nothing; set TMPDIR to another one',
    );
  }
  const loop = closedLoop(wanted.loader);
  const progress = new Progress(stepsOf(wanted));
  const head = {
    format: 1,
    kind: 'suite',
    measuredAt: new Date().toISOString(),
    command: commandText('bench', words),
    revision: revisionOf(ROOT),
    machine,
    loader: loop.loader,
    durability: wanted.durability,
  } as const;
  const parts = new KeptParts();
  const work = async () => {
    try {
      await measureParts(wanted, { loop, progress }, parts);
    } finally {
      progress.end();
    }
  };
  const resultSoFar = () => {
    const measured = parts.all();
    return measured === undefined ? undefined : { ...head, ...measured };
  };
  await measureAndKeep(work, resultSoFar, wanted);
}
