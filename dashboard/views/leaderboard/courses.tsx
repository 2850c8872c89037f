// The course of the leaders' points over world time.
import { useMemo } from 'preact/hooks';
import { colourOfPlayer, numberOfPlayer } from '../../colours.js';
import { COURSES_HEIGHT_PX } from '../../limits.js';
import { Chart, type ChartSeries } from '../../parts/chart.js';
import { formatCount, formatShort } from '../../parts/format.js';
import { FailureNotice } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';
import { type LeaderboardCourses, useLeaderboardCourses } from '../../world/leaderboard.js';

const TITLE = 'Points over time';
const NONE: Pick<LeaderboardCourses, 'samples' | 'players'> = { samples: [], players: [] };

export function Courses() {
  const courses = useLeaderboardCourses();
  const { state, body, failure } = courses.value;
  const { samples, players } = body ?? NONE;
  const times = useMemo(() => samples.map((sample) => Date.parse(sample)), [samples]);
  const colours = players.map(({ id }) => colourOfPlayer(numberOfPlayer(id))).join(' ');
  const series = useMemo(() => seriesOf(players, colours.split(' ')), [players, colours]);
  if (state === 'error')
    return (
      <Panel title={TITLE}>
        <div class="courses-failure" style={{ minHeight: `${COURSES_HEIGHT_PX}px` }}>
          <FailureNotice failure={failure} />
        </div>
      </Panel>
    );
  return (
    <Chart
      title={TITLE}
      fileName="leaderboard"
      times={times}
      series={series}
      zone="world"
      format={formatCount}
      formatTick={formatShort}
      heightPx={COURSES_HEIGHT_PX}
      hasScales
      note="World time. The server keeps the course from its start on; a replay shows all of it. Choose a name to see its line alone."
      empty={
        state === 'loading' ? 'Loading…' : 'The server has just started: the course begins with its second sample.'
      }
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
