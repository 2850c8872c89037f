// The suite: which of its parts a plan asks for, one after the other.
import type { MeasuringPlan } from './arguments.js';
import type { Run } from './end-to-end/closed-loop.js';
import { endToEndSteps, runEndToEnd } from './end-to-end/end-to-end-run.js';
import { openLoopSteps, runOpenLoops } from './end-to-end/open-loop-rounds.js';
import { hostileSteps, runHostile } from './hostile/hostile-run.js';
import type { KeptParts } from './reports/kept-parts.js';
import type { Progress } from './reports/progress.js';
import { runSettings, settingsSteps } from './settings/settings-run.js';
import { runSnapshots, snapshotSteps } from './snapshots/snapshot-run.js';
import { measureUnits } from './units/groups.js';
import type { Reading, UnitTask } from './units/unit-case.js';
import { callSteps, runCalls } from './websocket/call-run.js';
import { runSubscribers, subscriberSteps } from './websocket/subscribers-run.js';
import { runViewers, viewerSteps } from './websocket/viewers-run.js';

/** How many times measureParts() reports a step. */
export function stepsOf({ units = [], endToEnd, openLoop, snapshots, ...others }: MeasuringPlan): number {
  const { hostile, settings, calls, subscribers, viewers } = others;
  const loadSteps = (endToEnd ? endToEndSteps(endToEnd) : 0) + (openLoop ? openLoopSteps(openLoop) : 0);
  const besideSteps = (hostile ? hostileSteps(hostile) : 0) + (settings ? settingsSteps(settings) : 0);
  const socketSteps = (calls ? callSteps(calls) : 0) + (subscribers ? subscriberSteps(subscribers) : 0);
  const otherSteps = (snapshots ? snapshotSteps(snapshots) : 0) + (viewers ? viewerSteps(viewers) : 0);
  return units.length + loadSteps + besideSteps + socketSteps + otherSteps;
}

/** Measures what a plan asks for. @param kept gets each reading as soon as it is there */
export async function measureParts(
  wanted: MeasuringPlan,
  run: Pick<Run<unknown, unknown>, 'loop' | 'progress'>,
  kept: KeptParts,
): Promise<void> {
  const { units = [], endToEnd, openLoop, snapshots, hostile, settings, calls, subscribers, viewers } = wanted;
  await measureGroups(units, run.progress, kept.units);
  if (endToEnd) await runEndToEnd({ ...run, plan: endToEnd, keep: listing(kept.endToEnd) });
  if (openLoop) await runOpenLoops({ ...run, plan: openLoop, keep: listing(kept.openLoop) });
  if (snapshots) await runSnapshots({ ...run, plan: snapshots, keep: listing(kept.snapshots) });
  if (settings) await runSettings({ ...run, plan: settings, keep: listing(kept.settings) });
  if (calls) await runCalls({ ...run, plan: calls, keep: listing(kept.calls) });
  if (subscribers)
    await runSubscribers({ ...run, plan: subscribers, keep: (report) => kept.set({ subscribers: report }) });
  if (viewers) await runViewers({ ...run, plan: viewers, keep: (report) => kept.set({ viewers: report }) });
  if (hostile) await runHostile({ ...run, plan: hostile, keep: (report) => kept.set({ hostile: report }) });
}

function listing<T>(list: T[]): (reading: T) => void {
  return (reading) => void list.push(reading);
}

async function measureGroups(tasks: readonly UnitTask[], progress: Progress, readings: Reading[]): Promise<void> {
  for (const task of tasks) {
    readings.push(...(await measureUnits(task, (text) => progress.say(text))));
    progress.step(`${task.group} measured`);
  }
}
