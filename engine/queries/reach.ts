// How far planets see, under rules with `sight`: as far as the research of their owner reaches.
import { distanceBetween, type PlanetKey } from '../map/universe.js';
import { SIGHT_SYSTEMS_MAX } from '../rules/limits.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../world/state.js';

/**
 * Returns the planets in reach of planets of a player, those themselves among them: in their galaxies, and there at most SIGHT_SYSTEMS_MAX
 * systems to each side. None if the player has not researched it.
 *
 * @param planets of the player
 */
export function planetsInReach(
  world: ReadonlyWorld,
  player: ReadonlyPlayer,
  planets: readonly ReadonlyPlanet[],
): Set<PlanetKey> {
  const reach = world.rules.reachOf(player);
  return new Set(reach === 0 ? [] : planets.flatMap(({ key }) => keysInReach(world, key, reach)));
}

function keysInReach({ universe }: ReadonlyWorld, home: PlanetKey, reach: number): PlanetKey[] {
  const from = universe.positionOf(home);
  const keys: PlanetKey[] = [];
  for (let system = from.system - SIGHT_SYSTEMS_MAX; system <= from.system + SIGHT_SYSTEMS_MAX; system += 1) {
    if (!universe.hasSystem(from.galaxy, system)) continue;
    for (const key of universe.planetKeys(universe.systemKey(from.galaxy, system))) {
      if (distanceBetween(from, universe.positionOf(key)) <= reach) keys.push(key);
    }
  }
  return keys;
}
