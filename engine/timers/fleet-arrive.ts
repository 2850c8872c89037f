// A fleet reaches its target: its mission takes effect, and it turns round or ends.
import { endFleet, homeAtMs, sendHome } from '../fleets.js';
import { missionRules } from '../missions/index.js';
import type { Fleet, World } from '../state.js';
import { NO_TIMER } from '../timer-queue.js';

export function arriveFleet(world: World, fleet: Fleet): void {
  fleet.timer = NO_TIMER;
  world.events.push({
    kind: 'fleet_arrived',
    atMs: world.nowMs,
    playerNumber: fleet.owner.number,
    fleetNumber: fleet.number,
    mission: fleet.mission,
    originKey: fleet.originKey,
    targetKey: fleet.targetKey,
    ships: fleet.ships,
    cargo: fleet.cargo,
    returnsAtMs: fleet.returnsAtMs,
  });
  const arrival = missionRules(fleet.mission).arrive(world, fleet);
  if (arrival === 'returns') sendHome(world, fleet, homeAtMs(fleet));
  else if (world.fleets.has(fleet.number)) {
    endFleet(world, fleet);
    world.events.push({
      kind: 'fleet_destroyed',
      atMs: world.nowMs,
      playerNumber: fleet.owner.number,
      fleetNumber: fleet.number,
      mission: fleet.mission,
      originKey: fleet.originKey,
      targetKey: fleet.targetKey,
    });
  }
}
