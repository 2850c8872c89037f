// Results as Markdown tables: for a terminal, and for docs/performance.md.

import type { ComparedReading } from '../comparison/readings.js';
import type { EndToEndResult } from '../end-to-end/end-to-end-run.js';
import type { OpenLoopReport } from '../end-to-end/open-loop-rounds.js';
import type { HostileReading, HostileReport } from '../hostile/hostile-run.js';
import type { Waits } from '../hostile/innocent-client.js';
import type { SettingReading } from '../settings/settings-run.js';
import type { SnapshotReading } from '../snapshots/snapshot-run.js';
import type { Reading } from '../units/unit-case.js';
import type { CallReading } from '../websocket/call-run.js';
import type { ReaderCheck, Storm, SubscribersReport } from '../websocket/subscribers-run.js';
import type { ViewersReport } from '../websocket/viewers-run.js';
import type { Machine, Revision } from './machine.js';
import type { BenchResult } from './result-file.js';

const BYTES_PER_MIB = 1024 * 1024;
/** Digits that are shown of a number below a hundred. */
const DIGITS_SMALL = 3;
const TOO_MANY_REQUESTS = '429';

/** Everything in a result, with a line before it that says what it was measured on. */
export function resultTables(result: BenchResult): string {
  const parts = [headLine(result), ...(result.failure === undefined ? [] : [`Incomplete: ${result.failure}`])];
  if (result.kind === 'comparison') {
    const [before, after] = result.revisions;
    parts.push(`${revisionText(before)} → ${revisionText(after)}, ${result.rounds} rounds, interleaved.`);
    parts.push(...result.notes, ...(result.failures ?? []), comparisonTable(result.readings));
  } else {
    if (result.units.length > 0) parts.push(unitTable(result.units));
    if (result.endToEnd.length > 0) parts.push(endToEndTable(result.endToEnd));
    if (result.openLoop.length > 0) parts.push(openLoopTable(result.openLoop));
    if (isMeasured(result.snapshots)) parts.push(snapshotTable(result.snapshots), snapshotTimes(result.snapshots));
    if (isMeasured(result.settings)) parts.push(settingsTable(result.settings));
    if (isMeasured(result.calls)) parts.push(callTable(result.calls), ...firstFailures(result.calls));
    if (result.subscribers !== undefined) parts.push(...subscriberParts(result.subscribers));
    if (result.viewers !== undefined) parts.push(...viewerParts(result.viewers));
    if (result.hostile !== undefined) parts.push(hostileNote(result.hostile), hostileTable(result.hostile.readings));
  }
  return parts.join('\n\n');
}

function isMeasured<T>(readings: readonly T[] | undefined): readings is readonly T[] {
  return readings !== undefined && readings.length > 0;
}

/** A Markdown table whose columns are padded, so that it also reads well as plain text. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => padded(cell, widths[column] ?? 0, column)).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** Names stand left, numbers right. */
function padded(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function headLine(result: BenchResult): string {
  const revision = result.kind === 'suite' ? `${revisionText(result.revision)}, ` : '';
  const { loader, durability, measuredAt, command } = result;
  return (
    `${revision}${machineText(result.machine)}, loader ${loader}, ${durability}, ` +
    `measured ${measuredAt.slice(0, 10)} with \`npm run ${command}\`.`
  );
}

function machineText({ node, system, cpu, cores, memoryGib, fileSystem }: Machine): string {
  return `Node ${node}, ${system}, ${cores} cores of ${cpu}, ${memoryGib} GiB, ${fileSystem}`;
}

function revisionText({ name, commit, isDirty }: Revision): string {
  return `${name === commit ? '' : `${name}, `}commit ${commit}${isDirty ? ' with changes' : ''}`;
}

function unitTable(readings: readonly Reading[]): string {
  const rows = readings.map((reading) => {
    const { id, unit, samples, lower, median, upper } = reading;
    return [id, number(median), `${number(lower)} to ${number(upper)}`, perSecond(reading), unit, String(samples)];
  });
  return table(['unit', 'median', 'inner half', 'a second', 'of', 'samples'], rows);
}

/** How many fit into a second, if a reading is a time. */
function perSecond({ unit, median }: Reading): string {
  return unit.startsWith('ns per ') ? number(1e9 / median) : '';
}

function endToEndTable(results: readonly EndToEndResult[]): string {
  const rows = results.flatMap((result) => {
    const { mix, players, connections, operations, standings, note } = result;
    const head = [mix, String(players), String(connections)];
    if (note !== undefined) return [[...head, note, '', '', '', '', '', '', '']];
    return standings.map((standing, index) => {
      const { name, requestsPerSecond, ratio, p50Ms, p99Ms, p999Ms, maxMs, failures } = standing;
      const ratioText = index === 0 ? '' : number(ratio);
      const commands = number(requestsPerSecond.median * operations);
      const latencies = [p50Ms, p99Ms, p999Ms, maxMs].map(number);
      return [...head, name, commands, ratioText, ...latencies, String(failures)];
    });
  });
  const load = ['mix', 'players', 'connections', 'server', 'a second', 'galaxyd : it'];
  return table([...load, 'p50 ms', 'p99 ms', 'p99.9 ms', 'max ms', 'failures'], rows);
}

function openLoopTable(reports: readonly OpenLoopReport[]): string {
  const rows = reports.map((report) => {
    const { mix, players, connections, ratePerSecond, maximumPerSecond, seconds, flatness, floor, failures } = report;
    const share = maximumPerSecond === undefined ? '' : number(ratePerSecond / maximumPerSecond);
    const latencies = [report.p50Ms, report.p99Ms, report.p999Ms, report.maxMs, report.loaderPauseMaxMs].map(number);
    const bare = floor === undefined ? ['', ''] : [floor.p99Ms, floor.p999Ms].map(number);
    const flat = flatness === undefined ? ['', ''] : [percent(flatness.throughput), percent(flatness.memory)];
    const load = [mix, players, connections, number(ratePerSecond), share, seconds].map(String);
    return [...load, ...latencies, ...bare, ...flat, String(failures)];
  });
  const load = ['open loop', 'players', 'connections', 'requests/s', 'of maximum', 'seconds'];
  const latencies = ['p50 ms', 'p99 ms', 'p99.9 ms', 'max ms', 'loader pause ms', 'bare p99 ms', 'bare p99.9 ms'];
  return table([...load, ...latencies, 'throughput ±', 'memory ±', 'failures'], rows);
}

function snapshotTable(readings: readonly SnapshotReading[]): string {
  const rows = readings.flatMap((reading) => {
    const { mix, players, connections, ratePerSecond, without, during } = reading;
    const throughput = number(during.requestsPerSecond / without.requestsPerSecond);
    return [without, during].map((load, index) => {
      const head = [mix, number(players), String(connections), index === 0 ? 'none' : 'being taken'];
      const closed = [number(load.requestsPerSecond), index === 0 ? '' : throughput, number(load.closedP999Ms)];
      const open = [ratePerSecond, load.p50Ms, load.p99Ms, load.p999Ms, load.maxMs].map(number);
      return [...head, ...closed, ...open, String(load.failures)];
    });
  });
  const head = ['mix', 'players', 'connections', 'snapshot', 'requests/s', 'ratio', 'p99.9 ms'];
  return table([...head, 'open loop/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'max ms', 'failures'], rows);
}

function snapshotTimes(readings: readonly SnapshotReading[]): string {
  const rows = readings.map((reading) => {
    const { mix, players, byteCount, idleMs, underOpenMs, underClosedMs, startMs } = reading;
    const times = [idleMs, underOpenMs, underClosedMs, startMs].map((ms) => number(ms / 1000));
    return [mix, number(players), number(byteCount / BYTES_PER_MIB), ...times];
  });
  const times = ['taken idle, s', 'under the open loop, s', 'under the closed loop, s', 'start from it, s'];
  return table(['mix', 'players', 'MiB', ...times], rows);
}

function settingsTable(readings: readonly SettingReading[]): string {
  const rows = readings.map((reading) => {
    const { mix, title, players, connections, requestsPerSecond, base = '' } = reading;
    const { ratio = Number.NaN, processorUs, processorRatio = Number.NaN } = reading;
    const { lower, median, upper } = requestsPerSecond;
    const load = [mix, title, number(players), String(connections)];
    const rates = [number(median), `${number(lower)} to ${number(upper)}`, base, number(ratio)];
    const times = [processorUs, processorRatio, reading.p50Ms, reading.p99Ms].map(number);
    return [...load, ...rates, ...times, String(reading.failures)];
  });
  const head = ['mix', 'setting', 'players', 'connections', 'requests/s', 'inner half', 'beside', 'ratio'];
  return table([...head, 'server µs/request', 'ratio', 'p50 ms', 'p99 ms', 'failures'], rows);
}

function callTable(readings: readonly CallReading[]): string {
  const rows = readings.map((reading) => {
    const { load, connections, inFlight, commandsPerSecond, failures } = reading;
    const { ratioToEcho = Number.NaN, ratioToPosts = Number.NaN, loaderUs = Number.NaN } = reading;
    const { lower, median, upper } = commandsPerSecond;
    const rates = [number(median), `${number(lower)} to ${number(upper)}`, number(ratioToEcho), number(ratioToPosts)];
    const times = [reading.p50Ms, reading.p99Ms, reading.serverUs, loaderUs].map(number);
    return [load, `${connections} x ${inFlight}`, ...rates, ...times, String(failures)];
  });
  const head = ['load', 'in flight', 'commands/s', 'inner half', 'to echo', 'to POSTs', 'p50 ms', 'p99 ms'];
  return table([...head, 'server µs/command', 'loader µs', 'failures'], rows);
}

function subscriberParts(report: SubscribersReport): string[] {
  const { players, ratePerSecond, seconds, saturation, readings, storm } = report;
  const note =
    `${number(players)} players, all of them read, ${number(ratePerSecond)} commands/s for ${number(seconds)} s, each with one ` +
    `event. Most that a closed loop reached while they were read: ${number(saturation.commandsPerSecond)} commands/s, ` +
    `${number(saturation.eventsPerSecond)} events/s (${checkText(saturation.readerCheck)}).`;
  const rows = readings.map((reading) => {
    const { form, connections, without, withReaders, p99Ratio, loaderPauseMaxMs, heldMib, failures } = reading;
    const latencies = [without, withReaders].flatMap(({ p50Ms, p99Ms }) => [number(p50Ms), number(p99Ms)]);
    const events = [reading.dueP50Ms, reading.dueP99Ms, reading.replyP50Ms, reading.replyP99Ms].map(number);
    const memory = `${number(heldMib.before)} / ${number(heldMib.most)} / ${number(heldMib.after)}`;
    const rest = [memory, checkText(reading.readerCheck), String(failures)];
    const ratios = [p99Ratio, loaderPauseMaxMs, reading.eventsPerSecond].map(number);
    return [form, number(connections), ...latencies, ...ratios, ...events, ...rest];
  });
  const commands = ['command p50 ms', 'p99 ms', 'read: p50 ms', 'p99 ms', 'p99 ratio', 'loader pause ms'];
  const events = ['events/s', 'due to event p50 ms', 'p99 ms', 'reply to event p50 ms', 'p99 ms'];
  const head = ['readers', 'connections', ...commands, ...events];
  return [
    note,
    table([...head, 'server MiB before / most / after', 'lost events', 'failures'], rows),
    ...firstFailures(readings),
    ...(storm === undefined ? [] : [stormText(storm)]),
  ];
}

function stormText({ connections, subscribedMs, resumedCount, caughtUpMs, readerCheck, heldMib }: Storm): string {
  return (
    `After a restart ${number(connections)} readers came back at once: all had subscribed after ${number(subscribedMs)} ms, ` +
    `and had the ${number(resumedCount)} events that they had missed after ${number(caughtUpMs)} ms ` +
    `(${checkText(readerCheck)}); server ${number(heldMib.before)} MiB before, ${number(heldMib.after)} after.`
  );
}

function viewerParts(report: ViewersReport): string[] {
  const { viewers, players, ratePerSecond, launchesPerSecond, seconds, spread, cutOff, failures } = report;
  const note =
    `${number(viewers)} viewers of the map of ${number(players)} players, beside ${number(ratePerSecond)} commands/s for ` +
    `${number(seconds)} s, while ${number(launchesPerSecond)} fleets set out each second. No viewer got more than ${spread} frames ` +
    `fewer than another; ${cutOff} were cut off.`;
  const latencies = [report.without, report.withViewers].flatMap(({ p50Ms, p99Ms }) => [number(p50Ms), number(p99Ms)]);
  const { without, withViewers } = report.serverMsPerSecond;
  const server = [without, withViewers].map(number).join(' / ');
  const rest = [report.framesPerSecond, report.kibPerMinute].map(number);
  const ratios = [report.p99Ratio, report.loaderPauseMaxMs].map(number);
  const head = ['viewers', 'command p50 ms', 'p99 ms', 'viewed: p50 ms', 'p99 ms', 'p99 ratio', 'loader pause ms'];
  return [
    note,
    table(
      [...head, 'server ms/s without / with', 'frames/s of each', 'KiB/min of each', 'failures'],
      [[number(viewers), ...latencies, ...ratios, server, ...rest, String(failures)]],
    ),
    ...firstFailures([report]),
  ];
}

/** What the first failure was, if there is any. */
function firstFailures(readings: readonly { readonly firstFailure?: string }[]): string[] {
  const first = readings.find(({ firstFailure }) => firstFailure !== undefined)?.firstFailure;
  return first === undefined ? [] : [`The first failure: \`${first}\``];
}

function checkText({ missing, misplaced, behind, cutOff }: ReaderCheck): string {
  if (missing === 0 && misplaced === 0 && behind === 0 && cutOff === 0) return 'none lost';
  return `${missing} missing, ${misplaced} misplaced, ${behind} behind, ${cutOff} connections cut off`;
}

function hostileNote({ transport, seconds }: HostileReport): string {
  return (
    `An innocent client beside a hostile one, ${transport} transport, ${number(seconds)} s each. Server, hostile and innocent ` +
    'client share the machine: the last columns show how many cores each used, and the idle rows how quiet it was.'
  );
}

function hostileTable(readings: readonly HostileReading[]): string {
  const rows = readings.map((reading) => {
    const { row, limits = '', connections, read, command, hostile, heldMaxMib = Number.NaN, cores } = reading;
    const replies = hostile === undefined ? '' : number(hostile.repliesPerSecond);
    const used = cores === undefined ? ['', '', ''] : [cores.server, cores.hostile, cores.others].map(number);
    const waits = [read, command].flatMap(({ p50Ms, p99Ms, maxMs }) => [p50Ms, p99Ms, maxMs].map(number));
    const load = [row, limits, String(connections)];
    return [...load, ...waits, replies, refusedOf(reading), number(heldMaxMib), failuresOf(reading), ...used];
  });
  const latencies = ['GET p50 ms', 'p99 ms', 'max ms', 'command p50 ms', 'p99 ms', 'max ms'];
  const cores = ['server cores', 'hostile', 'others'];
  const load = ['hostile', 'limits', 'connections'];
  return table([...load, ...latencies, 'hostile replies/s', 'limited', 'server MiB', 'failures', ...cores], rows);
}

/** Share of the replies to the hostile client with status 429. */
function refusedOf({ hostile }: HostileReading): string {
  if (hostile === undefined) return '';
  const replies = Object.values(hostile.statuses).reduce((sum, count) => sum + count, 0);
  return replies === 0 ? '' : percent((hostile.statuses[TOO_MANY_REQUESTS] ?? 0) / replies);
}

/** Of the innocent client, out of all its requests. */
function failuresOf({ read, command, largeBatch, serverEndedBy }: HostileReading): string {
  const text = ({ failures, samples }: Waits) => `${failures} of ${samples}`;
  const total = { ...read, failures: read.failures + command.failures, samples: read.samples + command.samples };
  const large = largeBatch === undefined ? '' : `; of large batches ${text(largeBatch)}`;
  const end = serverEndedBy === undefined ? '' : `; the server ended with ${serverEndedBy}`;
  return `${text(total)}${large}${end}`;
}

function comparisonTable(readings: readonly ComparedReading[]): string {
  const rows = readings.map(({ id, unit, before, after, ratio, verdict }) => [
    id,
    `${number(before.median)} (${number(before.lower)} to ${number(before.upper)})`,
    `${number(after.median)} (${number(after.lower)} to ${number(after.upper)})`,
    unit,
    number(ratio),
    verdict === 'within noise' ? '' : verdict,
  ]);
  return table(['reading', 'before', 'after', 'unit', 'ratio', 'beyond noise'], rows);
}

/** Three significant digits, and commas between thousands. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(DIGITS_SMALL)));
}

function percent(share: number): string {
  return `${number(share * 100)} %`;
}
