// The rules as data, for GET /api/catalog: what an agent needs to compute costs, times and flights in advance.

import { DISTANCE, FLIGHT_TYPES } from '../../engine/map/universe.js';
import * as limits from '../../engine/rules/limits.js';
import { RESOURCES } from '../../engine/rules/resources.js';
import type { DefenceRule, ResearchEffect, RuleSet } from '../../engine/rules/rule-set.js';
import { buildingBaseMs, type Rules, researchBaseMs } from '../../engine/rules/rules.js';
import { hasMission, MISSIONS } from '../../engine/terms/missions.js';
import type { WorldSettings } from '../../engine/world/state.js';
import { rulesIdentity } from '../../persistence/rules/stored-rules.js';
import type { ruleParts } from '../schemas/rule-parts.js';
import type { CatalogBody, DefenceBody, ResearchEffectBody } from '../schemas/world.js';
import { cargoAmounts, resourceAmounts } from './ships.js';

export function catalogBody(settings: WorldSettings, rules: Rules): CatalogBody {
  const { set } = rules;
  return {
    rulesVersion: settings.rulesVersion,
    rules: rulesIdentity(rules),
    speed: settings.speedThousandths / 1000,
    resources: [...RESOURCES],
    buildings: set.buildings.map(({ type, displayName, description, defence }, index) => ({
      type,
      ...shownName(displayName),
      description,
      maximumLevel: limits.BUILDING_LEVEL_MAX,
      costs: byLevel(limits.BUILDING_LEVEL_MAX, (level) => [...rules.buildingCost(index, level)]),
      outputsPerHour: byLevel(limits.BUILDING_LEVEL_MAX, (level) => [...rules.buildingOutput(index, level)]),
      seconds: byLevel(limits.BUILDING_LEVEL_MAX, (level) => buildingBaseMs(level - 1) / 1000),
      ...(defence === undefined ? {} : { defence: defenceBody(rules, index, defence) }),
    })),
    ships: set.ships.map((ship) => ({
      type: ship.type,
      ...shownName(ship.displayName),
      cost: resourceAmounts(ship.cost),
      baseSeconds: ship.baseSeconds,
      attack: ship.attack,
      defence: ship.defence,
      speed: ship.speedTenths / 10,
      cargo: ship.cargo,
      h2Rate: ship.h2RateTenths / 10,
      hangarSize: ship.hangarSize,
      hangarCapacity: ship.hangarCapacity,
      ...(ship.strongAgainst === undefined ? {} : { strongAgainst: [...ship.strongAgainst] }),
    })),
    drives: set.drives.map((drive) => ({
      type: drive.type,
      ...shownName(drive.displayName),
      research: drive.research,
      multipliers: Object.fromEntries(
        FLIGHT_TYPES.map((type, index) => [type, (drive.multiplierTenths[index] ?? 0) / 10]),
      ),
      h2Factor: drive.h2FactorTenths / 10,
    })),
    research: set.research.map(({ type, displayName, unlocks, effect }) => ({
      type,
      ...shownName(displayName),
      unlocks,
      maximumLevel: limits.RESEARCH_LEVEL_MAX,
      seconds: byLevel(limits.RESEARCH_LEVEL_MAX, (level) => researchBaseMs(level - 1) / 1000),
      ...(effect === undefined ? {} : { effect: effectBody(effect) }),
    })),
    roles: { ...set.roles },
    missions: MISSIONS.filter((mission) => hasMission(set, mission)),
    flightTypes: [...FLIGHT_TYPES],
    ...partsOf(set),
    constants: {
      ...DISTANCE,
      h2DistanceDivisor: set.h2DistanceDivisor,
      h2SavingPercentPerLevel: set.h2SavingPercentPerLevel,
      h2UsePercentMin: set.h2UsePercentMin,
      shieldHitPointsPerLevel: set.shieldHitPointsPerLevel,
      combatRoundsMax: set.combatRoundsMax,
      lootDivisor: set.lootDivisor,
      startersPerPlayerMax: set.starter.perPlayerMax,
      ...limits,
    },
  };
}

function defenceBody({ war }: Rules, building: number, { strongAgainst }: DefenceRule): DefenceBody {
  const { attacks = [], hitPoints = [] } = war?.defences.find((defence) => defence.building === building) ?? {};
  return { attacks: attacks.slice(1), hitPoints: hitPoints.slice(1), strongAgainst: [...strongAgainst] };
}

/** The parts that a rule set has. */
function partsOf({
  plans,
  colonies,
  war,
  points,
  deliveries,
  richness,
  sight,
  fields,
  support,
  messages,
  market,
  pacts,
  shocks,
}: RuleSet): Pick<CatalogBody, keyof typeof ruleParts> {
  return {
    ...(plans === undefined ? {} : { plans: { ...plans } }),
    ...(colonies === undefined ? {} : { colonies: { ...colonies } }),
    ...(war === undefined ? {} : { war: { ...war } }),
    ...(deliveries === undefined ? {} : { deliveries: { ...deliveries } }),
    ...(sight === undefined ? {} : { sight: { ...sight } }),
    ...(support === undefined ? {} : { support: { ...support } }),
    ...(messages === undefined ? {} : { messages: { ...messages } }),
    ...(market === undefined ? {} : { market: { ...market, values: cargoAmounts(market.values) } }),
    ...(pacts === undefined ? {} : { pacts: { ...pacts } }),
    ...(shocks === undefined ? {} : { shocks: { ...shocks, types: shocks.types.map((rule) => ({ ...rule })) } }),
    ...(richness === undefined ? {} : { richness: { ...richness, starters: richness.starters.map(cargoAmounts) } }),
    ...(fields === undefined ? {} : { fields: { ...fields, asteroids: cargoAmounts(fields.asteroids) } }),
    ...(points === undefined ? {} : { points: { ...points } }),
  };
}

function effectBody(effect: ResearchEffect): ResearchEffectBody {
  if (effect.kind !== 'output') return { ...effect };
  return { ...effect, resources: RESOURCES.filter((name) => effect.resources.includes(name)) };
}

function shownName(displayName: string | undefined): { displayName?: string } {
  return displayName === undefined ? {} : { displayName };
}

/** One value for each level that can be built, from 1. */
function byLevel<T>(maximumLevel: number, valueAt: (level: number) => T): T[] {
  return Array.from({ length: maximumLevel }, (_, index) => valueAt(index + 1));
}
