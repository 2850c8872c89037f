// What a result shows that must not be: requests that failed, readers that lost events, a server that ended. What was measured
// then may be wrong, so a run that ends with such a result fails.

import type { Failures } from '../end-to-end/side-by-side.js';
import type { HostileReport } from '../hostile/hostile-run.js';
import type { SettingReading } from '../settings/settings-run.js';
import type { ReaderCheck, SubscribersReport } from '../websocket/subscribers-run.js';
import type { ViewersReport } from '../websocket/viewers-run.js';
import type { BenchResult } from './result-file.js';

/** @returns a sentence for each fault */
export function faultsOf(result: BenchResult): string[] {
  if (result.kind === 'comparison') return [...(result.failures ?? [])];
  const { endToEnd, openLoop, snapshots = [], settings = [], calls = [], subscribers, viewers, hostile } = result;
  return [
    ...endToEnd.flatMap(({ mix, connections, standings }) =>
      standings.flatMap((one) => failed(`${mix} over ${connections} connections to ${one.name}`, one)),
    ),
    ...openLoop.flatMap((one) => failed(`${one.mix} in an open loop`, one)),
    ...snapshots.flatMap(({ mix, without, during }) => [
      ...failed(`${mix} without a snapshot`, without),
      ...failed(`${mix} during a snapshot`, during),
    ]),
    ...settings.flatMap(settingFaults),
    ...calls.flatMap((one) => failed(one.load, one)),
    ...(subscribers === undefined ? [] : subscriberFaults(subscribers)),
    ...(viewers === undefined ? [] : viewerFaults(viewers)),
    ...(hostile === undefined ? [] : hostileFaults(hostile)),
  ];
}

export function failed(what: string, { failures, firstFailure }: Failures): string[] {
  if (failures === 0) return [];
  const first = firstFailure === undefined ? '' : `, the first one with: ${firstFailure}`;
  return [`${what}: ${failures} requests failed${first}`];
}

/** Replies without a body count as failures: autocannon counts their status, and wrk the connections closed after some of them. */
function settingFaults(reading: SettingReading): string[] {
  return reading.setting === 'keys-limits-tags' ? [] : failed(`${reading.mix} with ${reading.setting}`, reading);
}

function subscriberFaults({ saturation, readings, storm }: SubscribersReport): string[] {
  return [
    ...lost('readers at the highest rate', saturation.readerCheck),
    ...readings.flatMap((one) => [
      ...failed(`commands beside readers ${one.form}`, one),
      ...lost(`readers ${one.form}`, one.readerCheck),
    ]),
    ...(storm === undefined ? [] : lost('readers after a restart', storm.readerCheck)),
  ];
}

function lost(who: string, { missing, misplaced, behind, cutOff }: ReaderCheck): string[] {
  if (missing === 0 && misplaced === 0 && behind === 0 && cutOff === 0) return [];
  return [`${who}: ${missing} events missing, ${misplaced} misplaced, ${behind} behind, ${cutOff} connections cut off`];
}

function viewerFaults(report: ViewersReport): string[] {
  const cutOff =
    report.cutOff === 0 ? [] : [`viewers: ${report.cutOff} were cut off, the first one by: ${report.firstFailure}`];
  return [...failed('commands beside viewers', report), ...cutOff];
}

/** What an innocent client loses beside a hostile one is what is measured. Beside nothing it must lose nothing. */
function hostileFaults({ readings }: HostileReport): string[] {
  return readings.flatMap(({ row, read, command, serverEndedBy }) => [
    ...(serverEndedBy === undefined ? [] : [`the server ended with ${serverEndedBy} beside ${row}`]),
    ...(row === 'idle' ? failed('the innocent client alone', { failures: read.failures + command.failures }) : []),
  ]);
}
