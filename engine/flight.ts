// Drives, flight times and fuel. Linear in distance, in exact integers, with no roots (contract: Launch; design: Flight).
import { multiplyDivideCeil } from './arithmetic.js';
import { durationMs } from './durations.js';
import {
  DRIVES,
  H2_DISTANCE_DIVISOR,
  H2_SAVING_PERCENT_PER_LEVEL,
  H2_USE_PERCENT_MIN,
  SHIPS,
} from './rules/catalogue.js';
import type { ReadonlyWorld } from './state.js';
import { distanceBetween, flightTypeBetween, type PlanetKey } from './universe.js';

export interface FlightOption {
  /** Index into DRIVES. */
  readonly drive: number;
  /** One way, in milliseconds at the world's speed; 0 where the drive cannot fly this type. */
  readonly flightMs: number;
  /** There and back, whole units; 0 where the drive cannot fly this type. */
  readonly h2Cost: number;
  readonly canFlyType: boolean;
  readonly isResearched: boolean;
}

export interface FlightPlan {
  readonly distance: number;
  /** Index into FLIGHT_TYPES. */
  readonly flightType: number;
  /** One for each drive, in the order of DRIVES. */
  readonly options: readonly FlightOption[];
}

/**
 * What each drive makes of a flight.
 *
 * @param ships counts by ship type
 * @param researchLevels by research type
 */
export function planFlight(
  world: ReadonlyWorld,
  researchLevels: readonly number[],
  fromKey: PlanetKey,
  toKey: PlanetKey,
  ships: readonly number[],
): FlightPlan {
  const from = world.universe.positionOf(fromKey);
  const to = world.universe.positionOf(toKey);
  const distance = distanceBetween(from, to);
  const flightType = flightTypeBetween(from, to);
  const speedTenths = slowestSpeedTenths(ships);
  const h2RateTenths = selfFlyingH2RateTenths(ships);
  const options = DRIVES.map((rule, drive): FlightOption => {
    const level = rule.research === null ? 1 : (researchLevels[rule.research] as number);
    const multiplierTenths = rule.multiplierTenths[flightType] as number;
    if (multiplierTenths === 0) {
      return { drive, flightMs: 0, h2Cost: 0, canFlyType: false, isResearched: level > 0 };
    }
    const baseSeconds = multiplyDivideCeil(distance, 100, speedTenths * multiplierTenths);
    const h2PerDistance = h2RateTenths * rule.h2FactorTenths * h2UsePercent(level);
    return {
      drive,
      flightMs: durationMs(world, baseSeconds * 1000),
      h2Cost: multiplyDivideCeil(distance, h2PerDistance, 10 * 10 * 100 * H2_DISTANCE_DIVISOR),
      canFlyType: true,
      isResearched: level > 0,
    };
  });
  return { distance, flightType, options };
}

/** The shortest flight among the researched drives that can fly the type; ties go to the lower h2 cost; null: none can. */
export function bestOption(plan: FlightPlan): FlightOption | null {
  let best: FlightOption | null = null;
  for (const option of plan.options) {
    if (!option.canFlyType || !option.isResearched) continue;
    const isBetter =
      best === null ||
      option.flightMs < best.flightMs ||
      (option.flightMs === best.flightMs && option.h2Cost < best.h2Cost);
    if (isBetter) best = option;
  }
  return best;
}

/** Room that carried ships need beyond what the hangars of the others offer; 0 or less: they fit. */
export function hangarExcess(ships: readonly number[]): number {
  let excess = 0;
  for (const [type, rule] of SHIPS.entries()) {
    excess += (ships[type] as number) * (rule.hangarSize - rule.hangarCapacity);
  }
  return excess;
}

/** Units of cargo that ships can hold together. */
export function cargoCapacity(ships: readonly number[]): number {
  let capacity = 0;
  for (const [type, rule] of SHIPS.entries()) capacity += (ships[type] as number) * rule.cargo;
  return capacity;
}

/** Flight time as the contract shows it: whole seconds, rounded up. */
export function flightSeconds(flightMs: number): number {
  return Math.ceil(flightMs / 1000);
}

/** The slowest ship that flies by itself; where all are carried, the slowest of all. */
function slowestSpeedTenths(ships: readonly number[]): number {
  let slowestFlying = Number.POSITIVE_INFINITY;
  let slowest = Number.POSITIVE_INFINITY;
  for (const [type, rule] of SHIPS.entries()) {
    if (ships[type] === 0) continue;
    slowest = Math.min(slowest, rule.speedTenths);
    if (rule.hangarSize === 0) slowestFlying = Math.min(slowestFlying, rule.speedTenths);
  }
  return slowestFlying === Number.POSITIVE_INFINITY ? slowest : slowestFlying;
}

/** Carried ships add no h2. */
function selfFlyingH2RateTenths(ships: readonly number[]): number {
  let rateTenths = 0;
  for (const [type, rule] of SHIPS.entries()) {
    if (rule.hangarSize === 0) rateTenths += (ships[type] as number) * rule.h2RateTenths;
  }
  return rateTenths;
}

function h2UsePercent(level: number): number {
  return Math.max(H2_USE_PERCENT_MIN, 100 - H2_SAVING_PERCENT_PER_LEVEL * Math.max(0, level - 1));
}
