// The course of a player's points, as long as the server keeps it. It ends with the points that the page shows.
import { useMemo } from 'preact/hooks';
import { Chart } from '../../chart/chart.js';
import { colourOfPlayer, numberOfPlayer } from '../../colours.js';
import { COURSE_HEIGHT_PX } from '../../limits.js';
import { formatCount, formatShort } from '../../parts/format.js';
import { FailureNotice } from '../../parts/notice.js';
import { coursesUntil } from '../../world/courses.js';
import { type PlayerFacts, usePlayerCourse } from '../../world/documents.js';

export function CoursePanel({ facts }: { readonly facts: PlayerFacts }) {
  const { state, body, failure } = usePlayerCourse(facts.id).value;
  const colour = colourOfPlayer(numberOfPlayer(facts.id));
  const { times, series } = useMemo(() => {
    const { times, players } = coursesUntil(body, [facts], facts.atMs);
    return { times, series: players.map(({ id, name, points }) => ({ id, label: name, colour, values: points })) };
  }, [body, facts, colour]);
  const isKept = series.some(({ values }) => values.slice(0, -1).some((value) => value !== null));
  const empty =
    state === 'loading' ? 'Loading…' : 'The server has kept nothing yet: it keeps the points of the first 100 players.';
  return (
    <Chart
      title="Points over time"
      fileName={facts.id}
      times={isKept ? times : []}
      series={series}
      zone="world"
      format={formatCount}
      formatTick={formatShort}
      heightPx={COURSE_HEIGHT_PX}
      empty={state === 'error' ? <FailureNotice failure={failure} /> : empty}
    />
  );
}
