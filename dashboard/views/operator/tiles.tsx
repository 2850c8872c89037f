// The main figures, large, each with its course over the last minutes.
import { pathThrough } from '../../chart/series.js';
import { SPARKLINE_FIGURES } from '../../limits.js';
import { formatKnown, formatRate } from '../../parts/format.js';
import { SEVERITY_WORDS, severityOf } from './concerns.js';
import { type FigureName, type Figures, figures, textOf } from './figures.js';

/** The figure, a line below it, and the figure whose thresholds count; by default the one that is shown. */
type TileRow = readonly [title: string, figure: FigureName, note: (values: Values) => string, judged?: FigureName];
type Values = Figures['values'];

const TILES: readonly TileRow[] = [
  ['Commands accepted', 'acceptedPerSecond', (values) => `${textOf(values, 'refusedPerSecond')} refused`],
  ['Requests and calls', 'requestsPerSecond', failuresText, 'failuresPerSecond'],
  ['Latency, p99', 'latencyP99Seconds', (values) => `half within ${textOf(values, 'latencyP50Seconds')}`],
  ['Flush, p99', 'flushP99Seconds', (values) => `${formatKnown(values.flushesPerSecond, formatRate)} flushes/s`],
  [
    'Entries not durable',
    'entriesNotDurable',
    (values) => `${textOf(values, 'repliesHeld')} replies held`,
    'notDurableSeconds',
  ],
  ['Timer lag', 'timerLagSeconds', (values) => `${textOf(values, 'timersPending')} timers pending`],
  [
    'Event loop delay, p99',
    'loopDelayP99Seconds',
    ({ cpuShare }) => `CPU ${formatKnown(cpuShare, percentOf)} of a core`,
  ],
  ['Memory', 'residentBytes', (values) => `${textOf(values, 'collectionShare')} in collection`, 'collectionShare'],
];

function failuresText(values: Values): string {
  return `${textOf(values, 'failuresPerSecond')} failed (5xx)`;
}

function percentOf(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function Tiles() {
  const shown = figures.value.slice(-SPARKLINE_FIGURES.max);
  const newest = shown.at(-1);
  if (newest === undefined) return null;
  return (
    <dl class="tiles">
      {TILES.map((tile) => (
        <Tile key={tile[0]} tile={tile} values={newest.values} course={shown} />
      ))}
    </dl>
  );
}

interface TileProps {
  readonly tile: TileRow;
  readonly values: Values;
  readonly course: readonly Figures[];
}

function Tile({ tile: [title, figure, note, judged = figure], values, course }: TileProps) {
  const severity = severityOf(judged, values[judged]);
  return (
    <div class={`tile${severity === null ? '' : ` is-${severity}`}`}>
      <dt class="tile-title">
        {title}
        {severity !== null && <span class="tile-word">{SEVERITY_WORDS[severity]}</span>}
      </dt>
      <dd class="tile-value">{textOf(values, figure)}</dd>
      <dd class="tile-note">{note(values)}</dd>
      <dd class="tile-line" aria-hidden="true">
        <Sparkline
          values={course.map(({ values: of }) => of[figure])}
          length={Math.max(SPARKLINE_FIGURES.min, course.length)}
        />
      </dd>
    </div>
  );
}

const SPARKLINE_HEIGHT = 30;

interface SparklineProps {
  /** Null for a gap. */
  readonly values: readonly (number | null)[];
  /** Values for which there is room. */
  readonly length: number;
}

/** A small line without axes, from 0 to the largest value. The newest value is at the right edge. */
function Sparkline({ values, length }: SparklineProps) {
  const most = Math.max(...values.map((value) => value ?? 0), Number.MIN_VALUE);
  const left = length - values.length;
  const topOf = (value: number): number => SPARKLINE_HEIGHT - 1 - (value / most) * (SPARKLINE_HEIGHT - 3);
  const path = pathThrough(values.map((value, index) => (value === null ? null : [left + index, topOf(value)])));
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${length - 1} ${SPARKLINE_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} vector-effect="non-scaling-stroke" />
    </svg>
  );
}
