// The bench: measures what the command line asks for and tells it as tables or JSON. It prints what it measured and judges
// nothing.
import { type MeasuringPlan, parseArguments } from './arguments.js';
import { BenchFailed, runProgram } from './bench-failed.js';
import { type ClosedLoop, closedLoop } from './end-to-end/closed-loop.js';
import { endToEndSteps, runEndToEnd } from './end-to-end/end-to-end-run.js';
import { openLoopSteps, runOpenLoops } from './end-to-end/open-loop-rounds.js';
import { hostileSteps, runHostile } from './hostile/hostile-run.js';
import { exitOnSignals } from './processes/at-exit.js';
import { isInMemory, ROOT, revisionOf, thisMachine } from './reports/machine.js';
import { writePerformanceDocument } from './reports/performance-document.js';
import { Progress } from './reports/progress.js';
import {
  chosenResults,
  commandText,
  LOCAL_FOLDER,
  RESULT_FOLDER,
  readResult,
  type SuiteResult,
  saveResult,
} from './reports/result-file.js';
import { resultTables } from './reports/tables.js';
import { runSnapshots, snapshotSteps } from './snapshots/snapshot-run.js';
import type { Reading } from './units/unit-case.js';
import { measureUnits } from './units/unit-run.js';

exitOnSignals();
const words = process.argv.slice(2);
const plan = parseArguments(words);
await runProgram(async () => {
  if (plan.kind === 'report') report(plan.files);
  else await measure(plan);
});

function report(files: readonly string[]): void {
  const paths = files.length > 0 ? files : chosenResults();
  if (paths.length === 0) throw new BenchFailed('there is no result yet: run `npm run bench` first');
  for (const path of writePerformanceDocument(paths.map(readResult))) console.log(`wrote ${path}`);
}

async function measure(wanted: MeasuringPlan): Promise<void> {
  const machine = thisMachine();
  if (isInMemory(machine)) {
    console.error('bench: the temporary folder is in memory, so that durable costs nothing; TMPDIR names another one');
  }
  const { endToEnd, openLoop, snapshots, hostile, units, durability } = wanted;
  const loop = closedLoop(wanted.loader);
  const loadSteps = (endToEnd ? endToEndSteps(endToEnd) : 0) + (openLoop ? openLoopSteps(openLoop) : 0);
  const otherSteps = (snapshots ? snapshotSteps(snapshots) : 0) + (hostile ? hostileSteps(hostile) : 0);
  const progress = new Progress(units.length + loadSteps + otherSteps);
  const result: SuiteResult = {
    format: 1,
    kind: 'suite',
    measuredAt: new Date().toISOString(),
    command: commandText('bench', words),
    revision: revisionOf(ROOT),
    machine,
    loader: loop.loader,
    durability,
    ...(await parts(wanted, loop, progress)),
  };
  progress.end();
  const path = saveResult(result, wanted.isChosen ? RESULT_FOLDER : LOCAL_FOLDER);
  console.log(wanted.isJson ? JSON.stringify(result) : `${resultTables(result)}\n`);
  console.error(`bench: kept in ${path}`);
}

async function parts(wanted: MeasuringPlan, loop: ClosedLoop, progress: Progress) {
  const { units, endToEnd, openLoop, snapshots, hostile } = wanted;
  const readings: Reading[] = [];
  for (const task of units) {
    readings.push(...(await measureUnits(task, (text) => progress.say(text))));
    progress.step(`${task.group} measured`);
  }
  return {
    units: readings,
    endToEnd: endToEnd === undefined ? [] : await runEndToEnd(endToEnd, loop, progress),
    openLoop: openLoop === undefined ? [] : await runOpenLoops(openLoop, loop, progress),
    ...(snapshots === undefined ? {} : { snapshots: await runSnapshots(snapshots, loop, progress) }),
    ...(hostile === undefined ? {} : { hostile: await runHostile(hostile, progress) }),
  };
}
