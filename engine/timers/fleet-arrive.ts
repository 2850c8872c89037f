// A fleet reaches its target: its mission takes effect, and what is to return turns round.
import { endFleet, sendHome } from '../fleets.js';
import { missionRules } from '../missions/index.js';
import type { World } from '../state.js';
import { NO_TIMER } from '../timer-queue.js';

export function arriveFleet(world: World, fleetNumber: number): void {
  const fleet = world.fleets.get(fleetNumber);
  if (fleet === undefined) throw new Error(`fleet ${fleetNumber} is not there to arrive`);
  fleet.timer = NO_TIMER;
  const arrival = missionRules(fleet.mission).arrive(world, fleet);
  if (arrival === 'returns') sendHome(world, fleet, world.nowMs + fleet.flightMs);
  else if (world.fleets.has(fleetNumber)) endFleet(world, fleet);
}
