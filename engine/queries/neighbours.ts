// Finds who is near: the planets of other players that are nearest to a planet, in its galaxy.
import type { PlanetKey } from '../map/universe.js';
import type { ReadonlyPlanet, ReadonlyWorld } from '../world/state.js';
import { type Near, nearestTo } from './nearest.js';

/** A planet of another player. */
export type Neighbour = Near<ReadonlyPlanet>;

/** Returns the planets of other players that are nearest to a planet, the nearest first. @param countMax how many are returned at most */
export function neighboursOf(world: ReadonlyWorld, home: ReadonlyPlanet, countMax: number): Neighbour[] {
  return nearestTo(world, home.key, countMax, (systemKey) => othersIn(world, home, systemKey));
}

function* othersIn(
  { universe, planets }: ReadonlyWorld,
  { ownerNumber }: ReadonlyPlanet,
  systemKey: number,
): Generator<readonly [PlanetKey, ReadonlyPlanet]> {
  for (const key of universe.planetKeys(systemKey)) {
    const planet = planets.get(key);
    if (planet !== undefined && planet.ownerNumber !== ownerNumber) yield [key, planet];
  }
}
