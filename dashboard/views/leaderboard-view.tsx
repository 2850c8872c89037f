// The leaderboard: who leads, and the course of points over world time.
import { useMemo, useState } from 'preact/hooks';
import { route } from '../address.js';
import { Chart } from '../chart/chart.js';
import type { ChartSeries } from '../chart/series.js';
import { colourOfPlayer, numberOfPlayer } from '../colours.js';
import { COURSES_HEIGHT_PX, COURSES_SHOWN, RANKS_PER_PAGE } from '../limits.js';
import { Button } from '../parts/button.js';
import { formatCount, formatShort } from '../parts/format.js';
import { FailureNotice, Loaded } from '../parts/notice.js';
import { Page, Panel } from '../parts/page.js';
import { type Column, counts, Table } from '../parts/table.js';
import { Count, PlanetLink, PlayerName, Points, say, TimeText, Unknown } from '../parts/values.js';
import { type Course, coursesUntil } from '../world/courses.js';
import {
  firstRanks,
  type Leaderboard,
  type LeaderboardPlayer,
  useLeaderboard,
  useLeaderboardCourses,
  useRanks,
} from '../world/documents.js';

export function LeaderboardView() {
  const leaderboard = useLeaderboard().value;
  const { body } = leaderboard;
  const [shown, all] = [
    <Count value={body?.players.length ?? 0} />,
    <Count value={body?.playerCount ?? 0} unit="players" />,
  ];
  const subtitle = body === null ? ' ' : say`${shown} of ${all}, by the resources in their buildings and ships`;
  return (
    <Page title="Leaderboard" subtitle={subtitle}>
      <Courses leaderboard={body} />
      <Loaded document={leaderboard}>{(first) => <Ranking first={first} />}</Loaded>
    </Page>
  );
}

const NONE = { times: [], players: [] };

/** The courses end with what the table shows, so that both are of one instant. */
function Courses({ leaderboard }: { readonly leaderboard: Leaderboard | null }) {
  const { state, body, failure } = useLeaderboardCourses().value;
  const { times, players } = useMemo(() => {
    if (leaderboard === null) return NONE;
    const shown = leaderboard.players.slice(0, COURSES_SHOWN);
    return coursesUntil(body, shown, Date.parse(leaderboard.asOf));
  }, [body, leaderboard]);
  const colours = players.map(({ id }) => colourOfPlayer(numberOfPlayer(id))).join(' ');
  const series = useMemo(() => seriesOf(players, colours.split(' ')), [players, colours]);
  const empty =
    state === 'loading' ? 'Loading…' : 'The server has just started: the course begins with its second sample.';
  return (
    <Chart
      title="Points over time"
      fileName="leaderboard"
      times={times}
      series={series}
      zone="world"
      format={formatCount}
      formatTick={formatShort}
      heightPx={COURSES_HEIGHT_PX}
      hasScales
      note="World time. The server keeps the course from its start on; a replay shows all of it. Choose a name to see its line alone."
      empty={state === 'error' ? <FailureNotice failure={failure} /> : empty}
    />
  );
}

/** Two players may have the same name: then the id tells them apart. */
function seriesOf(players: readonly Course[], colours: readonly string[]): ChartSeries[] {
  return players.map(({ id, name, points }, index) => {
    const isUnique = players.every((other) => other.id === id || other.name !== name);
    return { id, label: isUnique ? name : `${name} (${id})`, colour: colours[index] ?? '', values: points };
  });
}

function Ranking({ first }: { readonly first: Leaderboard }) {
  const [offset, setOffset] = useState(0);
  return (
    <Panel
      title="Ranking"
      actions={
        <span class="ranking-note">
          {say`As of ${<TimeText at={first.asOf} />}`}. Change: since this page was opened
        </span>
      }
    >
      {offset === 0 ? (
        <Ranks players={first.players} most={first.players[0]?.points ?? 0} />
      ) : (
        <LaterRanks offset={offset} most={first.players[0]?.points ?? 0} />
      )}
      <RankPages offset={offset} count={first.playerCount} onChange={setOffset} />
    </Panel>
  );
}

interface RanksProps {
  readonly players: readonly LeaderboardPlayer[];
  /** The most points that somebody has. */
  readonly most: number;
}

function LaterRanks({ offset, most }: Pick<RanksProps, 'most'> & { readonly offset: number }) {
  return <Loaded document={useRanks(offset).value}>{({ players }) => <Ranks players={players} most={most} />}</Loaded>;
}

interface RankPagesProps {
  readonly offset: number;
  /** Of all players. */
  readonly count: number;
  readonly onChange: (offset: number) => void;
}

/** Leads to the next and the previous ranks, if there are any. */
function RankPages({ offset, count, onChange }: RankPagesProps) {
  if (count <= RANKS_PER_PAGE) return null;
  const page = (to: number, words: string) => (
    <Button disabled={to < 0 || to >= count} onClick={() => onChange(to)}>
      {words}
    </Button>
  );
  return (
    <div class="rank-pages">
      {page(offset - RANKS_PER_PAGE, 'Previous')}
      <span>
        {say`${<Count value={offset + 1} />} to ${<Count value={Math.min(offset + RANKS_PER_PAGE, count)} />} of ${<Count value={count} />}`}
      </span>
      {page(offset + RANKS_PER_PAGE, 'Next')}
    </div>
  );
}

function Ranks({ players, most }: RanksProps) {
  const columns: readonly Column<LeaderboardPlayer>[] = [
    counts('Rank', ({ rank }) => rank),
    { title: 'Change', cell: (player) => <Change player={player} /> },
    { title: 'Player', isHeading: true, cell: ({ id, name }) => <PlayerName playerId={id} name={name} /> },
    { title: 'Kind', isMinor: true, cell: ({ isBot }) => <Unknown text={isBot ? 'bot' : 'person'} /> },
    { title: 'Points', isNumber: true, cell: ({ points }) => <Points points={points} most={most} /> },
    counts('Planets', ({ planets }) => planets),
    { title: 'Home', cell: ({ home }) => (home === null ? '–' : <PlanetLink planetId={home.planetId} />) },
  ];
  return (
    <div class="ranking">
      <Table
        caption="Players by points"
        keyOf={({ id }) => id}
        rows={players}
        isMarked={({ id }) => id === route.value.player}
        empty="Nobody plays yet."
        columns={columns}
      />
    </div>
  );
}

/** How many ranks a player has risen or fallen. */
function Change({ player: { id, rank } }: { readonly player: LeaderboardPlayer }) {
  const ranks = firstRanks.value;
  const first = ranks?.get(id);
  // Only the first ranks are known from then.
  if (ranks === null || first === rank || rank > RANKS_PER_PAGE) return <span class="rank-change is-unknown">–</span>;
  if (first === undefined) return <span class="rank-change is-up">new</span>;
  const risen = first - rank;
  const [way, sign] = risen > 0 ? ['up', '▲'] : ['down', '▼'];
  return (
    <span class={`rank-change is-${way}`}>
      <span aria-hidden="true">{sign} </span>
      <span class="for-readers">{way} </span>
      {Math.abs(risen)}
    </span>
  );
}
