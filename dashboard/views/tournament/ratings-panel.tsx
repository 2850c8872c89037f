// The standings: a row for each entrant, with its rating as a dot and its confidence interval as a line, all on one axis.
import { shareOf, type ValueAxis, valueAxis } from '../../chart/axes.js';
import { RATING_MARGIN_MIN, RATING_MARGIN_SHARE, RATING_TICKS_MAX } from '../../limits.js';
import { formatCount, formatPlural } from '../../parts/format.js';
import { Panel } from '../../parts/page.js';
import { type Column, counts, Table } from '../../parts/table.js';
import { say } from '../../parts/values.js';
import type { Tournament } from '../../world/documents.js';
import { EntrantName } from './entrants.js';
import { type Standing, standingsOf } from './standings.js';

export function RatingsPanel({ tournament }: { readonly tournament: Tournament }) {
  const { entrants, withheld } = tournament;
  const standings = standingsOf(tournament);
  const axis = axisOf(standings);
  const columns: readonly Column<Standing>[] = [
    { title: 'Place', isNumber: true, cell: (standing) => <Place standing={standing} /> },
    { title: 'Entrant', isHeading: true, cell: ({ label }) => <EntrantName label={label} entrants={entrants} /> },
    counts('Rating', ({ rating }) => rating),
    {
      title: '95 % confidence interval',
      head: <Ticks axis={axis} />,
      cell: (standing) => <Interval standing={standing} axis={axis} />,
    },
    { title: 'Mean rank', isNumber: true, isMinor: true, cell: (standing) => <MeanRank standing={standing} /> },
    counts('Firsts', ({ firsts }) => firsts, true),
    counts('Games', ({ games }) => games, true),
    { title: 'Faults', isNumber: true, isMinor: true, cell: ({ faults }) => <FaultCount faults={faults} /> },
  ];
  return (
    <Panel title="Standings">
      <div class="standings">
        <Table
          caption="Entrants by rating"
          keyOf={({ label }) => label}
          rows={standings}
          empty="No game is over yet."
          columns={columns}
        />
      </div>
      <p class="chart-note">
        The line through a dot holds the true rating with 95 % confidence. A place has a range if the games do not say
        who is better. Faults are early ends, refused starts and turns out of time.
      </p>
      {withheld.map(({ label, games, finished, faults }) => (
        <p key={label} class="chart-note">
          {say`${<EntrantName label={label} entrants={entrants} />} has no rating: it finished ${formatCount(finished)} of ${formatPlural(games, 'game')}, with ${formatPlural(faults, 'fault')}.`}
        </p>
      ))}
    </Panel>
  );
}

/** An axis that ends shortly beyond the intervals, so that they have all its width. */
function axisOf(standings: readonly Standing[]): ValueAxis {
  const ends = standings.flatMap(({ low, high, rating }) => [low, high, rating]);
  const [lowest, highest] = [Math.min(...ends), Math.max(...ends)];
  const margin = RATING_MARGIN_SHARE * (highest - lowest) + RATING_MARGIN_MIN;
  const [min, max] = ends.length === 0 ? [0, 1] : [lowest - margin, highest + margin];
  const options = { scale: 'linear', steps: 'decimal', isFromZero: false, ticksMax: RATING_TICKS_MAX } as const;
  const ticks = valueAxis([min, max], options).ticks.filter((tick) => tick >= min && tick <= max);
  return { scale: 'linear', min, max, ticks: ends.length === 0 ? [] : ticks };
}

function Place({ standing: { place, best, worst } }: { readonly standing: Standing }) {
  const [range, title] =
    best === worst ? ['', undefined] : [`${best}–${worst}`, `Place ${best} to ${worst}, as far as the games say`];
  return (
    <>{say`${place}${(
      <span class="standing-range" title={title}>
        {range}
      </span>
    )}`}</>
  );
}

function FaultCount({ faults }: { readonly faults: number }) {
  return <span class={faults === 0 ? 'count' : 'count is-warning'}>{formatCount(faults)}</span>;
}

function MeanRank({ standing: { meanRank, meanRankLow, meanRankHigh } }: { readonly standing: Standing }) {
  return (
    <span title={`From ${meanRankLow.toFixed(2)} to ${meanRankHigh.toFixed(2)} with 95 % confidence`}>
      {meanRank.toFixed(2)}
      <span class="standing-range">
        {meanRankLow.toFixed(1)}–{meanRankHigh.toFixed(1)}
      </span>
    </span>
  );
}

function Ticks({ axis }: { readonly axis: ValueAxis }) {
  return (
    <span class="interval-ticks">
      <span class="for-readers">95 % confidence interval</span>
      {axis.ticks.map((tick) => (
        <span key={tick} class="interval-tick" style={{ left: percent(axis, tick) }} aria-hidden="true">
          {formatCount(tick)}
        </span>
      ))}
    </span>
  );
}

function Interval({ standing, axis }: { readonly standing: Standing; readonly axis: ValueAxis }) {
  const { rating, low, high } = standing;
  const text = `${formatCount(low)} to ${formatCount(high)}`;
  return (
    <span class="interval" title={text}>
      {axis.ticks.map((tick) => (
        <span key={tick} class="interval-grid" style={{ left: percent(axis, tick) }} />
      ))}
      <span
        class="interval-line"
        style={{ left: percent(axis, low), width: `${100 * (shareOf(axis, high) - shareOf(axis, low))}%` }}
      />
      <span class="interval-dot" style={{ left: percent(axis, rating) }} />
      <span class="for-readers">{text}</span>
    </span>
  );
}

function percent(axis: ValueAxis, value: number): string {
  return `${100 * shareOf(axis, value)}%`;
}
