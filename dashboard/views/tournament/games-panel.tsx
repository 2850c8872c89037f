// The games that are over: where each was played, and who was first. Each leads to its page.
import { linkTo } from '../../address.js';
import { GAMES_SHOWN } from '../../limits.js';
import { formatPlural } from '../../parts/format.js';
import { More, Panel } from '../../parts/page.js';
import { type Column, counts, Table } from '../../parts/table.js';
import { Count, Unknown } from '../../parts/values.js';
import type { Tournament, TournamentGame } from '../../world/documents.js';
import { isOfTournament, position } from '../../world/replay.js';
import { EntrantName } from './entrants.js';
import { type GamePlayer, rankedPlayers, repeatsOf } from './standings.js';

const PODIUM = ['First', 'Second', 'Third'] as const;

interface Row {
  readonly game: TournamentGame;
  /** Its players, the best first. */
  readonly ranked: readonly GamePlayer[];
}

export function GamesPanel({ tournament: { games, entrants } }: { readonly tournament: Tournament }) {
  const repeats = repeatsOf(games);
  const places = PODIUM.slice(0, entrants.length);
  const columns: readonly Column<Row>[] = [
    { title: 'Game', isHeading: true, cell: ({ game }) => <GameLink game={game} repeats={repeats} /> },
    { title: 'Seed', isNumber: true, isMinor: true, cell: ({ game }) => game.seed },
    counts('Round', ({ game }) => game.round, true),
    ...places.map(
      (title, index): Column<Row> => ({
        title,
        isMinor: index > 0,
        cell: ({ ranked }) => <Placed player={ranked[index]} entrants={entrants} />,
      }),
    ),
    counts('Entries', ({ game }) => game.seq, true),
  ];
  return (
    <Panel title={formatPlural(games.length, 'game')}>
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

interface GameLinkProps {
  readonly game: TournamentGame;
  readonly repeats: ReadonlyMap<number, number>;
}

function GameLink({ game: { number, isRepeatable }, repeats }: GameLinkProps) {
  const isShown = isOfTournament.value && position.value?.game === number;
  return (
    <span class="game-name">
      <a href={linkTo({ view: 'tournament', number })}>Game {number}</a>
      {isShown && <span class="badge">in the time machine</span>}
      {repeats.has(number) && <span class="badge">as game {repeats.get(number)}, does not count</span>}
      {!isRepeatable && <span class="badge is-warning">not repeatable</span>}
    </span>
  );
}

/** Who had a place in a game, and with how many points. */
function Placed({ player, entrants }: Pick<Tournament, 'entrants'> & { readonly player: GamePlayer | undefined }) {
  if (player === undefined) return <Unknown />;
  return (
    <span class="placed">
      <EntrantName label={player.label} entrants={entrants} />
      <span class="placed-points">
        <Count value={player.points} isShort />
      </span>
    </span>
  );
}
