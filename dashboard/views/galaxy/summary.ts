// The map in words and numbers: what the panel, the tables and the tips say of it. Pure.
import { formatPlural } from '../../parts/format.js';
import type { GalaxyCells, Leg, Place } from '../../world/map-state.js';
import { partsOf, type Target } from './map/geometry.js';

/** The players who lead in most cells, the first ones first, and in how many cells nobody has more planets. */
export function ownersOfCells({ owners }: GalaxyCells, most: number) {
  const cellsOf = new Map<number, number>();
  for (const player of owners) if (player !== 0) cellsOf.set(player, (cellsOf.get(player) ?? 0) + 1);
  return Array.from(cellsOf, ([player, cells]) => ({ player, cells }))
    .toSorted((one, other) => other.cells - one.cells || one.player - other.player)
    .slice(0, most);
}

/** The fleets that come from or go to a place, the next arrival first. */
export function fleetsOf(fleets: Iterable<Leg>, target: Target, most: number) {
  const found = Array.from(fleets).filter(touches(target));
  found.sort((one, other) => one.arrivesAtMs - other.arrivesAtMs || one.fleet - other.fleet);
  return { count: found.length, next: found.slice(0, most) };
}

/** Whether something comes from a place or goes to it. */
export function touches(target: Target): (way: { readonly from: Place; readonly to: Place }) => boolean {
  const parts = partsOf(target);
  const isAt = ({ galaxy, system, slot }: Place): boolean =>
    parts.every((part, index) => [galaxy, system, slot][index] === part);
  return ({ from, to }) => isAt(from) || isAt(to);
}

/** How many pacts and goods the map shows, for those who do not see it; empty if there are none. */
export function tiesText(pactCount: number, goodsCount: number): string {
  const texts = [
    ...(pactCount > 0 ? [`${formatPlural(pactCount, 'pact')} in force`] : []),
    ...(goodsCount > 0 ? [`${formatPlural(goodsCount, 'load')} of goods on the way`] : []),
  ];
  return texts.map((text) => `, ${text}`).join('');
}

/** The views from the universe to the target itself. */
export function pathTo(target: Target): readonly Target[] {
  const universe = { view: 'universe' } as const;
  if (target.view === 'universe') return [universe];
  const galaxy = { view: 'galaxy', galaxy: target.galaxy } as const;
  if (target.view === 'galaxy') return [universe, galaxy];
  const system = { view: 'system', galaxy: target.galaxy, system: target.system } as const;
  return target.view === 'system' ? [universe, galaxy, system] : [universe, galaxy, system, target];
}

const TITLES: Readonly<Record<Target['view'], string>> = {
  universe: 'Universe',
  galaxy: 'Galaxy',
  system: 'System',
  planet: 'Planet',
};

/** What a view is called, such as `System 12`. */
export function titleOf(target: Target): string {
  return [TITLES[target.view], ...partsOf(target).slice(-1)].join(' ');
}
