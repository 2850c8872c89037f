// The fixed formulas (specification, section 5) in exact rational numbers, written a second time and without the engine's tables, so that the
// engine can be checked against them.

import { FLIGHT_TYPES, type FlightTypeName } from '../../engine/map/universe.js';
import type { ResourceName } from '../../engine/rules/resources.js';
import type { RuleSet } from '../../engine/rules/rule-set.js';
import { type DriveTypeName, STANDARD_1 } from '../../engine/rules/standard-1.js';
import type { ReadonlyPlayer } from '../../engine/world/state.js';

/**
 * Units of each resource that a level of a building costs in `standard-1`: base x 1.25^(level-1), energy from level 4
 * on.
 */
export function exactCost(buildingType: number, level: number, set: RuleSet = STANDARD_1): readonly number[] {
  return remembered(COSTS, set, `${buildingType} ${level}`, () => {
    const power = BigInt(level - 1);
    const { numerator, denominator } = set.costGrowth;
    return (set.buildings[buildingType]?.baseCost ?? []).map((base, resource) =>
      resource === 4 && level < set.energyCostFromLevel
        ? 0
        : Number((BigInt(base) * BigInt(numerator) ** power) / BigInt(denominator) ** power),
    );
  });
}

/** Units of a resource that a building gives in an hour at speed 1; in `standard-1` base x level x 1.08^level. */
export function exactOutput(buildingType: number, level: number, resource: number, set: RuleSet = STANDARD_1): number {
  const base = set.buildings[buildingType]?.baseOutput[resource] ?? 0;
  if (base === 0 || level === 0) return 0;
  return remembered(OUTPUTS, set, `${buildingType} ${level} ${resource}`, () => {
    const { numerator, denominator } = set.outputGrowth;
    const power = BigInt(level);
    return Number((BigInt(base) * power * BigInt(numerator) ** power) / BigInt(denominator) ** power);
  });
}

/** Units of a resource that a planet gives in an hour at speed 1. */
export function exactPlanetOutput(levels: readonly number[], resource: number, set: RuleSet = STANDARD_1): number {
  return levels.reduce((units, level, type) => units + exactOutput(type, level, resource, set), 0);
}

/** Units of each resource that a number of ships costs. */
export function exactShipCost(shipType: number, count: number, set: RuleSet = STANDARD_1): number[] {
  return (set.ships[shipType]?.cost ?? []).map((units) => units * count);
}

/** Units of all resources together that buildings and ships cost: points count these. */
export function exactPoints(levels: readonly number[], ships: readonly number[], set: RuleSet = STANDARD_1): number {
  let points = 0;
  for (const [type, reached] of levels.entries()) {
    for (let level = 1; level <= reached; level += 1) points += total(exactCost(type, level, set));
  }
  for (const [type, count] of ships.entries()) points += total(exactShipCost(type, count, set));
  return points;
}

/** The points of a player by their definition: the shares of what it has and of what it destroyed, rounded down once. */
export function exactPlayerPoints(
  { planets, fleets, destroyedUnits }: Pick<ReadonlyPlayer, 'planets' | 'fleets' | 'destroyedUnits'>,
  set: RuleSet,
): number {
  const { points = { shipPercent: 100, destroyedPercent: 0 } } = set;
  const share = (units: number, percent: number) => BigInt(units) * BigInt(percent);
  let hundredths = share(destroyedUnits, points.destroyedPercent);
  for (const { levels, ships } of planets) {
    hundredths += share(exactPoints(levels, [], set), 100);
    hundredths += share(exactPoints([], ships, set), points.shipPercent);
  }
  for (const { ships } of fleets) hundredths += share(exactPoints([], ships, set), points.shipPercent);
  return Number(hundredths / 100n);
}

/** Output of a resource in per cent of what the buildings make of it. */
export function exactOutputPercent(researchLevels: readonly number[], resource: ResourceName, set: RuleSet): number {
  const added = set.research.map(({ effect }, type) =>
    effect?.kind === 'output' && effect.resources.includes(resource)
      ? effect.percentPerLevel * (researchLevels[type] ?? 0)
      : 0,
  );
  return 100 + total(added);
}

/** ceil(distance / (speed x multiplier)): seconds of a flight at speed 1, both factors in tenths. */
export function exactFlightSeconds(distance: number, speedTenths: number, multiplierTenths: number): number {
  return Number(ceilingOf(BigInt(distance) * 100n, BigInt(speedTenths) * BigInt(multiplierTenths)));
}

/** ceil(distance x h2 rates x drive factor x use / 50): units of h2 there and back; rate and factor in tenths. */
export function exactH2(distance: number, rateTenths: number, factorTenths: number, usePercent: number): number {
  const tenThousandths = BigInt(distance) * BigInt(rateTenths) * BigInt(factorTenths) * BigInt(usePercent);
  return Number(ceilingOf(tenThousandths, 50n * 10_000n));
}

/** Tenths of a drive's speed multiplier for a flight type. */
export function multiplierTenths(drive: DriveTypeName, flightType: FlightTypeName): number {
  const rule = STANDARD_1.drives.find(({ type }) => type === drive);
  return rule?.multiplierTenths[FLIGHT_TYPES.indexOf(flightType)] ?? 0;
}

/** A duration at a world's speed, rounded up to a millisecond. */
export function exactAtSpeed(baseMs: number, speedThousandths: number): number {
  return Number(ceilingOf(BigInt(baseMs) * 1000n, BigInt(speedThousandths)));
}

/** The sum of a list of numbers. */
export function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

type Remembered<V> = WeakMap<RuleSet, Map<string, V>>;
const COSTS: Remembered<readonly number[]> = new WeakMap();
const OUTPUTS: Remembered<number> = new WeakMap();

/** Computes a value of a rule set once. */
function remembered<V>(values: Remembered<V>, set: RuleSet, name: string, workOut: () => V): V {
  const ofSet = values.get(set) ?? new Map<string, V>();
  values.set(set, ofSet);
  const value = ofSet.get(name) ?? workOut();
  ofSet.set(name, value);
  return value;
}

function ceilingOf(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
