// construct_building: adds a building that the planet does not have yet. Its first upgrade starts at once; until that
// is finished it has level 0.

import type { Planet } from '../planet-table.js';
import { hasBuilding, ownedPlanet } from '../planets.js';
import { isRefusal, type Refusal, refuse } from '../rejections.js';
import { TYPES_PER_LIST_MAX } from '../rules/limits.js';
import { type ReadonlyPlanet, recordActivity } from '../state.js';
import type { PlanetKey } from '../universe.js';
import type { CommandDefinition } from './command.js';
import { startUpgrade } from './start-upgrade.js';

export interface ConstructBuilding {
  readonly type: 'construct_building';
  readonly planetKey: PlanetKey;
  readonly buildingType: number;
}

export const constructBuilding: CommandDefinition<ConstructBuilding, Planet> = {
  type: 'construct_building',
  code: 7,
  decode: (row) => ({
    type: 'construct_building',
    planetKey: row.integer('planet'),
    buildingType: row.integer('building type', 0, TYPES_PER_LIST_MAX - 1),
  }),

  execute(world, { planetKey, buildingType }) {
    const planet = ownedPlanet(world, planetKey);
    if (isRefusal(planet)) return planet;
    const outcome = refusePresent(planet, buildingType) ?? startUpgrade(world, planet, buildingType);
    if (!isRefusal(outcome)) recordActivity(world, planet.ownerNumber);
    return outcome;
  },
};

/** The refusal of a construction if the planet has the building. */
export function refusePresent(planet: ReadonlyPlanet, buildingType: number): Refusal | null {
  return hasBuilding(planet, buildingType) ? refuse('building_exists') : null;
}
