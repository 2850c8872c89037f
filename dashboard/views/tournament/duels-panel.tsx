// Head-to-head results, as in the cross table of a chess tournament: rows and columns are the entrants by place.
import { useMemo } from 'preact/hooks';
import { DUEL_ENTRANTS_MAX } from '../../limits.js';
import { Panel } from '../../parts/page.js';
import { type Column, Table } from '../../parts/table.js';
import type { Tournament } from '../../world/documents.js';
import { EntrantName } from './entrants.js';
import { type Duel, duelsOf, type Standing, shareOfDuel, standingsOf } from './standings.js';

/** Strength of the tint of a cell in which one was always ahead, in percent. */
const TINT_MAX = 40;

export function DuelsPanel({ tournament }: { readonly tournament: Tournament }) {
  const { games, entrants } = tournament;
  const shown = useMemo(() => standingsOf(tournament).slice(0, DUEL_ENTRANTS_MAX), [tournament]);
  const labels = shown.map(({ label }) => label);
  const duels = useMemo(() => duelsOf(games, labels), [games, shown]);
  if (shown.length < 2) return null;
  const columns: readonly Column<Standing>[] = [
    { title: 'Place', isNumber: true, cell: ({ place }) => place },
    { title: 'Entrant', isHeading: true, cell: ({ label }) => <EntrantName label={label} entrants={entrants} /> },
    ...shown.map(
      ({ label: other, place }): Column<Standing> => ({
        title: String(place),
        head: <abbr title={other}>{place}</abbr>,
        cell: ({ label: one }) => <DuelCell one={one} other={other} duel={duels.get(one)?.get(other)} />,
      }),
    ),
  ];
  const isCut = tournament.ratings.length > shown.length;
  return (
    <Panel title="Head to head">
      <div class="duels">
        <Table
          caption="How often the entrant of the row finished ahead of that of the column, in percent"
          keyOf={({ label }) => label}
          rows={shown}
          columns={columns}
        />
      </div>
      <p class="chart-note">
        In how many of a hundred games the entrant of the row finished ahead of the one whose place heads the column.
        Level games count half.{isCut && ` The first ${DUEL_ENTRANTS_MAX} entrants.`}
      </p>
    </Panel>
  );
}

interface DuelCellProps {
  readonly one: string;
  readonly other: string;
  readonly duel: Duel | undefined;
}

function DuelCell({ one, other, duel }: DuelCellProps) {
  if (one === other) return <span class="duel is-self" />;
  const share = duel === undefined ? null : shareOfDuel(duel);
  if (duel === undefined || share === null) return <span class="duel is-unknown">–</span>;
  const { games, ahead, level } = duel;
  const tint = Math.round(Math.abs(share - 0.5) * 2 * TINT_MAX);
  const colour = share >= 0.5 ? 'var(--accent)' : 'var(--warning)';
  const levels = level === 0 ? '' : `, level in ${level}`;
  return (
    <span
      class="duel"
      style={{ backgroundColor: `color-mix(in srgb, ${colour} ${tint}%, transparent)` }}
      title={`${one} was ahead of ${other} in ${ahead} of ${games} games${levels}`}
    >
      {Math.round(100 * share)}
    </span>
  );
}
