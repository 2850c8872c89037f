// The leaderboard: who leads, and the course of points over world time.
import { useMemo } from 'preact/hooks';
import { Chart } from '../chart/chart.js';
import type { ChartSeries } from '../chart/series.js';
import { colourOfPlayer, numberOfPlayer } from '../colours.js';
import { COURSES_HEIGHT_PX } from '../limits.js';
import { formatCount, formatShort } from '../parts/format.js';
import { FailureNotice, Loaded } from '../parts/notice.js';
import { Page, Panel } from '../parts/page.js';
import { type Column, counts, Table } from '../parts/table.js';
import { Count, PlanetLink, PlayerName, Points, say, Unknown } from '../parts/values.js';
import {
  firstRanks,
  type LeaderboardCourses,
  type LeaderboardPlayer,
  useLeaderboard,
  useLeaderboardCourses,
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
      <Courses />
      <Loaded document={leaderboard}>{({ players }) => <Ranking players={players} />}</Loaded>
    </Page>
  );
}

const NONE: Pick<LeaderboardCourses, 'samples' | 'players'> = { samples: [], players: [] };

function Courses() {
  const { state, body, failure } = useLeaderboardCourses().value;
  const { samples, players } = body ?? NONE;
  const times = useMemo(() => samples.map((sample) => Date.parse(sample)), [samples]);
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
function seriesOf(players: LeaderboardCourses['players'], colours: readonly string[]): ChartSeries[] {
  return players.map(({ id, name, points }, index) => {
    const isUnique = players.every((other) => other.id === id || other.name !== name);
    return { id, label: isUnique ? name : `${name} (${id})`, colour: colours[index] ?? '', values: points };
  });
}

function Ranking({ players }: { readonly players: readonly LeaderboardPlayer[] }) {
  const most = players[0]?.points ?? 0;
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
    <Panel title="Ranking" actions={<span class="ranking-note">Change: since this page was opened</span>}>
      <div class="ranking">
        <Table
          caption="Players by points"
          keyOf={({ id }) => id}
          rows={players}
          empty="Nobody plays yet."
          columns={columns}
        />
      </div>
    </Panel>
  );
}

/** How many ranks a player has risen or fallen. */
function Change({ player: { id, rank } }: { readonly player: LeaderboardPlayer }) {
  const ranks = firstRanks.value;
  const first = ranks?.get(id);
  if (ranks === null || first === rank) return <span class="rank-change is-unknown">–</span>;
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
