// The map as a table: the same galaxies, systems and planets for those who do not see the picture.
import { linkTo } from '../../address.js';
import { Count } from '../../parts/count.js';
import { FailureNotice, Notice } from '../../parts/notice.js';
import { PlayerName } from '../../parts/player-name.js';
import { Table } from '../../parts/table.js';
import { galaxies } from '../../world/map-state.js';
import type { Target } from './geometry.js';
import { galaxyShown, systemShown } from './shown.js';
import { ownersOfCells } from './summary.js';

export function MapTable({ target }: { readonly target: Target }) {
  return (
    <div class="map-table">
      {target.view === 'universe' && <UniverseTable />}
      {target.view === 'galaxy' && <GalaxyTable galaxy={target.galaxy} />}
      {(target.view === 'system' || target.view === 'planet') && (
        <SystemTable galaxy={target.galaxy} system={target.system} />
      )}
    </div>
  );
}

function UniverseTable() {
  const rows = Array.from(galaxies.value.values()).toSorted((one, other) => one.index - other.index);
  return (
    <Table
      caption="Galaxies in which somebody has settled"
      rows={rows}
      keyOf={({ index }) => index}
      empty="Nobody has settled anywhere yet."
      columns={[
        {
          title: 'Galaxy',
          isHeading: true,
          cell: ({ index }) => <a href={linkTo({ view: 'galaxy', galaxy: index })}>Galaxy {index}</a>,
        },
        { title: 'Planets', isNumber: true, cell: ({ planets }) => <Count value={planets} /> },
        { title: 'Players', isNumber: true, cell: ({ players }) => <Count value={players} /> },
        {
          title: 'Leads most systems',
          isMinor: true,
          cell: (cells) =>
            ownersOfCells(cells, 1).map(({ player }) => <PlayerName key={player} playerId={`player-${player}`} />),
        },
      ]}
    />
  );
}

function GalaxyTable({ galaxy }: { readonly galaxy: number }) {
  const document = galaxyShown.value;
  if (document === null || document.state === 'loading') return <Notice kind="loading" title="Loading…" />;
  if (document.state === 'error') return <FailureNotice failure={document.failure} />;
  return (
    <Table
      caption={`Systems of galaxy ${galaxy}`}
      rows={document.body.systems}
      keyOf={({ index }) => index}
      columns={[
        {
          title: 'System',
          isHeading: true,
          cell: ({ index }) => <a href={linkTo({ view: 'system', galaxy, system: index })}>System {index}</a>,
        },
        { title: 'Planets', isNumber: true, isMinor: true, cell: ({ planets }) => <Count value={planets} /> },
        { title: 'With an owner', isNumber: true, cell: ({ planets, free }) => <Count value={planets - free} /> },
        {
          title: 'Owners',
          cell: ({ owners }) => (
            <span class="map-owners">
              {owners.slice(0, 4).map(({ playerId }) => (
                <PlayerName key={playerId} playerId={playerId} />
              ))}
              {owners.length > 4 && <span class="unit">and {owners.length - 4} more</span>}
            </span>
          ),
        },
      ]}
    />
  );
}

function SystemTable({ galaxy, system }: { readonly galaxy: number; readonly system: number }) {
  const document = systemShown.value;
  if (document === null || document.state === 'loading') return <Notice kind="loading" title="Loading…" />;
  if (document.state === 'error') return <FailureNotice failure={document.failure} />;
  return (
    <Table
      caption={`Planets of ${document.body.system.star.name}`}
      rows={document.body.planets}
      keyOf={({ slot }) => slot}
      columns={[
        {
          title: 'Slot',
          isNumber: true,
          cell: ({ slot }) => <a href={linkTo({ view: 'planet', galaxy, system, slot })}>{slot}</a>,
        },
        { title: 'Planet', isHeading: true, cell: ({ name }) => name },
        {
          title: 'Owner',
          cell: ({ owner }) =>
            owner === null ? <span class="unit">nobody</span> : <PlayerName playerId={owner.id} name={owner.name} />,
        },
      ]}
    />
  );
}
