// Costs, outputs and durations by level, computed once at load with exact integers. No floating-point powers at run time.
import { multiplyDivideFloor, power, scaledPowerFloor, sum } from '../arithmetic.js';
import { type Amounts, ENERGY, RESOURCES } from '../resources.js';
import {
  BUILDING_SECONDS_FACTOR,
  BUILDINGS,
  COST_GROWTH,
  ENERGY_COST_FROM_LEVEL,
  OUTPUT_GROWTH,
  RESEARCH_SECONDS_FACTOR,
  SHIPS,
  SHIPYARD_SPEEDUP,
} from './catalogue.js';
import { BUILDING_LEVEL_MAX } from './limits.js';

const LEVELS = Array.from({ length: BUILDING_LEVEL_MAX + 1 }, (_, level) => level);

/** BUILDING_COST[type][level]: units of each resource to build that level; level 0 costs nothing. */
const BUILDING_COST: readonly (readonly Amounts[])[] = BUILDINGS.map((building) =>
  LEVELS.map((level) => amountsAt((resource) => costAt(building.baseCost[resource] ?? 0, resource, level))),
);

/** BUILDING_POINTS[type][level]: units of all resources together to build that level. */
const BUILDING_POINTS: readonly (readonly number[])[] = BUILDING_COST.map((costs) => costs.map(sum));

/** BUILDING_POINTS_THROUGH[type][level]: the same of that level and all below it. */
const BUILDING_POINTS_THROUGH: readonly (readonly number[])[] = BUILDING_POINTS.map((points) =>
  LEVELS.map((level) => sum(points.slice(0, level + 1))),
);

/** SHIP_POINTS[type]: units of all resources together to build one. */
const SHIP_POINTS: readonly number[] = SHIPS.map(({ cost }) => sum(cost));

/** BUILDING_OUTPUT[type][level]: units of each resource an hour at speed 1. */
const BUILDING_OUTPUT: readonly (readonly Amounts[])[] = BUILDINGS.map((building) =>
  LEVELS.map((level) => amountsAt((resource) => outputAt(building.baseOutput[resource] ?? 0, level))),
);

/**
 * PRODUCERS[resource]: the buildings that produce it, each with its units an hour by level. Most resources have
 * two: the zentrale's floor and their own mine.
 */
export const PRODUCERS: readonly (readonly Producer[])[] = RESOURCES.map((_, resource) =>
  BUILDINGS.flatMap((building, type) =>
    building.baseOutput[resource] === 0
      ? []
      : [{ type, unitsPerHour: ruleAt(BUILDING_OUTPUT, type).map((output) => ruleAt(output, resource)) }],
  ),
);

export interface Producer {
  readonly type: number;
  readonly unitsPerHour: readonly number[];
}

/** 0.9^(level-1) as an exact fraction, by shipyard level; index 0 is unused. */
const SHIPYARD_FACTOR: readonly Fraction[] = LEVELS.map((level) => {
  const exponent = BigInt(Math.max(level - 1, 0));
  return {
    top: power(BigInt(SHIPYARD_SPEEDUP.numerator), exponent),
    bottom: power(BigInt(SHIPYARD_SPEEDUP.denominator), exponent),
  };
});

interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** (level + 1)^2 x 60 s, in milliseconds at speed 1 (contract: Formulas). `level` is the current level. */
export function buildingBaseMs(level: number): number {
  return (level + 1) * (level + 1) * BUILDING_SECONDS_FACTOR * 1000;
}

/** (level + 1)^2 x 120 s, in milliseconds at speed 1 (contract: Formulas). `level` is the current level. */
export function researchBaseMs(level: number): number {
  return (level + 1) * (level + 1) * RESEARCH_SECONDS_FACTOR * 1000;
}

/** baseTime x count x 0.9^(shipyardLevel-1), to the nearest millisecond at speed 1 (contract: Formulas). */
export function shipBaseMs(shipType: number, count: number, shipyardLevel: number): number {
  const { baseSeconds } = ruleAt(SHIPS, shipType);
  // Twice the time, rounded down, then halved upwards: to the nearest, with halves up.
  const doubledMs = multiplyFractionFloor(2 * baseSeconds * 1000 * count, ruleAt(SHIPYARD_FACTOR, shipyardLevel));
  return Math.floor((doubledMs + 1) / 2);
}

/** Cost in units of `count` ships of a type, in the order of RESOURCES. */
export function shipCost(shipType: number, count: number): Amounts {
  const { cost } = ruleAt(SHIPS, shipType);
  return [cost[0] * count, cost[1] * count, cost[2] * count, cost[3] * count, cost[4] * count];
}

/** Cost in units of building `level` of a building type, in the order of RESOURCES. */
export function buildingCost(buildingType: number, level: number): Amounts {
  return ruleAt(ruleAt(BUILDING_COST, buildingType), level);
}

/** What building `level` of a building type is worth in points: the units of all resources that it costs. */
export function buildingPoints(buildingType: number, level: number): number {
  return ruleAt(ruleAt(BUILDING_POINTS, buildingType), level);
}

/** What a building is worth in points that has come to `level`: the units that all of its levels cost. */
export function buildingPointsThrough(buildingType: number, level: number): number {
  return ruleAt(ruleAt(BUILDING_POINTS_THROUGH, buildingType), level);
}

/** What a ship is worth in points: the units of all resources that it costs. */
export function shipPoints(shipType: number): number {
  return ruleAt(SHIP_POINTS, shipType);
}

/** Units of each resource that a building gives in an hour at speed 1, in the order of RESOURCES. */
export function buildingOutput(buildingType: number, level: number): Amounts {
  return ruleAt(ruleAt(BUILDING_OUTPUT, buildingType), level);
}

/** floor(value x top / bottom), exact. Most shipyards are small enough for doubles, which are ten times as fast as BigInts. */
function multiplyFractionFloor(value: number, { top, bottom }: Fraction): number {
  if (bottom <= Number.MAX_SAFE_INTEGER) return multiplyDivideFloor(value, Number(top), Number(bottom));
  return Number((BigInt(value) * top) / bottom);
}

function costAt(base: number, resource: number, level: number): number {
  if (level === 0 || (resource === ENERGY && level < ENERGY_COST_FROM_LEVEL)) return 0;
  return scaledPowerFloor(base, BigInt(COST_GROWTH.numerator), BigInt(COST_GROWTH.denominator), level - 1);
}

function outputAt(base: number, level: number): number {
  return scaledPowerFloor(base * level, BigInt(OUTPUT_GROWTH.numerator), BigInt(OUTPUT_GROWTH.denominator), level);
}

function amountsAt(amount: (resource: number) => number): Amounts {
  return [amount(0), amount(1), amount(2), amount(3), amount(4)];
}

/** @throws RangeError where there is no such row: a number that does not come from the catalogue is a broken invariant */
function ruleAt<T>(rules: readonly T[], index: number): T {
  const rule = rules[index];
  if (rule === undefined) throw new RangeError(`the catalogue has no row ${index}`);
  return rule;
}
