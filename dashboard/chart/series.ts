// What a chart shows: series of values over the same instants, their text for a spreadsheet, and places for their names.
import type { TimeAxis, ValueAxis, Zone } from './axes.js';

export interface ChartSeries {
  readonly id: string;
  /** Text from strangers, perhaps: it is only ever text. */
  readonly label: string;
  /** Such as `#e69f00`. */
  readonly colour: string;
  /** One for each instant; null for a gap. */
  readonly values: readonly (number | null)[];
}

/** What is drawn, on the page and in an exported picture. */
export interface ChartModel {
  /** Milliseconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly timeAxis: TimeAxis;
  readonly valueAxis: ValueAxis;
  readonly zone: Zone;
  readonly format: (value: number) => string;
  /** The same for the ticks of the axis. */
  readonly formatTick: (value: number) => string;
  /** The series that stands out; null for none. */
  readonly chosenId: string | null;
}

/** Cells that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** The last value of a series that is known; null if there is none. */
export function lastValue(values: ChartSeries['values']): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

/** Length of a dash of a line that lies on others. */
const DASH = 9;

/**
 * The dashes of lines that lie on each other over their whole length, so that all of them are seen: they take turns.
 *
 * @returns lengths of dashes and gaps, dashes first; null for a line that lies alone
 */
export function dashesOf(series: readonly Pick<ChartSeries, 'values'>[]): (readonly number[] | null)[] {
  const keys = series.map(({ values }) => values.join());
  return keys.map((key, index) => {
    const same = keys.flatMap((other, position) => (other === key ? [position] : []));
    const turn = same.indexOf(index);
    // The dash of no length begins with the gap before the turn.
    return same.length < 2 ? null : [0, DASH * turn, DASH, DASH * (same.length - 1 - turn)];
  });
}

/** A length in a picture. Nobody sees more digits. */
export function short(length: number): number {
  return Math.round(length * 10) / 10;
}

/** A path in SVG through points, with a gap where there is none. */
export function pathThrough(points: readonly (readonly [x: number, y: number] | null)[]): string {
  return points
    .map((point, index) =>
      point === null ? '' : `${points[index - 1] ? 'L' : 'M'}${short(point[0])} ${short(point[1])}`,
    )
    .join('');
}

/** The values as comma-separated text (RFC 4180), a row for each instant, in UTC. */
export function csvOf({ times, series }: Pick<ChartModel, 'times' | 'series'>): string {
  const head = ['time', ...series.map(({ label }) => cellOf(label))];
  const rows = times.map((atMs, index) => [
    new Date(atMs).toISOString(),
    ...series.map(({ values }) => String(values[index] ?? '')),
  ]);
  return [head, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

function cellOf(label: string): string {
  const harmless = FORMULA.test(label) ? `'${label}` : label;
  return `"${harmless.replaceAll('"', '""')}"`;
}

interface Group {
  /** Sum of the places that its labels would like to have, less their offsets in the group. */
  sum: number;
  readonly labels: number[];
}

/**
 * Moves labels as little as possible, so that none covers another. Their order stays that of the lines.
 *
 * @param wanted middle of each label, in any order
 * @param height of a label
 * @param low least middle of a label
 * @param high greatest middle; labels that have no room between both begin at `low`
 * @returns the middle of each label, in the order of `wanted`
 */
export function spread(wanted: readonly number[], height: number, low: number, high: number): number[] {
  const order = wanted.map((_, index) => index).sort((one, other) => (wanted[one] ?? 0) - (wanted[other] ?? 0));
  const startOf = ({ sum, labels }: Group): number => {
    const latest = high - (labels.length - 1) * height;
    return Math.max(low, Math.min(latest, sum / labels.length));
  };
  const groups: Group[] = [];
  for (const label of order) {
    let group: Group = { sum: wanted[label] ?? 0, labels: [label] };
    // Labels that would touch become one group, which stands where its labels want to be on average.
    for (let before = groups.at(-1); before !== undefined; before = groups.at(-1)) {
      if (startOf(before) + before.labels.length * height <= startOf(group)) break;
      groups.pop();
      const shift = before.labels.length * height * group.labels.length;
      group = { sum: before.sum + group.sum - shift, labels: [...before.labels, ...group.labels] };
    }
    groups.push(group);
  }
  const places = Array.from({ length: wanted.length }, () => low);
  for (const group of groups) {
    group.labels.forEach((label, index) => {
      places[label] = startOf(group) + index * height;
    });
  }
  return places;
}
