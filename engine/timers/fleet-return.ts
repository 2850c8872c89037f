// A fleet is back: ships and cargo land at its origin.
import { stationFleet } from '../fleets.js';
import type { World } from '../state.js';

export function returnFleet(world: World, fleetNumber: number): void {
  const fleet = world.fleets.get(fleetNumber);
  const origin = fleet === undefined ? undefined : world.planets.get(fleet.originKey);
  if (fleet === undefined || origin === undefined) throw new Error(`fleet ${fleetNumber} is not there to return`);
  stationFleet(world, fleet, origin);
}
