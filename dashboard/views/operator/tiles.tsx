// The figures that come first, large, each with its course over the last minutes.
import { SPARKLINE_FIGURES } from '../../limits.js';
import { formatBytes, formatCount, formatRate, formatSeconds } from '../../parts/format.js';
import { severityOf } from './concerns.js';
import type { FigureName, Figures } from './figures.js';
import { figures } from './history.js';
import { Sparkline } from './sparkline.js';

interface TileRow {
  readonly title: string;
  readonly figure: FigureName;
  readonly format: (value: number) => string;
  /** A line below the figure. */
  readonly note: (values: Figures['values']) => string;
  /** The figure whose thresholds count; by default the one that is shown. */
  readonly judged?: FigureName;
}

const known = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value);

const TILES: readonly TileRow[] = [
  {
    title: 'Commands accepted',
    figure: 'acceptedPerSecond',
    format: (value) => `${formatRate(value)}/s`,
    note: ({ refusedPerSecond }) => `${known(refusedPerSecond, formatRate)}/s refused`,
  },
  {
    title: 'Requests and calls',
    figure: 'requestsPerSecond',
    format: (value) => `${formatRate(value)}/s`,
    note: ({ failuresPerSecond }) => `${known(failuresPerSecond, formatRate)}/s failed (5xx)`,
    judged: 'failuresPerSecond',
  },
  {
    title: 'Latency, p99',
    figure: 'latencyP99Seconds',
    format: formatSeconds,
    note: ({ latencyP50Seconds }) => `half within ${known(latencyP50Seconds, formatSeconds)}`,
  },
  {
    title: 'Flush, p99',
    figure: 'flushP99Seconds',
    format: formatSeconds,
    note: ({ flushesPerSecond }) => `${known(flushesPerSecond, formatRate)} flushes/s`,
  },
  {
    title: 'Entries not durable',
    figure: 'entriesNotDurable',
    format: formatCount,
    note: ({ repliesHeld }) => `${known(repliesHeld, formatCount)} replies held`,
    judged: 'notDurableSeconds',
  },
  {
    title: 'Timer lag',
    figure: 'timerLagSeconds',
    format: formatSeconds,
    note: ({ timersPending }) => `${known(timersPending, formatCount)} timers pending`,
  },
  {
    title: 'Event loop delay, p99',
    figure: 'loopDelayP99Seconds',
    format: formatSeconds,
    note: ({ cpuShare }) => `CPU ${known(cpuShare, (share) => `${Math.round(share * 100)} % of a core`)}`,
  },
  {
    title: 'Memory',
    figure: 'residentBytes',
    format: formatBytes,
    note: ({ collectionShare }) => `${known(collectionShare, (share) => (share * 100).toFixed(1))} % in collection`,
    judged: 'collectionShare',
  },
];

export function Tiles() {
  const shown = figures.value.slice(-SPARKLINE_FIGURES.max);
  const newest = shown.at(-1);
  if (newest === undefined) return null;
  return (
    <dl class="tiles">
      {TILES.map((tile) => (
        <Tile key={tile.title} tile={tile} values={newest.values} course={shown} />
      ))}
    </dl>
  );
}

interface TileProps {
  readonly tile: TileRow;
  readonly values: Figures['values'];
  readonly course: readonly Figures[];
}

const WORDS = { bad: 'Bad', watch: 'Watch' } as const;

function Tile({ tile: { title, figure, format, note, judged = figure }, values, course }: TileProps) {
  const judgedValue = values[judged];
  const severity = judgedValue === null ? null : severityOf(judged, judgedValue);
  return (
    <div class={`tile${severity === null ? '' : ` is-${severity}`}`}>
      <dt class="tile-title">
        {title}
        {severity !== null && <span class="tile-word">{WORDS[severity]}</span>}
      </dt>
      <dd class="tile-value">{known(values[figure], format)}</dd>
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
