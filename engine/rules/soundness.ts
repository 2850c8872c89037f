// What a rule set must satisfy beyond the shape of its fields: names refer to existing types, numbers stay exact at the
// highest level, nothing is free, and everything can be reached from a starter planet.
import { RESOURCES } from '../resources.js';
import { BUILDING_LEVEL_MAX, STOCK_UNITS_MAX } from './limits.js';
import { partFaults, partNameFaults } from './part-soundness.js';
import type { RuleSet } from './rule-set.js';
import { LISTS, type Reference, type RuleSetFault, unknownNames } from './rule-set-fault.js';
import { Rules } from './rules.js';

export type { RuleSetFault } from './rule-set-fault.js';

/**
 * Returns the faults of a rule set; none if a world can use it.
 *
 * @param set of the right shape: all fields are present, and all numbers are whole and within their bounds
 */
export function ruleSetFaults(set: RuleSet): RuleSetFault[] {
  const nameFaults = [...duplicateTypes(set), ...unknownNames(set, references(set)), ...partNameFaults(set)];
  // The other checks compute with the types, so all names must be known.
  if (nameFaults.length > 0) return nameFaults;
  const others = [...freeTypes(set), ...missingFirstDrive(set), ...unreachableTypes(set)];
  const shrinking = shrinkingGrowth(set);
  if (shrinking.length > 0) return [...shrinking, ...others];
  const rules = new Rules(set);
  return [...unboundedGrowth(rules), ...others, ...partFaults(rules)];
}

function duplicateTypes(set: RuleSet): RuleSetFault[] {
  return LISTS.flatMap((list) => {
    const types = set[list].map(({ type }) => type);
    return types.flatMap((type, place) =>
      types.indexOf(type) === place ? [] : [{ path: `/${list}/${place}/type`, message: `${type} is listed twice` }],
    );
  });
}

/** The names that a rule set without optional parts refers to. */
function references({ roles, starter, colony, drives }: RuleSet): Reference[] {
  return [
    ['/roles/shipyard', roles.shipyard, 'buildings'],
    ['/roles/antiSpy', roles.antiSpy, 'buildings'],
    ['/roles/planetaryShield', roles.planetaryShield, 'buildings'],
    ['/roles/scout', roles.scout, 'ships'],
    ['/roles/colonyShip', roles.colonyShip, 'ships'],
    ...starter.buildings.map((type, place) => [`/starter/buildings/${place}`, type, 'buildings'] as const),
    ...colony.buildings.map((type, place) => [`/colony/buildings/${place}`, type, 'buildings'] as const),
    ...drives.flatMap(({ research }, place) =>
      research === null ? [] : [[`/drives/${place}/research`, research, 'research'] as const],
    ),
  ];
}

function shrinkingGrowth(set: RuleSet): RuleSetFault[] {
  return (['costGrowth', 'outputGrowth'] as const).flatMap((growth) => {
    const { numerator, denominator } = set[growth];
    return numerator < denominator ? [{ path: `/${growth}`, message: 'must be at least 1' }] : [];
  });
}

/** A planet must be able to hold the cost of all levels of a building together, and the output of an hour. */
function unboundedGrowth(rules: Rules): RuleSetFault[] {
  const faults: RuleSetFault[] = [];
  const highest = BUILDING_LEVEL_MAX;
  for (const place of rules.buildings.keys()) {
    if (!(rules.buildingPointsThrough(place, highest) <= STOCK_UNITS_MAX)) {
      const message = `its ${highest} levels together cost more than ${STOCK_UNITS_MAX} units`;
      faults.push({ path: `/buildings/${place}/baseCost`, message });
    }
    if (!rules.buildingOutput(place, highest).every((units) => units <= STOCK_UNITS_MAX)) {
      const message = `level ${highest} produces more than ${STOCK_UNITS_MAX} units an hour`;
      faults.push({ path: `/buildings/${place}/baseOutput`, message });
    }
  }
  return faults;
}

function freeTypes({ buildings, ships }: RuleSet): RuleSetFault[] {
  const isFree = (cost: readonly number[]): boolean => cost.every((units) => units === 0);
  return [
    ...buildings.flatMap(({ baseCost }, place) =>
      isFree(baseCost) ? [{ path: `/buildings/${place}/baseCost`, message: 'a building must cost something' }] : [],
    ),
    ...ships.flatMap(({ cost }, place) =>
      isFree(cost) ? [{ path: `/ships/${place}/cost`, message: 'a ship must cost something' }] : [],
    ),
  ];
}

/** Every player must be able to fly within a system from the start. */
function missingFirstDrive({ drives }: RuleSet): RuleSetFault[] {
  const exists = drives.some(({ research, multiplierTenths }) => research === null && multiplierTenths[0] > 0);
  const message = 'at least one drive must need no research and be able to fly within a system';
  return exists ? [] : [{ path: '/drives', message }];
}

/** Types that cost a resource which a starter planet can never have. */
function unreachableTypes(set: RuleSet): RuleSetFault[] {
  const { buildings, ships, starter, energyCostFromLevel } = set;
  const available = starter.stock.map((units) => units > 0);
  const isBuildable = buildings.map(({ type }) => starter.buildings.includes(type));
  const needs = (cost: readonly number[], isEnergyFree: boolean): number[] =>
    RESOURCES.flatMap((name, resource) => {
      const isNeeded = (cost[resource] as number) > 0 && !(isEnergyFree && name === 'energy');
      return isNeeded && !available[resource] ? [resource] : [];
    });
  const missing = (place: number): number[] => needs(buildings[place]?.baseCost ?? [], energyCostFromLevel > 1);
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (const [place, { baseOutput }] of buildings.entries()) {
      if (!isBuildable[place] && missing(place).length > 0) continue;
      isBuildable[place] = true;
      for (const [resource, units] of baseOutput.entries()) {
        if (units === 0 || available[resource]) continue;
        available[resource] = true;
        isGrowing = true;
      }
    }
  }
  const lacks = (path: string, resources: readonly number[]): RuleSetFault[] =>
    resources.map((resource) => ({ path: `${path}/${resource}`, message: `nothing produces ${RESOURCES[resource]}` }));
  return [
    ...buildings.flatMap((_, place) =>
      isBuildable[place] ? [] : lacks(`/buildings/${place}/baseCost`, missing(place)),
    ),
    ...ships.flatMap(({ cost }, place) => lacks(`/ships/${place}/cost`, needs(cost, false))),
  ];
}
