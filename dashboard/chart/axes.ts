// The axes of a chart: from values and times to a range and its ticks. The chart on the page and its exported picture share them.
import { formatViewerTime, formatWorldTime } from '../parts/format.js';

export type Scale = 'linear' | 'log';

/** Which steps of a linear axis are round: 1, 2 and 5 times a power of ten, or powers of two for bytes. */
export type Steps = 'decimal' | 'binary';

/** Whose time is written: that of the world, or the viewer's. */
export type Zone = 'world' | 'viewer';

interface Axis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

export interface ValueAxis extends Axis {
  readonly scale: Scale;
}

export interface TimeAxis extends Axis {
  /** Time between two ticks. */
  readonly stepMs: number;
}

const MANTISSAS = [1, 2, 5] as const;
/** Decades of a logarithmic axis up to which 2 and 5 are written as well. */
const FULL_DECADES_MAX = 2;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;
const TIME_STEPS_MS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 5, 10, 20, 50, 100].map((days) => days * DAY_MS),
  ...[1, 2, 5, 10, 20, 50, 100].map((years) => years * YEAR_MS),
];

interface ValueAxisOptions {
  readonly scale: Scale;
  readonly steps: Steps;
  /** Whether a linear axis begins with 0, however large the values are. */
  readonly isFromZero: boolean;
  /** Maximum number of ticks; at least two are made. */
  readonly ticksMax: number;
}

/**
 * Chooses an axis on which all values fit.
 *
 * @param values null for a gap; a logarithmic axis leaves out what is not positive
 */
export function valueAxis(
  values: Iterable<number | null>,
  { scale, steps, isFromZero, ticksMax }: ValueAxisOptions,
): ValueAxis {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value === null || (scale === 'log' && value <= 0)) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  if (min > max) [min, max] = scale === 'log' ? [1, 10] : [0, 1];
  if (scale === 'log') return logAxis(min, max, ticksMax);
  if (isFromZero) min = Math.min(0, min);
  if (min === max) max = min + (min === 0 ? 1 : Math.abs(min) / 10);
  return linearAxis(min, max, steps, ticksMax);
}

/** Chooses the ticks of a time axis: at round instants of the zone. */
export function timeAxis(min: number, max: number, zone: Zone, ticksMax: number): TimeAxis {
  const coarsest = TIME_STEPS_MS.at(-1) ?? YEAR_MS;
  const stepMs = TIME_STEPS_MS.find((step) => (max - min) / step <= ticksMax) ?? coarsest;
  const offsetMs = zone === 'world' ? 0 : -new Date(max).getTimezoneOffset() * MINUTE_MS;
  const ticks: number[] = [];
  for (let at = Math.ceil((min + offsetMs) / stepMs) * stepMs - offsetMs; at <= max; at += stepMs) ticks.push(at);
  return { min, max, ticks, stepMs };
}

/** Where a value is on its axis: 0 at the start, 1 at the end. */
export function shareOf({ scale, min, max }: ValueAxis, value: number): number {
  if (scale === 'linear') return (value - min) / (max - min);
  return Math.log(value / min) / Math.log(max / min);
}

/** An instant in full. */
export function timeText(atMs: number, zone: Zone): string {
  return zone === 'world' ? formatWorldTime(atMs) : formatViewerTime(atMs);
}

/** A tick of a time axis, as short as its step allows. */
export function timeTickText(atMs: number, { stepMs }: Pick<TimeAxis, 'stepMs'>, zone: Zone): string {
  const text = timeText(atMs, zone);
  if (stepMs >= YEAR_MS) return text.slice(0, 7);
  const isMidnight = text.endsWith('00:00:00');
  if (stepMs >= DAY_MS || isMidnight) return text.slice(5, 10);
  return stepMs >= MINUTE_MS ? text.slice(11, 16) : text.slice(11);
}

function linearAxis(low: number, high: number, steps: Steps, ticksMax: number): ValueAxis {
  const least = (high - low) / Math.max(1, ticksMax - 2);
  const step = steps === 'binary' ? 2 ** Math.ceil(Math.log2(least)) : niceStep(least);
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step));
  return { scale: 'linear', min: rounded(first * step), max: rounded(last * step), ticks };
}

function logAxis(low: number, high: number, ticksMax: number): ValueAxis {
  const first = Math.floor(Math.log10(low));
  const last = Math.max(first + 1, Math.ceil(Math.log10(high)));
  const decades = last - first;
  const stride = Math.ceil(decades / Math.max(1, ticksMax - 1));
  const mantissas = decades <= FULL_DECADES_MAX ? MANTISSAS : [1];
  const ticks: number[] = [];
  for (let decade = first; decade < last + stride; decade += stride)
    for (const mantissa of mantissas) ticks.push(rounded(mantissa * 10 ** decade));
  const start = Math.max(
    0,
    ticks.findLastIndex((tick) => tick <= low),
  );
  const end = ticks.findIndex((tick, index) => tick >= high && index > start);
  const shown = ticks.slice(start, end === -1 ? ticks.length : end + 1);
  return { scale: 'log', min: shown[0] ?? 1, max: shown.at(-1) ?? 10, ticks: shown };
}

/** The smallest of 1, 2 and 5 times a power of ten that is not below a step. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const mantissa = MANTISSAS.find((candidate) => candidate * power >= least * (1 - 1e-9)) ?? 10;
  return mantissa * power;
}

/** Drops the last digits, in which multiples of 0.1 differ from what they stand for. */
const rounded = (value: number): number => Number(value.toPrecision(12));
