// The table of the leaderboard.
import { Count } from '../../parts/count.js';
import { Panel } from '../../parts/page.js';
import { PlanetLink } from '../../parts/planet-link.js';
import { PlayerName } from '../../parts/player-name.js';
import { type Column, Table } from '../../parts/table.js';
import type { Shapes } from '../../world/api.js';
import { firstRanks } from '../../world/leaderboard.js';

type Ranked = Shapes['Leaderboard']['players'][number];

export function Ranking({ players }: { readonly players: readonly Ranked[] }) {
  const most = players[0]?.points ?? 0;
  const columns: readonly Column<Ranked>[] = [
    { title: 'Rank', isNumber: true, cell: ({ rank }) => <Count value={rank} /> },
    { title: 'Change', cell: (player) => <Change player={player} /> },
    { title: 'Player', isHeading: true, cell: ({ id, name }) => <PlayerName playerId={id} name={name} /> },
    { title: 'Kind', isMinor: true, cell: ({ isBot }) => <span class="is-unknown">{isBot ? 'bot' : 'person'}</span> },
    { title: 'Points', isNumber: true, cell: ({ points }) => <Points points={points} most={most} /> },
    { title: 'Planets', isNumber: true, cell: ({ planets }) => <Count value={planets} /> },
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
function Change({ player: { id, rank } }: { readonly player: Ranked }) {
  const ranks = firstRanks.value;
  const first = ranks?.get(id);
  if (ranks === null || first === rank) return <span class="rank-change is-unknown">–</span>;
  if (first === undefined) return <span class="rank-change is-up">new</span>;
  const risen = first - rank;
  return (
    <span class={`rank-change ${risen > 0 ? 'is-up' : 'is-down'}`}>
      <span aria-hidden="true">{risen > 0 ? '▲' : '▼'} </span>
      <span class="for-readers">{risen > 0 ? 'up ' : 'down '}</span>
      {Math.abs(risen)}
    </span>
  );
}

/** Points, with a bar that compares them with the first. */
function Points({ points, most }: { readonly points: number; readonly most: number }) {
  return (
    <span class="points">
      <span class="points-bar" style={{ width: `${most === 0 ? 0 : (points / most) * 100}%` }} />
      <Count value={points} />
    </span>
  );
}
