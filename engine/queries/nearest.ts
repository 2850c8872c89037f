// Finds what is near a planet in its galaxy, the nearest first.
import { distanceBetween, type PlanetKey } from '../map/universe.js';
import { NEIGHBOUR_SYSTEMS_MAX } from '../rules/limits.js';
import type { ReadonlyWorld } from '../world/state.js';

/** Something beside a planet, or the planet itself. */
export interface Near<Found> {
  readonly key: PlanetKey;
  /** In the units of flights. */
  readonly distance: number;
  readonly found: Found;
}

/**
 * Returns what is nearest to a planet; with equal distances the lower key comes first. Looks at NEIGHBOUR_SYSTEMS_MAX systems to each side.
 *
 * @param countMax how many are returned at most
 * @param inSystem what is to be found in a system, by the key of its planet
 */
export function nearestTo<Found>(
  { universe }: ReadonlyWorld,
  fromKey: PlanetKey,
  countMax: number,
  inSystem: (systemKey: number) => Iterable<readonly [PlanetKey, Found]>,
): Near<Found>[] {
  const from = universe.positionOf(fromKey);
  const awayMax = Math.min(NEIGHBOUR_SYSTEMS_MAX, universe.systemsPerGalaxy - 1);
  let nearest: Near<Found>[] = [];
  for (let away = 0; away <= awayMax; away += 1) {
    // The far end of a system can be farther away than the system beside it.
    const last = nearest[countMax - 1];
    if (last !== undefined && last.distance <= distanceBetween(from, { ...from, system: from.system + away })) break;
    const systems = away === 0 ? [from.system] : [from.system - away, from.system + away];
    for (const system of systems) {
      if (!universe.hasSystem(from.galaxy, system)) continue;
      for (const [key, found] of inSystem(universe.systemKey(from.galaxy, system)))
        nearest.push({ key, distance: distanceBetween(from, universe.positionOf(key)), found });
    }
    nearest = nearest.sort(byDistance).slice(0, countMax);
  }
  return nearest;
}

function byDistance(one: Near<unknown>, other: Near<unknown>): number {
  return one.distance - other.distance || one.key - other.key;
}
