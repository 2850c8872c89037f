// construct_building: a building type that the planet does not have yet. It stands at level 0 until its first upgrade,
// which begins at once, is finished.
import { refuse } from '../rejections.js';
import type { Planet } from '../state.js';
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
  encode: ({ planetKey, buildingType }) => [planetKey, buildingType],
  decode: ([planetKey, buildingType]) => ({ type: 'construct_building', planetKey, buildingType }) as ConstructBuilding,

  execute(world, { planetKey, buildingType }) {
    if (!world.universe.holds(planetKey)) return refuse('planet_not_found');
    const planet = world.planets.get(planetKey);
    if (planet === undefined) return refuse('not_owner', { reason: 'Nobody owns the planet.' });
    const exists = (planet.levels[buildingType] as number) > 0 || planet.upgrade?.buildingType === buildingType;
    if (exists) return refuse('building_exists');
    return startUpgrade(world, planet, buildingType);
  },
};
