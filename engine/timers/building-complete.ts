// An upgrade is finished: the building reaches its target level, and its output changes from this instant on.
import { sum } from '../arithmetic.js';
import { buildingCost } from '../rules/tables.js';
import { addPoints, touchPlanet, type World } from '../state.js';
import { settle } from '../stocks.js';
import type { PlanetKey } from '../universe.js';

export function completeBuilding(world: World, planetKey: PlanetKey): void {
  const planet = world.planets.get(planetKey);
  if (planet?.upgrade == null) throw new Error(`no upgrade to complete on planet ${planetKey}`);
  const { buildingType, targetLevel } = planet.upgrade;
  settle(world, planet, world.nowMs);
  planet.levels[buildingType] = targetLevel;
  planet.upgrade = null;
  addPoints(world, planet.owner, sum(buildingCost(buildingType, targetLevel)));
  touchPlanet(world, planet);
}
