// The map as a table: the same galaxies, systems and planets for those who do not see the picture.
import { linkTo } from '../../address.js';
import { Loaded } from '../../parts/notice.js';
import { type Column, counts, Table } from '../../parts/table.js';
import { PlayerName } from '../../parts/values.js';
import type { Shapes } from '../../world/api.js';
import { type GalaxyCells, galaxies } from '../../world/map-state.js';
import { partsOf, type Target } from './map/geometry.js';
import { galaxyShown, systemShown } from './map/shown.js';
import { ownersOfCells } from './summary.js';

type System = Shapes['GalaxyOverview']['systems'][number];
type Planet = Shapes['SystemView']['planets'][number];

const OWNERS_SHOWN = 4;

export function MapTable({ target }: { readonly target: Target }) {
  const [galaxy, system] = partsOf(target);
  return (
    <div class="map-table">
      {galaxy === undefined && <Galaxies />}
      {galaxy !== undefined && system === undefined && <Systems galaxy={galaxy} />}
      {galaxy !== undefined && system !== undefined && <Planets galaxy={galaxy} system={system} />}
    </div>
  );
}

function Galaxies() {
  const columns: readonly Column<GalaxyCells>[] = [
    {
      title: 'Galaxy',
      isHeading: true,
      cell: ({ index }) => <a href={linkTo({ view: 'galaxy', galaxy: index })}>Galaxy {index}</a>,
    },
    counts('Planets', ({ planets }) => planets),
    counts('Players', ({ players }) => players),
    {
      title: 'Leads most systems',
      isMinor: true,
      cell: (cells) =>
        ownersOfCells(cells, 1).map(({ player }) => <PlayerName key={player} playerId={`player-${player}`} />),
    },
  ];
  return (
    <Table
      caption="Galaxies in which somebody has settled"
      rows={Array.from(galaxies.value.values()).toSorted((one, other) => one.index - other.index)}
      keyOf={({ index }) => index}
      empty="Nobody has settled anywhere yet."
      columns={columns}
    />
  );
}

function Systems({ galaxy }: { readonly galaxy: number }) {
  const columns: readonly Column<System>[] = [
    {
      title: 'System',
      isHeading: true,
      cell: ({ index }) => <a href={linkTo({ view: 'system', galaxy, system: index })}>System {index}</a>,
    },
    counts('Planets', ({ planets }) => planets, true),
    counts('With an owner', ({ planets, free }) => planets - free),
    {
      title: 'Owners',
      cell: ({ owners }) => (
        <span class="map-owners">
          {owners.slice(0, OWNERS_SHOWN).map(({ playerId }) => (
            <PlayerName key={playerId} playerId={playerId} />
          ))}
          {owners.length > OWNERS_SHOWN && <span class="unit">and {owners.length - OWNERS_SHOWN} more</span>}
        </span>
      ),
    },
  ];
  return (
    <Loaded document={galaxyShown.value}>
      {({ systems }) => (
        <Table caption={`Systems of galaxy ${galaxy}`} rows={systems} keyOf={({ index }) => index} columns={columns} />
      )}
    </Loaded>
  );
}

function Planets({ galaxy, system }: { readonly galaxy: number; readonly system: number }) {
  const columns: readonly Column<Planet>[] = [
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
  ];
  return (
    <Loaded document={systemShown.value}>
      {({ system: { star }, planets }) => (
        <Table caption={`Planets of ${star.name}`} rows={planets} keyOf={({ slot }) => slot} columns={columns} />
      )}
    </Loaded>
  );
}
