// An upgrade is finished: the building reaches its target level, and its output changes from this instant on.
import { sum } from '../arithmetic.js';
import { buildingCost } from '../rules/tables.js';
import { addPoints, type Planet, touchPlanet, type World } from '../state.js';
import { settle } from '../stocks.js';

export function completeBuilding(world: World, planet: Planet): void {
  if (planet.upgrade === null) throw new Error(`no upgrade to complete on planet ${planet.key}`);
  const { buildingType, targetLevel } = planet.upgrade;
  settle(world, planet, world.nowMs);
  planet.levels[buildingType] = targetLevel;
  planet.upgrade = null;
  addPoints(world, planet.owner, sum(buildingCost(buildingType, targetLevel)));
  touchPlanet(world, planet);
}
