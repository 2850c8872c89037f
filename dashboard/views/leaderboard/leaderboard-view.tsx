// The leaderboard: who leads, and the course of points over time.
import { Count } from '../../parts/count.js';
import { Loaded } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import { useLeaderboard } from '../../world/leaderboard.js';
import { Courses } from './courses.js';
import { Ranking } from './ranking.js';

export default function LeaderboardView() {
  const leaderboard = useLeaderboard();
  const { body } = leaderboard.value;
  const subtitle = body !== null && (
    <>
      <Count value={body.players.length} /> of <Count value={body.playerCount} unit="players" />, by the resources in
      their buildings and ships
    </>
  );
  return (
    <Page title="Leaderboard" subtitle={subtitle || ' '}>
      <Courses />
      <Loaded document={leaderboard}>{({ players }) => <Ranking players={players} />}</Loaded>
    </Page>
  );
}
