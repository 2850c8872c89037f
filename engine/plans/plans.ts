// Everything that changes the plans of planets. A plan is examined when its planet has changed other than by the passing of time, when
// a research of its owner is complete, and when the timer of a lane fires (decision 5).

import { beginResearch } from '../planets/research.js';
import { orderShips } from '../planets/ship-orders.js';
import { startUpgrade } from '../planets/upgrades.js';
import {
  blockReason,
  countOf,
  LANES,
  type Lane,
  type LaneName,
  type LaunchOrder,
  laneOf,
  type PackedStep,
  typeOf,
} from '../terms/plan-step.js';
import { isRefusal } from '../terms/rejections.js';
import { laneAt, Plan, type PlanLaneRow, planetRowOf, planLaneRow } from '../world/plan-table.js';
import type { Planet, PlanetRow } from '../world/planet-table.js';
import { type ReadonlyPlan, scheduleTimer, touchPlanet, type World } from '../world/state.js';
import { NO_TIMER, TIMER_KINDS } from '../world/timer-queue.js';
import { startLaunch } from './launch-steps.js';
import { type LaneStanding, standingOf } from './standing.js';

/** What a plan is made of; see Plan. Without steps there is none. */
export type PlanContent = Pick<ReadonlyPlan, 'isSkipping' | 'longerThanMs' | 'steps' | 'launches'>;

/** Gives a planet a plan in place of the one that it has. It is examined before the entry ends. */
export function replacePlan(
  world: World,
  planet: Planet,
  { isSkipping, longerThanMs, steps, launches }: PlanContent,
): void {
  endPlan(world, planet.row);
  if (steps.length > 0)
    world.plans.set(planet.row, new Plan(isSkipping, longerThanMs, steps.slice(), launches.slice()));
  touchPlanet(world, planet);
}

/** Removes the plan of a planet, if it has one. Nothing is recorded. */
export function endPlan(world: World, row: PlanetRow): void {
  const plan = world.plans.get(row);
  if (plan === undefined) return;
  for (let lane = 0; lane < LANES.length; lane += 1) cancelTimer(world, plan, lane);
  world.plans.remove(row);
}

/** Fires the timer of a lane: production covers its first step, so the plan is examined. */
export function fireLane(world: World, laneRow: PlanLaneRow): void {
  const row = planetRowOf(laneRow);
  forgetTimer(world, row, laneAt(laneRow));
  world.plans.mark(row);
}

/** Forgets the timer of a lane, which has fired. */
export function forgetTimer(world: World, row: PlanetRow, lane: Lane): void {
  const plan = world.plans.get(row);
  if (plan === undefined) throw new Error(`row ${row} has no plan whose timer could fire`);
  plan.timers[lane] = NO_TIMER;
  plan.deadlinesMs[lane] = 0;
}

/**
 * Examines the plans of all planets that were marked, in that order, until none is left. A step that starts changes its planet and
 * marks it again. The loop ends because a lane is busy once it has started a step, and because every other change drops a step.
 */
export function advancePlans(world: World): void {
  for (let row = world.plans.takeMarked(); row !== undefined; row = world.plans.takeMarked()) examine(world, row);
}

function examine(world: World, row: PlanetRow): void {
  const plan = world.plans.get(row);
  if (plan === undefined) return;
  const planet = world.planets.at(row);
  if (world.players.isSuspended(planet.ownerNumber)) {
    rest(world, planet, plan);
    return;
  }
  for (let lane = 0; lane < LANES.length; lane += 1) advanceLane(world, planet, plan, lane);
  if (plan.steps.length > 0) return;
  endPlan(world, row);
  touchPlanet(world, planet);
  const { key: planetKey, ownerNumber: playerNumber } = planet;
  world.events.push({ kind: 'plan_completed', atMs: world.nowMs, playerNumber, planetKey });
}

/** Ends the timers of the plan of a suspended player. Once the player is resumed, it is examined again. */
function rest(world: World, planet: Planet, plan: Plan): void {
  if (plan.timers.every((timer) => timer === NO_TIMER)) return;
  for (let lane = 0; lane < LANES.length; lane += 1) cancelTimer(world, plan, lane);
  touchPlanet(world, planet);
}

/** Starts the first step of a lane if it can start, and drops those before it that are blocked if the plan skips them. */
function advanceLane(world: World, planet: Planet, plan: Plan, lane: Lane): void {
  for (;;) {
    const head = plan.headOf(lane);
    const standing = standingOf(world, planet, plan, lane, world.nowMs);
    if (head === undefined || !isMoving(plan, standing)) {
      wait(world, planet, plan, lane, standing);
      return;
    }
    const [order] = plan.launches;
    plan.dropHead(lane);
    touchPlanet(world, planet);
    if (standing.state === 'ready') start(world, planet, head, order);
    recordMove(world, planet, plan, head, standing);
  }
}

function isMoving({ isSkipping }: Plan, { state }: LaneStanding): boolean {
  return state === 'ready' || (state === 'blocked' && isSkipping);
}

/** Returns what it started or changed, or the refusal. */
type StepStart = (world: World, planet: Planet, step: PackedStep, order: LaunchOrder | undefined) => object;

/** How each lane starts a step: as its command does. */
const STARTS: Readonly<Record<LaneName, StepStart>> = {
  buildings: (world, planet, step) => startUpgrade(world, planet, typeOf(step)),
  ships: (world, planet, step) => orderShips(world, planet, typeOf(step), countOf(step)),
  research: (world, planet, step) => beginResearch(world, planet.owner, typeOf(step)),
  fleets: (world, planet, step, order) => {
    if (order === undefined) throw new Error(`planet ${planet.key} has a launch without an order`);
    return startLaunch(world, planet, step, order);
  },
};

/** @param order of a launch @throws Error if the step is refused: the lane was ready */
function start(world: World, planet: Planet, step: PackedStep, order: LaunchOrder | undefined): void {
  const outcome = STARTS[LANES[laneOf(step)] as LaneName](world, planet, step, order);
  if (isRefusal(outcome)) throw new Error(`step ${step} of planet ${planet.key} was ready: ${outcome.code}`);
}

function recordMove(world: World, planet: Planet, plan: Plan, step: PackedStep, { refusal }: LaneStanding): void {
  const { key: planetKey, ownerNumber: playerNumber } = planet;
  const stepsLeft = plan.steps.length;
  const head = { atMs: world.nowMs, playerNumber, planetKey, step };
  if (refusal === null) world.events.push({ kind: 'plan_step_started', ...head, stepsLeft });
  else world.events.push({ kind: 'plan_step_skipped', ...head, reason: blockReason(refusal.code), stepsLeft });
}

/** Sets the timer of a lane that does not move, and records once that its first step is blocked. */
function wait(
  world: World,
  planet: Planet,
  plan: Plan,
  lane: Lane,
  { state, deadlineMs, refusal }: LaneStanding,
): void {
  if (deadlineMs !== plan.deadlinesMs[lane]) {
    cancelTimer(world, plan, lane);
    if (deadlineMs > 0) {
      const laneRow = planLaneRow(planet.row, lane);
      plan.timers[lane] = scheduleTimer(world, deadlineMs, TIMER_KINDS.plan_lane, laneRow);
      plan.deadlinesMs[lane] = deadlineMs;
    }
    touchPlanet(world, planet);
  }
  const step = plan.headOf(lane);
  if (state !== 'blocked' || refusal === null || step === undefined || plan.isReportedBlocked[lane]) return;
  plan.isReportedBlocked[lane] = true;
  touchPlanet(world, planet);
  const { key: planetKey, ownerNumber: playerNumber } = planet;
  const reason = blockReason(refusal.code);
  world.events.push({ kind: 'plan_step_blocked', atMs: world.nowMs, playerNumber, planetKey, step, reason });
}

function cancelTimer(world: World, plan: Plan, lane: Lane): void {
  const timer = plan.timers[lane] ?? NO_TIMER;
  if (timer === NO_TIMER) return;
  world.timers.cancel(timer);
  plan.timers[lane] = NO_TIMER;
  plan.deadlinesMs[lane] = 0;
}
