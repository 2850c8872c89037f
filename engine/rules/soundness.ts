// What a rule set must satisfy beyond the shape of its fields: names refer to existing types, numbers stay exact at the
// highest level and with all research, nothing is free, and everything can be reached from a starter planet.

import { BUILDING_LEVEL_MAX, PLANETS_PER_PLAYER_MAX, RESEARCH_LEVEL_MAX, STOCK_UNITS_MAX } from './limits.js';
import type { Researcher } from './parts.js';
import { ENERGY, RESOURCES } from './resources.js';
import type { RuleSet } from './rule-set.js';
import { Rules } from './rules.js';
import { RULES_VERSION } from './rules-version.js';

/** Battles and cargo are exact for fleets of up to this number of ships of each type. */
const EXACT_SHIPS_PER_TYPE = 100_000_000;
const THOUSANDTHS = 1000;

const LISTS = ['buildings', 'ships', 'drives', 'research'] as const;

export interface RuleSetFault {
  /** JSON pointer (RFC 6901) into the rule set. */
  readonly path: string;
  readonly message: string;
}

/** A name at a place of the rule set, and the list that must have it. */
export type Reference = readonly [path: string, name: string, list: (typeof LISTS)[number]];

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

/** References to types that do not exist. */
function unknownNames(set: RuleSet, references: readonly Reference[]): RuleSetFault[] {
  return references.flatMap(([path, name, list]) =>
    set[list].some(({ type }) => type === name) ? [] : [{ path, message: `${name} is not in the list of ${list}` }],
  );
}

/** Names in the parts that refer to types which do not exist, or to more than one. */
function partNameFaults(set: RuleSet): RuleSetFault[] {
  const { buildings, ships, research, colonies, sight, market } = set;
  const faults = unknownNames(set, [
    ...(colonies === undefined ? [] : [['/colonies/research', colonies.research, 'research'] as const]),
    ...(sight === undefined ? [] : [['/sight/research', sight.research, 'research'] as const]),
    ...(market === undefined ? [] : [['/market/carrier', market.carrier, 'ships'] as const]),
  ]);
  for (const [place, { defence }] of buildings.entries()) {
    const path = `/buildings/${place}/defence/strongAgainst`;
    const names = defence?.strongAgainst ?? [];
    faults.push(
      ...unknownNames(
        set,
        names.map((name, index) => [`${path}/${index}`, name, 'ships'] as const),
      ),
    );
    faults.push(...repeatedNames(path, names));
  }
  for (const [place, { strongAgainst = [] }] of ships.entries()) {
    const path = `/ships/${place}/strongAgainst`;
    faults.push(...strongAgainstFaults(set, path, strongAgainst), ...repeatedNames(path, strongAgainst));
  }
  for (const [place, { effect }] of research.entries()) {
    if (effect?.kind !== 'output') continue;
    const path = `/research/${place}/effect/resources`;
    faults.push(...repeatedNames(path, effect.resources));
    faults.push(
      ...effect.resources.flatMap((name, index) =>
        (RESOURCES as readonly string[]).includes(name)
          ? []
          : [{ path: `${path}/${index}`, message: `${name} is not a resource` }],
      ),
    );
  }
  return faults;
}

/** A ship is strong against ships, and against buildings that take part in battles. */
function strongAgainstFaults(
  { buildings, ships, roles }: RuleSet,
  path: string,
  names: readonly string[],
): RuleSetFault[] {
  return names.flatMap((name, index) => {
    const isShip = ships.some(({ type }) => type === name);
    const isFighting = buildings.some(
      ({ type, defence }) => type === name && (defence !== undefined || type === roles.planetaryShield),
    );
    if (isShip !== isFighting) return [];
    const message = isShip
      ? `${name} is both a ship and a building`
      : `${name} is neither a ship nor a building that takes part in battles`;
    return [{ path: `${path}/${index}`, message }];
  });
}

function repeatedNames(path: string, names: readonly string[]): RuleSetFault[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) === index ? [] : [{ path: `${path}/${index}`, message: `${name} is listed twice` }],
  );
}

/** The other faults of the parts. @param rules of a set without faults in names and growth */
function partFaults(rules: Rules): RuleSetFault[] {
  return [
    ...missingWar(rules),
    ...lootFaults(rules),
    ...pointsFaults(rules),
    ...colonyFaults(rules),
    ...richnessFaults(rules),
    ...fieldFaults(rules),
    ...messageFaults(rules),
    ...marketFaults(rules),
    ...shockFaults(rules),
    ...outputFaults(rules),
    ...strengthFaults(rules),
  ];
}

/** Fields that only battles of `war` interpret, in rules without it. */
function missingWar({ set, war }: Rules): RuleSetFault[] {
  const { buildings, ships, research, points, roles } = set;
  const shield = buildings.findIndex(({ type, defence }) => type === roles.planetaryShield && defence !== undefined);
  const faults =
    shield < 0
      ? []
      : [
          {
            path: `/buildings/${shield}/defence`,
            message: 'the planetary shield takes part in battles without a defence',
          },
        ];
  if (war !== null) return faults;
  const message = 'needs the part war';
  for (const [place, { defence }] of buildings.entries()) {
    if (defence !== undefined) faults.push({ path: `/buildings/${place}/defence`, message });
  }
  for (const [place, { strongAgainst }] of ships.entries()) {
    if (strongAgainst !== undefined) faults.push({ path: `/ships/${place}/strongAgainst`, message });
  }
  for (const [place, { effect }] of research.entries()) {
    if (effect?.kind === 'attack' || effect?.kind === 'hit_points')
      faults.push({ path: `/research/${place}/effect`, message });
  }
  if ((points?.destroyedPercent ?? 0) > 0) faults.push({ path: '/points/destroyedPercent', message });
  return faults;
}

/** A share of what is produced in no time is nothing. */
function lootFaults({ set: { war } }: Rules): RuleSetFault[] {
  if (war === undefined || war.lootPairPercent === 0 || war.lootPeriodSeconds > 0) return [];
  return [{ path: '/war/lootPairPercent', message: 'must be 0 without lootPeriodSeconds: nobody could take anything' }];
}

/** A battle between two accounts of one player must not be a gain for both together. */
function pointsFaults({ points }: Rules): RuleSetFault[] {
  if (points === null || points.destroyedPercent <= points.shipPercent) return [];
  const message = `must be at most shipPercent, ${points.shipPercent}`;
  return [{ path: '/points/destroyedPercent', message }];
}

/** Asteroids that nobody can load would lie there for ever. */
function fieldFaults({ set: { fields } }: Rules): RuleSetFault[] {
  if (fields === undefined || fields.asteroids[ENERGY] === 0) return [];
  return [{ path: `/fields/asteroids/${ENERGY}`, message: 'must be 0: energy cannot be shipped' }];
}

/** Whoever sends as much as it may must not push everything of others out of what is kept. */
function messageFaults({ messages }: Rules): RuleSetFault[] {
  if (messages === null) return [];
  const { sentMax, sentToOneMax, keptMax, broadcastsMax, broadcastsKeptMax } = messages;
  return [
    ...(sentToOneMax > sentMax
      ? [{ path: '/messages/sentToOneMax', message: `must be at most sentMax, ${sentMax}` }]
      : []),
    ...(sentToOneMax >= keptMax
      ? [{ path: '/messages/sentToOneMax', message: `must be below keptMax, ${keptMax}` }]
      : []),
    ...(broadcastsMax >= broadcastsKeptMax
      ? [{ path: '/messages/broadcastsMax', message: `must be below broadcastsKeptMax, ${broadcastsKeptMax}` }]
      : []),
  ];
}

/** The carrier flies by itself and holds cargo. Whatever is traded is worth something, or it could be given away without limit. */
function marketFaults({ set: { market }, market: compiled, ships }: Rules): RuleSetFault[] {
  if (market === undefined || compiled === null) return [];
  const carrier = ships[compiled.carrier];
  const canCarry = carrier !== undefined && carrier.cargo > 0 && carrier.hangarSize === 0;
  return [
    ...(canCarry ? [] : [{ path: '/market/carrier', message: 'must hold cargo and fly by itself' }]),
    ...market.values.flatMap((value, resource) => {
      const isEnergy = resource === ENERGY;
      if (isEnergy === (value === 0)) return [];
      const message = isEnergy ? 'must be 0: energy cannot be shipped' : 'must be at least 1';
      return [{ path: `/market/values/${resource}`, message }];
    }),
  ];
}

/** Shocks of a galaxy are over before the next ones, and a bounty changes a limit that there is. */
function shockFaults({ set: { shocks, war } }: Rules): RuleSetFault[] {
  if (shocks === undefined) return [];
  const { intervalSeconds, noticeSecondsMin, noticeSecondsMax, types } = shocks;
  const faults = repeatedNames(
    '/shocks/types',
    types.map(({ type }) => type),
  );
  if (noticeSecondsMin > noticeSecondsMax)
    faults.push({ path: '/shocks/noticeSecondsMin', message: `must be at most noticeSecondsMax, ${noticeSecondsMax}` });
  if (noticeSecondsMax > intervalSeconds)
    faults.push({ path: '/shocks/noticeSecondsMax', message: `must be at most intervalSeconds, ${intervalSeconds}` });
  for (const [place, { durationSeconds, effect }] of types.entries()) {
    const path = `/shocks/types/${place}`;
    if (durationSeconds > intervalSeconds)
      faults.push({ path: `${path}/durationSeconds`, message: `must be at most intervalSeconds, ${intervalSeconds}` });
    if (effect.kind === 'output' && !RESOURCES.includes(effect.resource))
      faults.push({ path: `${path}/effect/resource`, message: `${effect.resource} is no resource` });
    if (effect.kind === 'pirates' && effect.percent > 100)
      faults.push({ path: `${path}/effect/percent`, message: 'must be at most 100' });
    if (effect.kind === 'bounty' && (war?.lootPairPercent ?? 0) === 0)
      faults.push({ path: `${path}/effect`, message: 'needs war.lootPairPercent' });
    if (effect.kind === 'bounty' && effect.percent < 100)
      faults.push({ path: `${path}/effect/percent`, message: 'must be at least 100' });
  }
  return faults;
}

/** The limit must let a player have its starter planets, and never exceed that of the world. */
function colonyFaults({ set, colonies }: Rules): RuleSetFault[] {
  if (colonies === null) return [];
  const { planetsAtFirst, levelsPerPlanet } = colonies;
  const { perPlayerMax } = set.starter;
  const faults: RuleSetFault[] = [];
  if (planetsAtFirst < perPlayerMax) {
    const message = `must be at least ${perPlayerMax}, the number of starter planets`;
    faults.push({ path: '/colonies/planetsAtFirst', message });
  }
  const most = planetsAtFirst + Math.floor(RESEARCH_LEVEL_MAX / levelsPerPlanet);
  if (most > PLANETS_PER_PLAYER_MAX) {
    const message = `level ${RESEARCH_LEVEL_MAX} allows ${most} planets, more than ${PLANETS_PER_PLAYER_MAX}`;
    faults.push({ path: '/colonies', message });
  }
  return faults;
}

/** The bounds must include 100 % and all percentages of starter planets. */
function richnessFaults({ set: { richness } }: Rules): RuleSetFault[] {
  if (richness === undefined) return [];
  const { percentMin, percentMax, starters } = richness;
  return [
    ...(percentMin > 100 ? [{ path: '/richness/percentMin', message: 'must be at most 100' }] : []),
    ...(percentMax < 100 ? [{ path: '/richness/percentMax', message: 'must be at least 100' }] : []),
    ...starters.flatMap((percents, place) =>
      percents.every((percent) => percent >= percentMin && percent <= percentMax)
        ? []
        : [{ path: `/richness/starters/${place}`, message: 'must be from percentMin to percentMax' }],
    ),
  ];
}

/** Requires that the highest level of a building, with all research, on the richest planet, produces no more in an hour than a planet can hold. */
function outputFaults(rules: Rules): RuleSetFault[] {
  const { richness } = rules.set;
  if (!rules.hasOutputEffects && richness === undefined) return [];
  const player = EVERYTHING_RESEARCHED;
  const richest = (richness?.percentMax ?? 100) / 100;
  return rules.buildings.flatMap((_, place) => {
    const output = rules.buildingOutput(place, BUILDING_LEVEL_MAX);
    const isBounded = output.every(
      (units, resource) => units * richest * (1 + rules.outputBonusOf(player, resource) / 100) <= STOCK_UNITS_MAX,
    );
    const message = `with all research${richness === undefined ? '' : ', on the richest planet'}, level ${BUILDING_LEVEL_MAX} produces more than ${STOCK_UNITS_MAX} units an hour`;
    return isBounded ? [] : [{ path: `/buildings/${place}/baseOutput`, message }];
  });
}

/** The most ships of a type on a side: the owner of a planet and its supporters fight together. */
function exactShips({ support }: Rules): number {
  return EXACT_SHIPS_PER_TYPE * (1 + (support?.fleetsPerPlanetMax ?? 0));
}

/** The strengths of all types together, and their cargo, stay exact for very large fleets with all research. */
function strengthFaults(rules: Rules): RuleSetFault[] {
  if (rules.version === RULES_VERSION) return [];
  const player = EVERYTHING_RESEARCHED;
  const strongest = Math.max(100, rules.war?.strongAgainstPercent ?? 100) / 100;
  const exactMax = Number.MAX_SAFE_INTEGER / exactShips(rules);
  const sums = {
    attack: (sumOf(rules, 'attack') * rules.attackPercentOf(player) * strongest * THOUSANDTHS) / 100,
    defence: (sumOf(rules, 'defence') * rules.hitPointPercentOf(player) * THOUSANDTHS) / 100,
    cargo: (sumOf(rules, 'cargo') * rules.cargoPercentOf(player)) / 100,
  };
  const ofShips = (['attack', 'defence', 'cargo'] as const).flatMap((field) =>
    sums[field] <= exactMax
      ? []
      : [{ path: '/ships', message: `with all research, ${field} of all ships together is too large to stay exact` }],
  );
  return [...ofShips, ...defenceFaults(rules, sums)];
}

/** The same of the highest levels of all defences, beside such fleets. @param ships strengths of one ship of each type together */
function defenceFaults(rules: Rules, ships: { readonly attack: number; readonly defence: number }): RuleSetFault[] {
  const { war } = rules;
  if (war === null) return [];
  const player = EVERYTHING_RESEARCHED;
  const strongest = Math.max(100, war.strongAgainstPercent) / 100;
  const highest = (strengths: readonly (readonly number[])[]): number =>
    strengths.reduce((total, ofLevels) => total + (ofLevels.at(-1) ?? 0), 0);
  const attack = highest(war.defences.map(({ attacks }) => attacks)) * rules.attackPercentOf(player) * strongest;
  const hitPoints = highest(war.defences.map(({ hitPoints }) => hitPoints)) * rules.hitPointPercentOf(player);
  return [
    { field: 'attack', strength: attack, besides: ships.attack },
    { field: 'hit points', strength: hitPoints, besides: ships.defence },
  ].flatMap(({ field, strength, besides }) =>
    (strength * THOUSANDTHS) / 100 + besides * exactShips(rules) <= Number.MAX_SAFE_INTEGER
      ? []
      : [
          {
            path: '/buildings',
            message: `with all research, ${field} of all defences at level ${BUILDING_LEVEL_MAX} are too large to stay exact`,
          },
        ],
  );
}

function sumOf({ ships }: Rules, field: 'attack' | 'defence' | 'cargo'): number {
  return ships.reduce((total, ship) => total + ship[field], 0);
}

const EVERYTHING_RESEARCHED: Researcher = { researchLevel: () => RESEARCH_LEVEL_MAX };
