// What each kind of timer fires.
import type { TimerTarget, TimerTargets, World } from '../state.js';
import { type DueTimer, TIMER_KINDS } from '../timer-queue.js';
import { completeBuilding } from './building-complete.js';
import { arriveFleet } from './fleet-arrive.js';
import { returnFleet } from './fleet-return.js';
import { completeResearch } from './research-complete.js';
import { completeShips } from './ships-complete.js';

const FIRINGS: { readonly [Kind in keyof TimerTargets]: (world: World, target: TimerTargets[Kind]) => void } = {
  [TIMER_KINDS.building_complete]: completeBuilding,
  [TIMER_KINDS.ships_complete]: completeShips,
  [TIMER_KINDS.research_complete]: completeResearch,
  [TIMER_KINDS.fleet_arrive]: arriveFleet,
  [TIMER_KINDS.fleet_return]: returnFleet,
};

/** Lets a due timer take effect at its own deadline. */
export function fire(world: World, timer: DueTimer<TimerTarget>): void {
  world.nowMs = timer.deadlineMs;
  // scheduleTimer has seen to it that the target is of the timer's kind, which TypeScript cannot follow through the queue.
  const take = FIRINGS[timer.kind] as (world: World, target: TimerTarget) => void;
  take(world, timer.target);
}
