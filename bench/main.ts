// The bench: measures what the command line asks for and prints it as tables or JSON. It judges nothing.
import { type MeasuringPlan, parseArguments } from './arguments.js';
import { BenchFailed, runProgram } from './bench-failed.js';
import { closedLoop, type Run } from './end-to-end/closed-loop.js';
import { endToEndSteps, runEndToEnd } from './end-to-end/end-to-end-run.js';
import { openLoopSteps, runOpenLoops } from './end-to-end/open-loop-rounds.js';
import { hostileSteps, runHostile } from './hostile/hostile-run.js';
import { isInMemory, ROOT, revisionOf, thisMachine } from './reports/machine.js';
import { writePerformanceDocument } from './reports/performance-document.js';
import { Progress } from './reports/progress.js';
import { chosenResults, commandText, printAndKeep, readResult } from './reports/result-file.js';
import { runSettings, settingsSteps } from './settings/settings-run.js';
import { runSnapshots, snapshotSteps } from './snapshots/snapshot-run.js';
import { measureUnits } from './units/groups.js';
import type { Reading, UnitTask } from './units/unit-case.js';
import { callSteps, runCalls } from './websocket/call-run.js';
import { runSubscribers, subscriberSteps } from './websocket/subscribers-run.js';
import { runViewers, viewerSteps } from './websocket/viewers-run.js';

const words = process.argv.slice(2);
const plan = parseArguments(words);
await runProgram(async () => {
  if (plan.kind === 'report') report(plan.files);
  else await measure(plan);
});

function report(files: readonly string[]): void {
  const paths = files.length > 0 ? files : chosenResults();
  if (paths.length === 0) throw new BenchFailed('there is no result yet: run `npm run bench -- --choose` first');
  for (const path of writePerformanceDocument(paths.map(readResult))) console.log(`wrote ${path}`);
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
  const parts = await measureParts(wanted, { loop, progress });
  progress.end();
  printAndKeep({ ...head, ...parts }, wanted);
}

function stepsOf({ units = [], endToEnd, openLoop, snapshots, ...others }: MeasuringPlan): number {
  const { hostile, settings, calls, subscribers, viewers } = others;
  const loadSteps = (endToEnd ? endToEndSteps(endToEnd) : 0) + (openLoop ? openLoopSteps(openLoop) : 0);
  const besideSteps = (hostile ? hostileSteps(hostile) : 0) + (settings ? settingsSteps(settings) : 0);
  const socketSteps = (calls ? callSteps(calls) : 0) + (subscribers ? subscriberSteps(subscribers) : 0);
  const otherSteps = (snapshots ? snapshotSteps(snapshots) : 0) + (viewers ? viewerSteps(viewers) : 0);
  return units.length + loadSteps + besideSteps + socketSteps + otherSteps;
}

async function measureParts(wanted: MeasuringPlan, run: Omit<Run<unknown>, 'plan'>) {
  const { progress } = run;
  const { units = [], endToEnd, openLoop, snapshots, hostile, settings, calls, subscribers, viewers } = wanted;
  return {
    units: await measureGroups(units, progress),
    endToEnd: endToEnd === undefined ? [] : await runEndToEnd({ plan: endToEnd, ...run }),
    openLoop: openLoop === undefined ? [] : await runOpenLoops({ plan: openLoop, ...run }),
    ...(snapshots === undefined ? {} : { snapshots: await runSnapshots({ plan: snapshots, ...run }) }),
    ...(settings === undefined ? {} : { settings: await runSettings({ plan: settings, ...run }) }),
    ...(calls === undefined ? {} : { calls: await runCalls({ plan: calls, ...run }) }),
    ...(subscribers === undefined ? {} : { subscribers: await runSubscribers({ plan: subscribers, ...run }) }),
    ...(viewers === undefined ? {} : { viewers: await runViewers({ plan: viewers, ...run }) }),
    ...(hostile === undefined ? {} : { hostile: await runHostile(hostile, progress) }),
  };
}

async function measureGroups(tasks: readonly UnitTask[], progress: Progress): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const task of tasks) {
    readings.push(...(await measureUnits(task, (text) => progress.say(text))));
    progress.step(`${task.group} measured`);
  }
  return readings;
}
