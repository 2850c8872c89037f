// The map in words and numbers: what the panel, the tables and the tips say of it. Pure.
import type { GalaxyCells, Leg, Place } from '../../world/map-state.js';
import type { Target } from './geometry.js';

export interface OwnerOfCells {
  readonly player: number;
  /** Cells in which nobody has more planets. */
  readonly cells: number;
}

/** The players who lead in most cells, the first ones first. */
export function ownersOfCells({ owners }: GalaxyCells, most: number): OwnerOfCells[] {
  const cellsOf = new Map<number, number>();
  for (const player of owners) if (player !== 0) cellsOf.set(player, (cellsOf.get(player) ?? 0) + 1);
  return Array.from(cellsOf, ([player, cells]) => ({ player, cells }))
    .toSorted((one, other) => other.cells - one.cells || one.player - other.player)
    .slice(0, most);
}

export function placeText({ galaxy, system, slot }: Place): string {
  return `${galaxy}:${system}:${slot}`;
}

/** The fleets that come from or go to a place, the next arrival first. */
export function fleetsOf(
  fleets: Iterable<Leg>,
  target: Target,
  most: number,
): { readonly count: number; readonly next: Leg[] } {
  const found: Leg[] = [];
  for (const leg of fleets) if (isAt(leg.from, target) || isAt(leg.to, target)) found.push(leg);
  found.sort((one, other) => one.arrivesAtMs - other.arrivesAtMs || one.fleet - other.fleet);
  return { count: found.length, next: found.slice(0, most) };
}

function isAt({ galaxy, system, slot }: Place, target: Target): boolean {
  switch (target.view) {
    case 'universe':
      return true;
    case 'galaxy':
      return galaxy === target.galaxy;
    case 'system':
      return galaxy === target.galaxy && system === target.system;
    case 'planet':
      return galaxy === target.galaxy && system === target.system && slot === target.slot;
  }
}

/** The next view outwards; null if everything is shown. */
export function outwards(target: Target): Target | null {
  switch (target.view) {
    case 'universe':
      return null;
    case 'galaxy':
      return { view: 'universe' };
    case 'system':
      return { view: 'galaxy', galaxy: target.galaxy };
    case 'planet':
      return { view: 'system', galaxy: target.galaxy, system: target.system };
  }
}

/** What a view is called. */
export function titleOf(target: Target): string {
  switch (target.view) {
    case 'universe':
      return 'Universe';
    case 'galaxy':
      return `Galaxy ${target.galaxy}`;
    case 'system':
      return `System ${target.system}`;
    case 'planet':
      return `Planet ${target.slot}`;
  }
}

/** From the universe to the view itself. */
export function pathTo(target: Target): Target[] {
  const before = outwards(target);
  return before === null ? [target] : [...pathTo(before), target];
}
