// Shows a star system to everybody.
import type { PlanetKey, Star } from '../map/universe.js';
import type { ReadonlyPlanet, ReadonlyWorld } from '../world/state.js';

export interface SystemView {
  readonly galaxy: number;
  readonly system: number;
  readonly star: Star;
  readonly planets: readonly { readonly key: PlanetKey; readonly planet: ReadonlyPlanet | undefined }[];
  /** Seq of the last change to an owned planet of the system; 0 if there is none. */
  readonly changedSeq: number;
}

/**
 * Returns a system with all of its planets, owned or not, by slot.
 *
 * @param galaxy 1 to 100
 * @param system 0 to systemsPerGalaxy - 1
 * @returns undefined if there is no such system
 */
export function viewSystem(world: ReadonlyWorld, galaxy: number, system: number): SystemView | undefined {
  const { universe } = world;
  if (!universe.hasSystem(galaxy, system)) return undefined;
  const systemKey = universe.systemKey(galaxy, system);
  const planets = universe.planetKeys(systemKey).map((key) => ({ key, planet: world.planets.get(key) }));
  const changedSeq = planets.reduce((latest, { planet }) => Math.max(latest, planet?.changedSeq ?? 0), 0);
  return { galaxy, system, star: universe.star(systemKey), planets, changedSeq };
}
