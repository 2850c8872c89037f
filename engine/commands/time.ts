// The tick: the passage of time is an entry of the log, and what it causes is derived.

import { expirePact } from '../diplomacy/pacts.js';
import { arriveFleet, returnFleet } from '../fleets/missions.js';
import { arriveGoods } from '../market/trades.js';
import { expireOffer } from '../planets/offers.js';
import { completeResearch } from '../planets/research.js';
import { completeShips } from '../planets/ship-orders.js';
import { completeBuilding } from '../planets/upgrades.js';
import { advancePlans, fireLane } from '../plans/plans.js';
import { TIMERS_PER_TICK } from '../rules/limits.js';
import { announceShocks, turnShock } from '../shocks/shocks.js';
import type { Refusal } from '../terms/rejections.js';
import type { World } from '../world/state.js';
import { type DueTimer, TIMER_KINDS, type TimerKind } from '../world/timer-queue.js';
import { defineCommand } from './command.js';

export interface AdvancedTime {
  /** Timers that fired. */
  readonly firedCount: number;
}

/** Fires every timer that is due, in order, each at its own deadline. The number of timers per entry is bounded. */
export const advanceTime = defineCommand({
  type: 'advance_time',
  code: 2,
  decode: () => ({ type: 'advance_time' }),

  execute(world, _command, untilMs): AdvancedTime | Refusal {
    let firedCount = 0;
    while (firedCount < TIMERS_PER_TICK && world.timers.nextDeadlineMs <= untilMs) {
      fire(world, world.timers.takeFirst());
      firedCount += 1;
    }
    // World time does not pass the deadline of a timer that is still due.
    world.nowMs = Math.min(untilMs, world.timers.nextDeadlineMs);
    return { firedCount };
  },
});

/** What each kind of timer does when it fires. */
const HANDLERS: Readonly<Record<TimerKind, (world: World, target: number) => void>> = {
  [TIMER_KINDS.building_complete]: completeBuilding,
  [TIMER_KINDS.ships_complete]: completeShips,
  [TIMER_KINDS.research_complete]: completeResearch,
  [TIMER_KINDS.fleet_arrive]: arriveFleet,
  [TIMER_KINDS.fleet_return]: returnFleet,
  [TIMER_KINDS.plan_lane]: fireLane,
  [TIMER_KINDS.offer_end]: expireOffer,
  [TIMER_KINDS.goods_arrive]: arriveGoods,
  [TIMER_KINDS.pact_end]: expirePact,
  [TIMER_KINDS.shocks_announce]: announceShocks,
  [TIMER_KINDS.shock_turn]: turnShock,
};

/** Fires a due timer at its own deadline. */
function fire(world: World, { deadlineMs, kind, target }: DueTimer): void {
  world.nowMs = deadlineMs;
  HANDLERS[kind](world, target);
  if (world.plans.hasMarked) advancePlans(world);
}
