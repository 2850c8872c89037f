// The course of load, latency, durability and memory over the last quarter of an hour.
import { useMemo } from 'preact/hooks';
import { paletteColour, theme } from '../../colours.js';
import { OPERATOR_CHART_HEIGHT_PX, REFUSAL_LINES_MAX } from '../../limits.js';
import { Chart, type ChartSeries, type Steps } from '../../parts/chart.js';
import { formatBytes, formatRate, formatSeconds, formatType } from '../../parts/format.js';
import type { FigureName, Figures } from './figures.js';
import { figures } from './history.js';

interface ChartRow {
  readonly title: string;
  readonly fileName: string;
  readonly format: (value: number) => string;
  readonly steps?: Steps;
  readonly lines: readonly (readonly [label: string, figure: FigureName])[];
  readonly note?: string;
}

const perSecond = (value: number): string => `${formatRate(value)}/s`;

const COMMANDS: ChartRow = {
  title: 'Commands',
  fileName: 'commands',
  format: perSecond,
  lines: [['accepted', 'acceptedPerSecond']],
  note: 'Each refusal has a line by its code. Commands that the server gives itself are left out.',
};

const ROWS: readonly ChartRow[] = [
  {
    title: 'Latency of requests and calls',
    fileName: 'latency',
    format: formatSeconds,
    lines: [
      ['p99', 'latencyP99Seconds'],
      ['p90', 'latencyP90Seconds'],
      ['p50', 'latencyP50Seconds'],
    ],
    note: 'From the buckets of the histogram, so a value is only as exact as its bucket. Long polls and streams are left out.',
  },
  {
    title: 'Flushes and delays',
    fileName: 'delays',
    format: formatSeconds,
    lines: [
      ['flush p99', 'flushP99Seconds'],
      ['event loop p99', 'loopDelayP99Seconds'],
      ['timer lag', 'timerLagSeconds'],
    ],
    note: 'Flushes over 15 s; event loop and timers since the scrape before.',
  },
  {
    title: 'Memory',
    fileName: 'memory',
    format: formatBytes,
    steps: 'binary',
    lines: [
      ['resident', 'residentBytes'],
      ['heap used', 'heapUsedBytes'],
      ['external', 'externalBytes'],
    ],
    note: 'Of the process that serves the world. Snapshots are made by another process.',
  },
];

const EMPTY = 'Two scrapes make a line: one moment.';

export function Charts() {
  const course = figures.value;
  const times = useMemo(() => course.map(({ atMs }) => atMs), [course]);
  return (
    <div class="operator-charts">
      <FigureChart row={COMMANDS} times={times} course={course} more={refusalLines(course)} />
      {ROWS.map((row) => (
        <FigureChart key={row.title} row={row} times={times} course={course} more={[]} />
      ))}
    </div>
  );
}

interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

interface FigureChartProps {
  readonly row: ChartRow;
  readonly times: readonly number[];
  readonly course: readonly Figures[];
  /** Lines after those of the row. */
  readonly more: readonly Line[];
}

function FigureChart({ row, times, course, more }: FigureChartProps) {
  const { title, fileName, format, steps = 'decimal', lines, note } = row;
  const shownTheme = theme.value;
  const series = useMemo((): ChartSeries[] => {
    const own = lines.map(([label, figure]) => ({ label, values: course.map(({ values }) => values[figure]) }));
    return [...own, ...more].map((line, index) => ({ id: line.label, colour: paletteColour(index), ...line }));
  }, [course, lines, shownTheme]);
  return (
    <Chart
      {...{ title, fileName, times, series, format, steps }}
      zone="viewer"
      heightPx={OPERATOR_CHART_HEIGHT_PX}
      isFromZero
      empty={EMPTY}
      {...(note === undefined ? {} : { note })}
    />
  );
}

/** A line for each of the most frequent refusals, and one for all others. */
function refusalLines(course: readonly Figures[]): Line[] {
  const totals = new Map<string, number>();
  for (const { refusals } of course)
    for (const [code, rate] of refusals) totals.set(code, (totals.get(code) ?? 0) + rate);
  const codes = Array.from(totals.keys()).sort((one, other) => (totals.get(other) ?? 0) - (totals.get(one) ?? 0));
  const shown = codes.slice(0, REFUSAL_LINES_MAX);
  const lineOf = (label: string, rateFrom: (refusals: Figures['refusals']) => number): Line => ({
    label,
    values: course.map(({ values, refusals }) => (values.refusedPerSecond === null ? null : rateFrom(refusals))),
  });
  const lines = shown.map((code) => lineOf(formatType(code), (refusals) => refusals.get(code) ?? 0));
  if (codes.length <= shown.length) return lines;
  const others = codes.slice(REFUSAL_LINES_MAX);
  const sumOf = (refusals: Figures['refusals']): number =>
    others.reduce((sum, code) => sum + (refusals.get(code) ?? 0), 0);
  return [...lines, lineOf('other refusals', sumOf)];
}
