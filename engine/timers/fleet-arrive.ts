// A fleet reaches its target: its mission takes effect, and what is to return turns round.
import { endFleet, sendHome } from '../fleets.js';
import { missionRules } from '../missions/index.js';
import type { Fleet, World } from '../state.js';
import { NO_TIMER } from '../timer-queue.js';

export function arriveFleet(world: World, fleet: Fleet): void {
  fleet.timer = NO_TIMER;
  const arrival = missionRules(fleet.mission).arrive(world, fleet);
  if (arrival === 'returns') sendHome(world, fleet, world.nowMs + fleet.flightMs);
  else if (world.fleets.has(fleet.number)) endFleet(world, fleet);
}
