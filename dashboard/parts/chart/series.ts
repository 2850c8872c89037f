// What a chart shows: series of values over the same instants, and their text for a spreadsheet.

export interface ChartSeries {
  readonly id: string;
  /** Text from strangers, perhaps: it is only ever text. */
  readonly label: string;
  /** Such as `#e69f00`. */
  readonly colour: string;
  /** One for each instant; null for a gap. */
  readonly values: readonly (number | null)[];
}

export interface ChartCourse {
  /** In ms since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
}

/** Cells that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** The last value of a series that is known; null if there is none. */
export function lastValue({ values }: ChartSeries): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

/** The values as comma-separated text (RFC 4180), a row for each instant, in UTC. */
export function csvOf({ times, series }: ChartCourse): string {
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
