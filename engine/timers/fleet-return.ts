// A fleet is back at its origin: its ships and cargo land there.
import { stationFleet } from '../fleets.js';
import type { Fleet, World } from '../state.js';

export function returnFleet(world: World, fleet: Fleet): void {
  const origin = world.planets.get(fleet.originKey);
  if (origin === undefined) throw new Error(`fleet ${fleet.number} has no origin planet ${fleet.originKey}`);
  stationFleet(world, fleet, origin);
  world.events.push({
    kind: 'fleet_returned',
    atMs: world.nowMs,
    playerNumber: fleet.owner.number,
    fleetNumber: fleet.number,
    mission: fleet.mission,
    originKey: fleet.originKey,
    targetKey: fleet.targetKey,
    ships: fleet.ships,
    cargo: fleet.cargo,
  });
}
