// A fleet is back: ships and cargo land at its origin.
import { fleetEventHead, stationFleet } from '../fleets.js';
import type { Fleet, World } from '../state.js';

export function returnFleet(world: World, fleet: Fleet): void {
  const origin = world.planets.get(fleet.originKey);
  if (origin === undefined) throw new Error(`fleet ${fleet.number} has no planet ${fleet.originKey} to return to`);
  stationFleet(world, fleet, origin);
  world.events?.push({
    kind: 'fleet_returned',
    ...fleetEventHead(world, fleet),
    // The fleet is gone, so its lists do not change any more.
    ships: fleet.ships,
    cargo: fleet.cargo,
  });
}
