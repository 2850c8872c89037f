// An upgrade is finished: the building reaches its target level, and its output changes from now on.
import { setLevel } from '../output.js';
import type { PlanetRow } from '../planet-table.js';
import { addBuildingPoints } from '../points.js';
import { touchPlanet, type World } from '../state.js';

export function completeBuilding(world: World, row: PlanetRow): void {
  const planet = world.planets.at(row);
  const { upgrade } = planet;
  if (upgrade === null) throw new Error(`planet ${planet.key} has no upgrade to complete`);
  const { queueNumber, buildingType, targetLevel } = upgrade;
  setLevel(world, planet, buildingType, targetLevel);
  planet.endUpgrade();
  const units = world.rules.buildingPoints(buildingType, targetLevel);
  addBuildingPoints(world, planet, units);
  touchPlanet(world, planet);
  world.events.buildingCompleted(planet.ownerNumber, planet.key, queueNumber, buildingType, targetLevel);
}
