// A fleet is back: ships and cargo land at its origin.
import { stationFleet } from '../fleets.js';
import type { Fleet, World } from '../state.js';

export function returnFleet(world: World, fleet: Fleet): void {
  const origin = world.planets.get(fleet.originKey);
  if (origin === undefined) throw new Error(`fleet ${fleet.number} has no planet ${fleet.originKey} to return to`);
  stationFleet(world, fleet, origin);
}
