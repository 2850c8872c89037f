// The pairs of entrants of which the games do not say who is better, and about how many games would.
import { formatCount, formatPlural } from '../../parts/format.js';
import { More, Panel } from '../../parts/page.js';
import { type Column, Table } from '../../parts/table.js';
import { Unknown } from '../../parts/values.js';
import type { Tournament } from '../../world/documents.js';
import { EntrantName } from './entrants.js';

type Pair = Tournament['unseparated'][number];

export function PairsPanel({ tournament: { unseparated, entrants } }: { readonly tournament: Tournament }) {
  if (unseparated.length === 0) return null;
  const columns: readonly Column<Pair>[] = [
    { title: 'Entrant', isHeading: true, cell: ({ one }) => <EntrantName label={one} entrants={entrants} /> },
    { title: 'Or', cell: ({ other }) => <EntrantName label={other} entrants={entrants} /> },
    {
      title: 'Games that would tell',
      isNumber: true,
      cell: ({ gamesNeeded }) => (gamesNeeded === null ? <Unknown /> : `about ${formatCount(gamesNeeded)}`),
    },
  ];
  return (
    <Panel title={`${formatPlural(unseparated.length, 'pair')} not separated`}>
      <More entries={unseparated} noun="pairs">
        {(shown) => (
          <Table
            caption="Pairs that the games do not separate"
            keyOf={({ one, other }) => `${one} ${other}`}
            rows={shown}
            columns={columns}
          />
        )}
      </More>
    </Panel>
  );
}
