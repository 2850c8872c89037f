// The state of each lane of a plan: whether its first step can start now, and what it waits for if not. The checks are those of the
// commands. Nothing is changed.

import { refuseResearch } from '../planets/research.js';
import { refuseShips } from '../planets/ship-orders.js';
import { affordableFromMs } from '../planets/stocks.js';
import { levelToCome, refuseAbsent, refuseNextLevel, refusePresent } from '../planets/upgrades.js';
import { BUILDING_LEVEL_MAX } from '../rules/limits.js';
import { type Amounts, FREE } from '../rules/resources.js';
import {
  actionOf,
  BUILDINGS_LANE,
  countOf,
  FLEETS_LANE,
  type Lane,
  laneOf,
  type PackedStep,
  type PlanAction,
  SHIPS_LANE,
  typeOf,
} from '../terms/plan-step.js';
import { type Refusal, refuse } from '../terms/rejections.js';
import type { ReadonlyPlan, ReadonlyPlanet, ReadonlyWorld } from '../world/state.js';
import { launchObstacle } from './launch-steps.js';

/**
 * The state of a lane:
 *
 * - empty: no step is left
 * - ready: the first step can start. Its plan starts it before the entry ends
 * - busy: the upgrade, ships or research in progress come first
 * - waiting: production will cover the cost of the first step, or a building that is in progress or planned may remove what is in
 *   its way
 * - blocked: the first step cannot start before something else happens, or only after a longer time than its plan waits for
 */
export type LaneState = 'empty' | 'ready' | 'busy' | 'waiting' | 'blocked';

export interface LaneStanding {
  readonly state: LaneState;
  /**
   * World time from which the first step can start, as far as is known: its slot is free and production covers its cost, or a building that
   * may help is complete; null if only another change of the planet lets it start.
   */
  readonly nextMs: number | null;
  /** World time at which a timer of the lane examines it; 0 without a timer. */
  readonly deadlineMs: number;
  /** Why the first step is waiting or blocked; null in other states. */
  readonly refusal: Refusal | null;
}

const EMPTY: LaneStanding = Object.freeze({ state: 'empty', nextMs: null, deadlineMs: 0, refusal: null });
/** The player is suspended. */
const SUSPENDED: LaneStanding = Object.freeze({
  ...{ state: 'blocked', nextMs: null, deadlineMs: 0 },
  refusal: refuse('player_suspended'),
});
const READY: LaneStanding = Object.freeze({ state: 'ready', nextMs: null, deadlineMs: 0, refusal: null });

/** @param plan undefined if the planet has none @param nowMs not before the planet's last change */
export function standingOf(
  world: ReadonlyWorld,
  planet: ReadonlyPlanet,
  plan: ReadonlyPlan | undefined,
  lane: Lane,
  nowMs: number,
): LaneStanding {
  const head = plan?.headOf(lane);
  if (plan === undefined || head === undefined) return EMPTY;
  if (world.players.isSuspended(planet.ownerNumber)) return SUSPENDED;
  if (lane === FLEETS_LANE) return launchStanding(world, planet, plan, head, nowMs);
  const busyUntilMs = busyUntil(planet, lane);
  if (busyUntilMs !== null) {
    const affordableAtMs = affordableFromMs(world, planet, costOf(world, planet, head));
    const nextMs = affordableAtMs === null ? null : Math.max(busyUntilMs, affordableAtMs);
    return { state: 'busy', nextMs, deadlineMs: 0, refusal: null };
  }
  const refusal = refuseStep(world, planet, head, nowMs);
  if (refusal === null) return READY;
  const affordableAtMs = refusal.facts.affordableAtMs ?? null;
  if (refusal.code === 'insufficient_resources' && isTooLong(plan, affordableAtMs, nowMs)) return blocked(refusal);
  if (affordableAtMs !== null) return { state: 'waiting', nextMs: affordableAtMs, deadlineMs: affordableAtMs, refusal };
  const isBlocked = lane === BUILDINGS_LANE || !mayHelp(planet, plan, refusal);
  const nextMs = isBlocked ? null : (planet.upgrade?.finishAtMs ?? null);
  return { state: isBlocked ? 'blocked' : 'waiting', nextMs, deadlineMs: 0, refusal };
}

/** A launch is never busy, since nothing limits how many fleets a planet launches. It waits for its ships and for stocks. */
function launchStanding(
  world: ReadonlyWorld,
  planet: ReadonlyPlanet,
  plan: ReadonlyPlan,
  step: PackedStep,
  nowMs: number,
): LaneStanding {
  const [order] = plan.launches;
  if (order === undefined) throw new Error(`planet ${planet.key} has a launch without an order`);
  const obstacle = launchObstacle(world, planet, step, order, nowMs);
  if (obstacle === null) return READY;
  const { refusal, isTransient, affordableAtMs } = obstacle;
  if (isTransient) return { state: 'waiting', nextMs: null, deadlineMs: 0, refusal };
  if (affordableAtMs === null || isTooLong(plan, affordableAtMs, nowMs)) return blocked(refusal);
  return { state: 'waiting', nextMs: affordableAtMs, deadlineMs: affordableAtMs, refusal };
}

function blocked(refusal: Refusal): LaneStanding {
  return { state: 'blocked', nextMs: null, deadlineMs: 0, refusal };
}

/** Whether the stocks cover a step only after a longer time than its plan waits for. @param affordableAtMs at present output; null: never */
function isTooLong({ longerThanMs }: ReadonlyPlan, affordableAtMs: number | null, nowMs: number): boolean {
  return longerThanMs !== null && (affordableAtMs === null || affordableAtMs - nowMs > longerThanMs);
}

/** Whether a building that is in progress or planned may remove what is in the way: a shipyard or a mine is missing. */
function mayHelp({ upgrade }: ReadonlyPlanet, plan: ReadonlyPlan, { code }: Refusal): boolean {
  if (code !== 'shipyard_required' && code !== 'insufficient_resources') return false;
  return upgrade !== null || plan.headOf(BUILDINGS_LANE) !== undefined;
}

/**
 * World time at which the slot that a lane needs becomes free: the one upgrade of the planet, its shipyard, or the one research of its
 * owner; null if it is free. A step waits for an idle shipyard even if it builds the type that is in production: an order that queues would
 * take its cost from the stock without starting earlier.
 */
export function busyUntil({ upgrade, orders, owner }: ReadonlyPlanet, lane: Lane): number | null {
  if (lane === BUILDINGS_LANE) return upgrade?.finishAtMs ?? null;
  if (lane === SHIPS_LANE) return orders.at(-1)?.finishAtMs ?? null;
  return owner.research?.finishAtMs ?? null;
}

/** What a step will cost when its slot is free, in units. */
function costOf({ rules }: ReadonlyWorld, planet: ReadonlyPlanet, step: PackedStep): Amounts {
  const lane = laneOf(step);
  const type = typeOf(step);
  if (lane === SHIPS_LANE) return rules.shipCost(type, countOf(step));
  if (lane !== BUILDINGS_LANE) return FREE;
  return rules.buildingCost(type, Math.min(levelToCome(planet, type) + 1, BUILDING_LEVEL_MAX));
}

type StepCheck = (world: ReadonlyWorld, planet: ReadonlyPlanet, step: PackedStep, nowMs: number) => Refusal | null;

const CHECKS: Readonly<Record<Exclude<PlanAction, 'launch'>, StepCheck>> = {
  upgrade: (world, planet, step, nowMs) =>
    refuseAbsent(planet, typeOf(step)) ?? refuseNextLevel(world, planet, typeOf(step), nowMs),
  construct: (world, planet, step, nowMs) =>
    refusePresent(planet, typeOf(step)) ?? refuseNextLevel(world, planet, typeOf(step), nowMs),
  build_ships: (world, planet, step, nowMs) => refuseShips(world, planet, typeOf(step), countOf(step), nowMs),
  research: (world, planet, step) => refuseResearch(world, planet.owner, typeOf(step)),
};

/** Returns the refusal that the command of a step would get; null if it would be accepted. */
function refuseStep(world: ReadonlyWorld, planet: ReadonlyPlanet, step: PackedStep, nowMs: number): Refusal | null {
  const action = actionOf(step);
  if (action === 'launch') throw new Error(`launch ${step} is checked with its order`);
  return CHECKS[action](world, planet, step, nowMs);
}
