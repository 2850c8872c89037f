// The leaderboard: who leads, and the course of points over time.
import { Count } from '../../parts/count.js';
import { Loaded } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import { PlayerName } from '../../parts/player-name.js';
import { Table } from '../../parts/table.js';
import { useLeaderboard } from '../../world/leaderboard.js';

export default function LeaderboardView() {
  const leaderboard = useLeaderboard();
  return (
    <Page title="Leaderboard">
      <Loaded document={leaderboard}>
        {({ players }) => (
          <Table
            caption="Players by points"
            keyOf={({ id }) => id}
            rows={players}
            empty="Nobody plays yet."
            columns={[
              { title: 'Rank', isNumber: true, cell: ({ rank }) => <Count value={rank} /> },
              { title: 'Player', isHeading: true, cell: ({ id, name }) => <PlayerName playerId={id} name={name} /> },
              { title: 'Points', isNumber: true, cell: ({ points }) => <Count value={points} /> },
              { title: 'Planets', isNumber: true, isMinor: true, cell: ({ planets }) => <Count value={planets} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}
