// upgrade_building: starts the next level of a building that the planet has.

import type { Planet } from '../planet-table.js';
import { hasBuilding } from '../planets.js';
import { isRefusal, type Refusal, refuse } from '../rejections.js';
import { TYPES_PER_LIST_MAX } from '../rules/limits.js';
import { type ReadonlyPlanet, recordActivity } from '../state.js';
import type { PlanetKey } from '../universe.js';
import type { CommandDefinition } from './command.js';
import { startUpgrade } from './start-upgrade.js';

export interface UpgradeBuilding {
  readonly type: 'upgrade_building';
  readonly planetKey: PlanetKey;
  readonly buildingType: number;
}

export const upgradeBuilding: CommandDefinition<UpgradeBuilding, Planet> = {
  type: 'upgrade_building',
  code: 8,
  decode: (row) => ({
    type: 'upgrade_building',
    planetKey: row.integer('planet'),
    buildingType: row.integer('building type', 0, TYPES_PER_LIST_MAX - 1),
  }),

  execute(world, { planetKey, buildingType }) {
    if (!world.universe.holds(planetKey)) return refuse('planet_not_found');
    const planet = world.planets.get(planetKey);
    if (planet === undefined) return refuse('building_not_found');
    const outcome = refuseAbsent(planet, buildingType) ?? startUpgrade(world, planet, buildingType);
    if (!isRefusal(outcome)) recordActivity(world, planet.ownerNumber);
    return outcome;
  },
};

/** The refusal of an upgrade if the planet does not have the building. */
export function refuseAbsent(planet: ReadonlyPlanet, buildingType: number): Refusal | null {
  return hasBuilding(planet, buildingType) ? null : refuse('building_not_found');
}
