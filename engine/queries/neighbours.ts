// Finds who is near: the planets of other players that are nearest to a planet, in its galaxy.
import { distanceBetween } from '../map/universe.js';
import { NEIGHBOUR_SYSTEMS_MAX } from '../rules/limits.js';
import type { ReadonlyPlanet, ReadonlyWorld } from '../world/state.js';

export interface Neighbour {
  readonly planet: ReadonlyPlanet;
  /** In the units of flights. */
  readonly distance: number;
}

/**
 * Returns the planets of other players that are nearest to a planet, the nearest first; with equal distances the lower key comes first.
 * Looks at its galaxy alone, and there at NEIGHBOUR_SYSTEMS_MAX systems to each side.
 *
 * @param countMax how many are returned at most
 */
export function neighboursOf(world: ReadonlyWorld, home: ReadonlyPlanet, countMax: number): Neighbour[] {
  const { universe } = world;
  const from = universe.positionOf(home.key);
  const awayMax = Math.min(NEIGHBOUR_SYSTEMS_MAX, universe.systemsPerGalaxy - 1);
  let nearest: Neighbour[] = [];
  for (let away = 0; away <= awayMax; away += 1) {
    // The far end of a system can be farther away than the system beside it.
    const last = nearest[countMax - 1];
    if (last !== undefined && last.distance <= distanceBetween(from, { ...from, system: from.system + away })) break;
    const systems = away === 0 ? [from.system] : [from.system - away, from.system + away];
    const found = systems.flatMap((system) => othersIn(world, home, system));
    nearest = [...nearest, ...found].sort(byDistance).slice(0, countMax);
  }
  return nearest;
}

/** The planets of other players in a system of the galaxy of a planet; none if there is no such system. */
function othersIn({ universe, planets }: ReadonlyWorld, home: ReadonlyPlanet, system: number): Neighbour[] {
  const from = universe.positionOf(home.key);
  if (!universe.hasSystem(from.galaxy, system)) return [];
  return universe.planetKeys(universe.systemKey(from.galaxy, system)).flatMap((key) => {
    const planet = planets.get(key);
    if (planet === undefined || planet.ownerNumber === home.ownerNumber) return [];
    return [{ planet, distance: distanceBetween(from, universe.positionOf(key)) }];
  });
}

function byDistance(one: Neighbour, other: Neighbour): number {
  return one.distance - other.distance || one.planet.key - other.planet.key;
}
