// Drives, flight times and fuel. Times and fuel are linear in distance and computed with exact integers, without roots
// (specification, section 12; docs/rules.md: Flight).

import { distanceBetween, flightTypeBetween, type PlanetKey } from '../map/universe.js';
import { multiplyDivideCeil, multiplyDivideFloor } from '../numbers/arithmetic.js';
import type { Researcher } from '../rules/parts.js';
import type { ShipRule } from '../rules/rule-set.js';
import type { CompiledDrive, Rules } from '../rules/rules.js';
import type { ReadonlyWorld } from '../world/state.js';
import { durationMs } from '../world/timer-queue.js';

/** The properties of a flight that do not depend on the drive. */
export interface Flight {
  readonly distance: number;
  /** Index into FLIGHT_TYPES. */
  readonly flightType: number;
  /** Speed of the fleet; see slowestSpeedTenths(). */
  readonly speedTenths: number;
  /** Sum over all ships that burn h2. */
  readonly h2RateTenths: number;
  /** Who flies. */
  readonly player: Researcher;
}

/** A flight with one drive. */
export interface FlightOption {
  /** Position in the drives of the rules. */
  readonly drive: number;
  /** One way, in milliseconds at the world's speed; 0 if the drive cannot fly this type. */
  readonly flightMs: number;
  /** Whole units for the flight there and back; 0 if the drive cannot fly this type. */
  readonly h2Cost: number;
  readonly canFlyType: boolean;
  readonly isResearched: boolean;
}

/**
 * Returns the flight of a player's ships between two planets, without its drive.
 *
 * @param ships counts by ship type
 */
export function flightBetween(
  world: ReadonlyWorld,
  player: Researcher,
  fromKey: PlanetKey,
  toKey: PlanetKey,
  ships: readonly number[],
): Flight {
  const from = world.universe.positionOf(fromKey);
  const to = world.universe.positionOf(toKey);
  return {
    distance: distanceBetween(from, to),
    flightType: flightTypeBetween(from, to),
    speedTenths: slowestSpeedTenths(world.rules.ships, ships),
    h2RateTenths: selfFlyingH2RateTenths(world.rules.ships, ships),
    player,
  };
}

/** @param drive position in the drives of the rules */
export function flightOption(world: ReadonlyWorld, flight: Flight, drive: number): FlightOption {
  const { rules } = world;
  const rule = rules.drives[drive] as CompiledDrive;
  const level = driveLevel(rule, flight.player);
  const isResearched = level > 0;
  const multiplierTenths = rule.multiplierTenths[flight.flightType] as number;
  if (multiplierTenths === 0) return { drive, flightMs: 0, h2Cost: 0, canFlyType: false, isResearched };
  const baseSeconds = multiplyDivideCeil(flight.distance, 100, flight.speedTenths * multiplierTenths);
  const h2PerDistance = flight.h2RateTenths * rule.h2FactorTenths * h2UsePercent(rules, level);
  return {
    drive,
    flightMs: durationMs(world, baseSeconds * 1000),
    h2Cost: multiplyDivideCeil(flight.distance, h2PerDistance, 10 * 10 * 100 * rules.set.h2DistanceDivisor),
    canFlyType: true,
    isResearched,
  };
}

/**
 * Chooses the drive for a launch that names none: the fastest drive that the origin has enough h2 for, or the fastest
 * of all if there is none. Ties go to the lower h2 cost, then to the first in the rules.
 *
 * @param h2Units h2 that is available at the origin
 * @returns null if no researched drive flies this type
 */
export function bestOption(world: ReadonlyWorld, flight: Flight, h2Units: number): FlightOption | null {
  const { drives } = world.rules;
  let best: FlightOption | null = null;
  for (let drive = 0; drive < drives.length; drive += 1) {
    // Most players have one drive: skip the others before computing anything.
    if (driveLevel(drives[drive] as CompiledDrive, flight.player) === 0) continue;
    const option = flightOption(world, flight, drive);
    if (!option.canFlyType) continue;
    if (best === null || isBetter(option, best, h2Units)) best = option;
  }
  return best;
}

function isBetter(option: FlightOption, best: FlightOption, h2Units: number): boolean {
  const isPayable = option.h2Cost <= h2Units;
  if (isPayable !== best.h2Cost <= h2Units) return isPayable;
  return option.flightMs < best.flightMs || (option.flightMs === best.flightMs && option.h2Cost < best.h2Cost);
}

function driveLevel({ research }: CompiledDrive, player: Researcher): number {
  return research < 0 ? 1 : player.researchLevel(research);
}

/** Hangar room that is missing for the carried ships; 0 or less if they fit. */
export function hangarExcess({ ships: rules }: Rules, ships: readonly number[]): number {
  let excess = 0;
  for (let type = 0; type < rules.length; type += 1) {
    const { hangarSize, hangarCapacity } = rules[type] as ShipRule;
    excess += (ships[type] as number) * (hangarSize - hangarCapacity);
  }
  return excess;
}

/** Units of cargo that the ships can hold together. @param percent of that of their types, with the player's research; see Rules */
export function cargoCapacity({ ships: rules }: Rules, ships: readonly number[], percent = 100): number {
  let capacity = 0;
  for (let type = 0; type < rules.length; type += 1) {
    capacity += (ships[type] as number) * (rules[type] as ShipRule).cargo;
  }
  return percent === 100 ? capacity : multiplyDivideFloor(capacity, percent, 100);
}

/** Flight time as the specification shows it: whole seconds, rounded up. */
export function flightSeconds(flightMs: number): number {
  return Math.ceil(flightMs / 1000);
}

/** The slowest ship that flies by itself; if all are carried, the slowest of all. */
function slowestSpeedTenths(rules: readonly ShipRule[], ships: readonly number[]): number {
  let slowestFlying = Number.POSITIVE_INFINITY;
  let slowest = Number.POSITIVE_INFINITY;
  for (let type = 0; type < rules.length; type += 1) {
    if (ships[type] === 0) continue;
    const { speedTenths, hangarSize } = rules[type] as ShipRule;
    slowest = Math.min(slowest, speedTenths);
    if (hangarSize === 0) slowestFlying = Math.min(slowestFlying, speedTenths);
  }
  return slowestFlying === Number.POSITIVE_INFINITY ? slowest : slowestFlying;
}

/** Carried ships add no h2. */
function selfFlyingH2RateTenths(rules: readonly ShipRule[], ships: readonly number[]): number {
  let rateTenths = 0;
  for (let type = 0; type < rules.length; type += 1) {
    const { hangarSize, h2RateTenths } = rules[type] as ShipRule;
    if (hangarSize === 0) rateTenths += (ships[type] as number) * h2RateTenths;
  }
  return rateTenths;
}

function h2UsePercent({ set }: Rules, level: number): number {
  return Math.max(set.h2UsePercentMin, 100 - set.h2SavingPercentPerLevel * Math.max(0, level - 1));
}
