// The rules as data, for GET /api/catalog: what an agent needs to compute costs, times and flights ahead.

import { DISTANCE, FLIGHT_TYPES } from '../../engine/flight-types.js';
import { MISSIONS } from '../../engine/missions/names.js';
import { RESOURCES } from '../../engine/resources.js';
import * as limits from '../../engine/rules/limits.js';
import { buildingBaseMs, researchBaseMs } from '../../engine/rules/rules.js';
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';
import type { WorldSettings } from '../../engine/state.js';
import type { CatalogBody } from '../schemas/world.js';
import { resourceAmounts } from './ships.js';

export function catalogBody(settings: WorldSettings): CatalogBody {
  return {
    rulesVersion: settings.rulesVersion,
    speed: settings.speedThousandths / 1000,
    resources: [...RESOURCES],
    buildings: STANDARD_1.buildings.map(({ type, description }, index) => ({
      type,
      description,
      maximumLevel: limits.BUILDING_LEVEL_MAX,
      costs: byLevel(limits.BUILDING_LEVEL_MAX, (level) => [...STANDARD_1_RULES.buildingCost(index, level)]),
      outputsPerHour: byLevel(limits.BUILDING_LEVEL_MAX, (level) => [...STANDARD_1_RULES.buildingOutput(index, level)]),
      seconds: byLevel(limits.BUILDING_LEVEL_MAX, (level) => buildingBaseMs(level - 1) / 1000),
    })),
    ships: STANDARD_1.ships.map((ship) => ({
      type: ship.type,
      cost: resourceAmounts(ship.cost),
      baseSeconds: ship.baseSeconds,
      attack: ship.attack,
      defence: ship.defence,
      speed: ship.speedTenths / 10,
      cargo: ship.cargo,
      h2Rate: ship.h2RateTenths / 10,
      hangarSize: ship.hangarSize,
      hangarCapacity: ship.hangarCapacity,
    })),
    drives: STANDARD_1.drives.map((drive) => ({
      type: drive.type,
      research: drive.research,
      multipliers: Object.fromEntries(
        FLIGHT_TYPES.map((type, index) => [type, (drive.multiplierTenths[index] ?? 0) / 10]),
      ),
      h2Factor: drive.h2FactorTenths / 10,
    })),
    research: STANDARD_1.research.map(({ type, unlocks }) => ({
      type,
      unlocks,
      maximumLevel: limits.RESEARCH_LEVEL_MAX,
      seconds: byLevel(limits.RESEARCH_LEVEL_MAX, (level) => researchBaseMs(level - 1) / 1000),
    })),
    missions: [...MISSIONS],
    flightTypes: [...FLIGHT_TYPES],
    constants: {
      ...DISTANCE,
      h2DistanceDivisor: STANDARD_1.h2DistanceDivisor,
      h2SavingPercentPerLevel: STANDARD_1.h2SavingPercentPerLevel,
      h2UsePercentMin: STANDARD_1.h2UsePercentMin,
      shieldHitPointsPerLevel: STANDARD_1.shieldHitPointsPerLevel,
      combatRoundsMax: STANDARD_1.combatRoundsMax,
      lootDivisor: STANDARD_1.lootDivisor,
      startersPerPlayerMax: STANDARD_1.starter.perPlayerMax,
      ...limits,
    },
  };
}

/** One value for each level that can be built, from 1. */
function byLevel<T>(maximumLevel: number, valueAt: (level: number) => T): T[] {
  return Array.from({ length: maximumLevel }, (_, index) => valueAt(index + 1));
}
