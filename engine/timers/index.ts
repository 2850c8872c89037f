// What each kind of timer fires.
import type { World } from '../state.js';
import { type DueTimer, TIMER_KINDS, type TimerKind } from '../timer-queue.js';
import { completeBuilding } from './building-complete.js';
import { arriveFleet } from './fleet-arrive.js';
import { returnFleet } from './fleet-return.js';
import { completeResearch } from './research-complete.js';
import { completeShips } from './ships-complete.js';

const FIRINGS: Readonly<Record<TimerKind, (world: World, target: number) => void>> = {
  [TIMER_KINDS.building_complete]: completeBuilding,
  [TIMER_KINDS.ships_complete]: completeShips,
  [TIMER_KINDS.research_complete]: completeResearch,
  [TIMER_KINDS.fleet_arrive]: arriveFleet,
  [TIMER_KINDS.fleet_return]: returnFleet,
};

/** Lets a due timer take effect at its own deadline. */
export function fire(world: World, timer: DueTimer): void {
  world.nowMs = timer.deadlineMs;
  FIRINGS[timer.kind](world, timer.target);
}
