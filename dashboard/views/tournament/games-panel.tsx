// The games that are over: where each was played, and who was first. Each leads to its page.
import { linkTo } from '../../address.js';
import { GAMES_SHOWN } from '../../limits.js';
import { Count } from '../../parts/count.js';
import { formatCount } from '../../parts/format.js';
import { More } from '../../parts/more.js';
import { Panel } from '../../parts/page.js';
import { type Column, Table } from '../../parts/table.js';
import type { Tournament, TournamentGame } from '../../world/tournament.js';
import { isOfTournament, position } from '../replay/replay.js';
import { EntrantName } from './entrant-name.js';
import { type GamePlayer, rankedPlayers } from './standings.js';

const PODIUM = ['First', 'Second', 'Third'] as const;

interface Row {
  readonly game: TournamentGame;
  /** Its players, the best first. */
  readonly ranked: readonly GamePlayer[];
}

export function GamesPanel({ tournament: { games, entrants } }: { readonly tournament: Tournament }) {
  const places = PODIUM.slice(0, entrants.length);
  const columns: readonly Column<Row>[] = [
    { title: 'Game', isHeading: true, cell: ({ game }) => <GameLink game={game} /> },
    { title: 'Seed', isNumber: true, isMinor: true, cell: ({ game }) => game.seed },
    { title: 'Round', isNumber: true, isMinor: true, cell: ({ game }) => <Count value={game.round} /> },
    ...places.map(
      (title, index): Column<Row> => ({
        title,
        isMinor: index > 0,
        cell: ({ ranked }) => <Placed player={ranked[index]} entrants={entrants} />,
      }),
    ),
    { title: 'Entries', isNumber: true, isMinor: true, cell: ({ game }) => <Count value={game.seq} /> },
  ];
  return (
    <Panel title={games.length === 1 ? '1 game' : `${formatCount(games.length)} games`}>
      <More entries={games} noun="games" shown={GAMES_SHOWN}>
        {(shown) => (
          <div class="games">
            <Table
              caption="Games of the tournament"
              keyOf={({ game }) => game.number}
              rows={shown.map((game) => ({ game, ranked: rankedPlayers(game) }))}
              empty="No game is over yet."
              columns={columns}
            />
          </div>
        )}
      </More>
    </Panel>
  );
}

function GameLink({ game: { number, isRepeatable } }: { readonly game: TournamentGame }) {
  const isShown = isOfTournament.value && position.value?.game === number;
  return (
    <span class="game-name">
      <a href={linkTo({ view: 'tournament', number })}>Game {number}</a>
      {isShown && <span class="badge">in the time machine</span>}
      {!isRepeatable && <span class="badge is-warning">not repeatable</span>}
    </span>
  );
}

interface PlacedProps {
  readonly player: GamePlayer | undefined;
  readonly entrants: Tournament['entrants'];
}

/** Who had a place in a game, and with how many points. */
function Placed({ player, entrants }: PlacedProps) {
  if (player === undefined) return <span class="is-unknown">–</span>;
  return (
    <span class="placed">
      <EntrantName label={player.label} entrants={entrants} />
      <span class="placed-points">
        <Count value={player.points} isShort />
      </span>
    </span>
  );
}
