// What planets see of the flights around them, under rules with `sight`. It is computed when somebody asks, and nothing of it is stored.
import { distanceBetween, type PlanetKey } from '../map/universe.js';
import { SIGHT_SYSTEMS_MAX } from '../rules/limits.js';
import type { ReadonlyFleet, ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../world/state.js';

/**
 * Returns the fleets of others that planets of a player see, in the order of their launch: those whose origin or target is in reach,
 * whichever way they fly. Each planet sees as far as the research of its owner reaches, in its galaxy, and there at most
 * SIGHT_SYSTEMS_MAX systems to each side.
 *
 * @param planets of the player
 */
export function seenFleets(
  world: ReadonlyWorld,
  player: ReadonlyPlayer,
  planets: readonly ReadonlyPlanet[],
): ReadonlyFleet[] {
  const reach = world.rules.reachOf(player);
  if (reach === 0) return [];
  const keys = new Set(planets.flatMap(({ key }) => keysInReach(world, key, reach)));
  const seen = new Map<number, ReadonlyFleet>();
  const owners = new Set([player.number]);
  for (const key of keys) {
    for (const fleet of world.fleets.aimedAt(key))
      if (fleet.ownerNumber !== player.number) seen.set(fleet.number, fleet);
    const owner = world.planets.get(key)?.owner;
    if (owner === undefined || owners.has(owner.number)) continue;
    owners.add(owner.number);
    for (const fleet of owner.fleets) if (keys.has(fleet.originKey)) seen.set(fleet.number, fleet);
  }
  return [...seen.keys()].sort((one, other) => one - other).map((number) => seen.get(number) as ReadonlyFleet);
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
