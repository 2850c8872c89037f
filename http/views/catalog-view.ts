// The rules as data, for GET /api/catalog: what an agent needs to compute costs, times and flights ahead.

import { DISTANCE, FLIGHT_TYPES } from '../../engine/flight-types.js';
import { MISSIONS } from '../../engine/missions/names.js';
import { RESOURCES } from '../../engine/resources.js';
import {
  BUILDINGS,
  COMBAT_ROUNDS_MAX,
  DRIVES,
  H2_DISTANCE_DIVISOR,
  H2_SAVING_PERCENT_PER_LEVEL,
  H2_USE_PERCENT_MIN,
  LOOT_DIVISOR,
  RESEARCH,
  SHIELD_HIT_POINTS_PER_LEVEL,
  SHIPS,
  STARTERS_PER_PLAYER_MAX,
} from '../../engine/rules/catalogue.js';
import * as limits from '../../engine/rules/limits.js';
import { buildingBaseMs, buildingCost, buildingOutput, researchBaseMs } from '../../engine/rules/tables.js';
import type { WorldSettings } from '../../engine/state.js';
import type { CatalogBody } from '../schemas/world.js';
import { resourceAmounts } from './ships.js';

export function catalogBody(settings: WorldSettings): CatalogBody {
  return {
    rulesVersion: settings.rulesVersion,
    speed: settings.speedThousandths / 1000,
    resources: [...RESOURCES],
    buildings: BUILDINGS.map(({ type, description }, index) => ({
      type,
      description,
      maximumLevel: limits.BUILDING_LEVEL_MAX,
      costs: byLevel(limits.BUILDING_LEVEL_MAX, (level) => [...buildingCost(index, level)]),
      outputsPerHour: byLevel(limits.BUILDING_LEVEL_MAX, (level) => [...buildingOutput(index, level)]),
      seconds: byLevel(limits.BUILDING_LEVEL_MAX, (level) => buildingBaseMs(level - 1) / 1000),
    })),
    ships: SHIPS.map((ship) => ({
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
    drives: DRIVES.map((drive) => ({
      type: drive.type,
      research: drive.research === null ? null : (RESEARCH[drive.research]?.type ?? null),
      multipliers: Object.fromEntries(
        FLIGHT_TYPES.map((type, index) => [type, (drive.multiplierTenths[index] ?? 0) / 10]),
      ),
      h2Factor: drive.h2FactorTenths / 10,
    })),
    research: RESEARCH.map(({ type, unlocks }) => ({
      type,
      unlocks,
      maximumLevel: limits.RESEARCH_LEVEL_MAX,
      seconds: byLevel(limits.RESEARCH_LEVEL_MAX, (level) => researchBaseMs(level - 1) / 1000),
    })),
    missions: [...MISSIONS],
    flightTypes: [...FLIGHT_TYPES],
    constants: {
      ...DISTANCE,
      h2DistanceDivisor: H2_DISTANCE_DIVISOR,
      h2SavingPercentPerLevel: H2_SAVING_PERCENT_PER_LEVEL,
      h2UsePercentMin: H2_USE_PERCENT_MIN,
      shieldHitPointsPerLevel: SHIELD_HIT_POINTS_PER_LEVEL,
      combatRoundsMax: COMBAT_ROUNDS_MAX,
      lootDivisor: LOOT_DIVISOR,
      startersPerPlayerMax: STARTERS_PER_PLAYER_MAX,
      ...limits,
    },
  };
}

/** One value for each level that can be built, from 1. */
function byLevel<T>(maximumLevel: number, valueAt: (level: number) => T): T[] {
  return Array.from({ length: maximumLevel }, (_, index) => valueAt(index + 1));
}
