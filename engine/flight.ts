// Drives, flight times and fuel. Linear in distance, in exact integers, with no roots (contract: Launch; design: Flight).
import { multiplyDivideCeil } from './arithmetic.js';
import { durationMs } from './durations.js';
import {
  DRIVES,
  type DriveRule,
  H2_DISTANCE_DIVISOR,
  H2_SAVING_PERCENT_PER_LEVEL,
  H2_USE_PERCENT_MIN,
  SHIPS,
  type ShipRule,
} from './rules/catalogue.js';
import type { ReadonlyWorld } from './state.js';
import { distanceBetween, flightTypeBetween, type PlanetKey } from './universe.js';

/** What is the same for every drive. */
export interface Flight {
  readonly distance: number;
  /** Index into FLIGHT_TYPES. */
  readonly flightType: number;
  /** Of the ship that sets the pace. */
  readonly speedTenths: number;
  /** Of all ships that burn h2, together. */
  readonly h2RateTenths: number;
  /** Of the player, by research type. */
  readonly researchLevels: readonly number[];
}

/** What a drive makes of a flight. */
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

/**
 * A flight of a player's ships between two planets, whatever drive it takes.
 *
 * @param ships counts by ship type
 * @param researchLevels by research type
 */
export function flightBetween(
  world: ReadonlyWorld,
  researchLevels: readonly number[],
  fromKey: PlanetKey,
  toKey: PlanetKey,
  ships: readonly number[],
): Flight {
  const from = world.universe.positionOf(fromKey);
  const to = world.universe.positionOf(toKey);
  return {
    distance: distanceBetween(from, to),
    flightType: flightTypeBetween(from, to),
    speedTenths: slowestSpeedTenths(ships),
    h2RateTenths: selfFlyingH2RateTenths(ships),
    researchLevels,
  };
}

/** @param drive index into DRIVES */
export function flightOption(world: ReadonlyWorld, flight: Flight, drive: number): FlightOption {
  const rule = DRIVES[drive] as DriveRule;
  const level = driveLevel(rule, flight.researchLevels);
  const isResearched = level > 0;
  const multiplierTenths = rule.multiplierTenths[flight.flightType] as number;
  if (multiplierTenths === 0) return { drive, flightMs: 0, h2Cost: 0, canFlyType: false, isResearched };
  const baseSeconds = multiplyDivideCeil(flight.distance, 100, flight.speedTenths * multiplierTenths);
  const h2PerDistance = flight.h2RateTenths * rule.h2FactorTenths * h2UsePercent(level);
  return {
    drive,
    flightMs: durationMs(world, baseSeconds * 1000),
    h2Cost: multiplyDivideCeil(flight.distance, h2PerDistance, 10 * 10 * 100 * H2_DISTANCE_DIVISOR),
    canFlyType: true,
    isResearched,
  };
}

/** The shortest flight among the researched drives that can fly the type; ties go to the lower h2 cost; null: none can. */
export function bestOption(world: ReadonlyWorld, flight: Flight): FlightOption | null {
  let best: FlightOption | null = null;
  for (let drive = 0; drive < DRIVES.length; drive += 1) {
    // Most players have one drive: the others are not even looked at.
    if (driveLevel(DRIVES[drive] as DriveRule, flight.researchLevels) === 0) continue;
    const option = flightOption(world, flight, drive);
    if (!option.canFlyType) continue;
    const isBetter =
      best === null ||
      option.flightMs < best.flightMs ||
      (option.flightMs === best.flightMs && option.h2Cost < best.h2Cost);
    if (isBetter) best = option;
  }
  return best;
}

function driveLevel({ research }: DriveRule, researchLevels: readonly number[]): number {
  return research === null ? 1 : (researchLevels[research] as number);
}

/** Room that carried ships need beyond what the hangars of the others offer; 0 or less: they fit. */
export function hangarExcess(ships: readonly number[]): number {
  let excess = 0;
  for (let type = 0; type < SHIPS.length; type += 1) {
    const { hangarSize, hangarCapacity } = SHIPS[type] as ShipRule;
    excess += (ships[type] as number) * (hangarSize - hangarCapacity);
  }
  return excess;
}

/** Units of cargo that ships can hold together. */
export function cargoCapacity(ships: readonly number[]): number {
  let capacity = 0;
  for (let type = 0; type < SHIPS.length; type += 1) {
    capacity += (ships[type] as number) * (SHIPS[type] as ShipRule).cargo;
  }
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
  for (let type = 0; type < SHIPS.length; type += 1) {
    if (ships[type] === 0) continue;
    const { speedTenths, hangarSize } = SHIPS[type] as ShipRule;
    slowest = Math.min(slowest, speedTenths);
    if (hangarSize === 0) slowestFlying = Math.min(slowestFlying, speedTenths);
  }
  return slowestFlying === Number.POSITIVE_INFINITY ? slowest : slowestFlying;
}

/** Carried ships add no h2. */
function selfFlyingH2RateTenths(ships: readonly number[]): number {
  let rateTenths = 0;
  for (let type = 0; type < SHIPS.length; type += 1) {
    const { hangarSize, h2RateTenths } = SHIPS[type] as ShipRule;
    if (hangarSize === 0) rateTenths += (ships[type] as number) * h2RateTenths;
  }
  return rateTenths;
}

function h2UsePercent(level: number): number {
  return Math.max(H2_USE_PERCENT_MIN, 100 - H2_SAVING_PERCENT_PER_LEVEL * Math.max(0, level - 1));
}
