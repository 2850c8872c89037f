// What planets see of the flights around them, under rules with `sight`. It is computed when somebody asks, and nothing of it is stored.
import type { ReadonlyFleet, ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../world/state.js';
import { planetsInReach } from './reach.js';

/**
 * Returns the fleets of others that planets of a player see, in the order of their launch: those whose origin or target is in reach,
 * whichever way they fly.
 *
 * @param planets of the player
 */
export function seenFleets(
  world: ReadonlyWorld,
  player: ReadonlyPlayer,
  planets: readonly ReadonlyPlanet[],
): ReadonlyFleet[] {
  const keys = planetsInReach(world, player, planets);
  const seen = new Map<number, ReadonlyFleet>();
  const owners = new Set([player.number]);
  for (const key of keys) {
    for (const fleet of world.fleets.aimedAt(key))
      if (fleet.ownerNumber !== player.number && !fleet.isStationed) seen.set(fleet.number, fleet);
    const owner = world.planets.get(key)?.owner;
    if (owner === undefined || owners.has(owner.number)) continue;
    owners.add(owner.number);
    for (const fleet of owner.fleets)
      if (keys.has(fleet.originKey) && !fleet.isStationed) seen.set(fleet.number, fleet);
  }
  return [...seen.keys()].sort((one, other) => one - other).map((number) => seen.get(number) as ReadonlyFleet);
}
