// What each kind of timer does when it fires.

import { advancePlans } from '../plans/plans.js';
import type { TimerTarget, TimerTargets, World } from '../state.js';
import { type DueTimer, TIMER_KINDS } from '../timer-queue.js';
import { completeBuilding } from './building-complete.js';
import { arriveFleet } from './fleet-arrive.js';
import { returnFleet } from './fleet-return.js';
import { fireLane } from './plan-lane.js';
import { completeResearch } from './research-complete.js';
import { completeShips } from './ships-complete.js';

const HANDLERS: { readonly [Kind in keyof TimerTargets]: (world: World, target: TimerTargets[Kind]) => void } = {
  [TIMER_KINDS.building_complete]: completeBuilding,
  [TIMER_KINDS.ships_complete]: completeShips,
  [TIMER_KINDS.research_complete]: completeResearch,
  [TIMER_KINDS.fleet_arrive]: arriveFleet,
  [TIMER_KINDS.fleet_return]: returnFleet,
  [TIMER_KINDS.plan_lane]: fireLane,
};

/** Fires a due timer at its own deadline. */
export function fire(world: World, timer: DueTimer<TimerTarget>): void {
  world.nowMs = timer.deadlineMs;
  // scheduleTimer() ensures that the target matches the kind; TypeScript cannot infer that through the queue.
  const handle = HANDLERS[timer.kind] as (world: World, target: TimerTarget) => void;
  handle(world, timer.target);
  if (world.plans.isStirred) advancePlans(world);
}
