// The course of load, latency, durability and memory over the last hour.
import { useMemo } from 'preact/hooks';
import type { Steps } from '../../chart/axes.js';
import { Chart } from '../../chart/chart.js';
import type { ChartSeries } from '../../chart/series.js';
import { paletteColour, theme } from '../../colours.js';
import { OPERATOR_CHART_HEIGHT_PX, REFUSAL_LINES_MAX } from '../../limits.js';
import { formatCount, formatType } from '../../parts/format.js';
import { type FigureName, type Figures, figures, formatOf } from './figures.js';

interface ChartRow {
  readonly title: string;
  readonly fileName: string;
  readonly steps?: Steps;
  /** Figures of the same unit by the names of their lines. */
  readonly lines: Readonly<Record<string, FigureName>>;
  readonly note?: string;
}

const COMMANDS: ChartRow = {
  title: 'Commands',
  fileName: 'commands',
  lines: { accepted: 'acceptedPerSecond' },
  note: 'Each refusal has a line by its code. Commands that the server gives itself are left out.',
};

const ROWS: readonly ChartRow[] = [
  COMMANDS,
  {
    title: 'Latency of requests and calls',
    fileName: 'latency',
    lines: { p99: 'latencyP99Seconds', p90: 'latencyP90Seconds', p50: 'latencyP50Seconds' },
    note: 'From the buckets of the histogram, so a value is only as exact as its bucket. Long polls and streams are left out.',
  },
  {
    title: 'Flushes and delays',
    fileName: 'delays',
    lines: { 'flush p99': 'flushP99Seconds', 'event loop p99': 'loopDelayP99Seconds', 'timer lag': 'timerLagSeconds' },
    note: 'Flushes over 15 s; event loop and timers since the scrape before.',
  },
  {
    title: 'Memory',
    fileName: 'memory',
    steps: 'binary',
    lines: { resident: 'residentBytes', 'heap used': 'heapUsedBytes', external: 'externalBytes' },
    note: 'Of the process that serves the world. Snapshots are made by another process.',
  },
];

export function Charts() {
  const course = figures.value;
  const times = useMemo(() => course.map(({ atMs }) => atMs), [course]);
  return (
    <div class="operator-charts">
      {ROWS.map((row) => (
        <FigureChart key={row.title} row={row} times={times} course={course} />
      ))}
    </div>
  );
}

interface FigureChartProps {
  readonly row: ChartRow;
  readonly times: readonly number[];
  readonly course: readonly Figures[];
}

function FigureChart({ row, times, course }: FigureChartProps) {
  const { title, fileName, steps = 'decimal', lines, note } = row;
  const [format = formatCount] = Object.values(lines).map(formatOf);
  const shownTheme = theme.value;
  const series = useMemo((): ChartSeries[] => {
    const own = Object.entries(lines).map(([label, figure]) => ({
      label,
      values: course.map(({ values }) => values[figure]),
    }));
    const more = row === COMMANDS ? refusalLines(course) : [];
    return [...own, ...more].map((line, index) => ({ id: line.label, colour: paletteColour(index), ...line }));
  }, [course, lines, shownTheme]);
  return (
    <Chart
      {...{ title, fileName, times, series, format, steps }}
      zone="viewer"
      heightPx={OPERATOR_CHART_HEIGHT_PX}
      isFromZero
      empty="Two scrapes make a line: one moment."
      {...(note === undefined ? {} : { note })}
    />
  );
}

/** A line for each of the most frequent refusals, and one for all others. */
function refusalLines(course: readonly Figures[]): Pick<ChartSeries, 'label' | 'values'>[] {
  const totals = new Map<string, number>();
  for (const { refusals } of course)
    for (const [code, rate] of refusals) totals.set(code, (totals.get(code) ?? 0) + rate);
  const codes = Array.from(totals.keys()).sort((one, other) => (totals.get(other) ?? 0) - (totals.get(one) ?? 0));
  const lineOf = (label: string, of: readonly string[]) => ({
    label,
    values: course.map(({ values, refusals }) =>
      values.refusedPerSecond === null ? null : of.reduce((sum, code) => sum + (refusals.get(code) ?? 0), 0),
    ),
  });
  const others = codes.slice(REFUSAL_LINES_MAX);
  const lines = codes.slice(0, REFUSAL_LINES_MAX).map((code) => lineOf(formatType(code), [code]));
  return others.length === 0 ? lines : [...lines, lineOf('other refusals', others)];
}
