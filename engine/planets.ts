// Planets that have an owner: finding them, and founding new ones, which happens only here.
import { recordApproachingFleets } from './incoming-fleets.js';
import type { Planet } from './planet-table.js';
import { addBuildingPoints } from './points.js';
import { type Refusal, refuse, refuseAtLimit } from './rejections.js';
import { type Amounts, FREE } from './resources.js';
import { PLANETS_PER_PLAYER_MAX } from './rules/limits.js';
import { takeStarterKey } from './starters.js';
import { type Player, type ReadonlyPlanet, touchPlanet, type World } from './state.js';
import type { PlanetKey } from './universe.js';

/** Returns a planet that has an owner, or the refusal if there is none. */
export function ownedPlanet(world: World, key: PlanetKey): Planet | Refusal {
  if (!world.universe.holds(key)) return refuse('planet_not_found');
  return world.planets.get(key) ?? refuse('not_owner', { reason: 'Nobody owns the planet.' });
}

/**
 * The refusal of a planet that no fleet takes, if a player has as many as anybody may have; else null. The rules' own limit is for
 * fleets: the contract has none for a second starter and the development mode.
 */
export function refuseAnotherPlanet(player: Player): Refusal | null {
  if (player.planets.length < PLANETS_PER_PLAYER_MAX) return null;
  return refuseAtLimit('PLANETS_PER_PLAYER_MAX', PLANETS_PER_PLAYER_MAX);
}

/** True if a planet has a building, even if it is under its first construction. */
export function hasBuilding(planet: Pick<ReadonlyPlanet, 'levelOf' | 'upgrade'>, buildingType: number): boolean {
  return planet.levelOf(buildingType) > 0 || planet.upgrade?.buildingType === buildingType;
}

/** The level of a building when the upgrade in progress, if it is of this type, is complete. */
export function levelToCome(planet: ReadonlyPlanet, buildingType: number): number {
  const { upgrade } = planet;
  return upgrade?.buildingType === buildingType ? upgrade.targetLevel : planet.levelOf(buildingType);
}

/** Gives a player its next starter planet. Call it only after nextStarterKey() has found one. */
export function foundStarter(world: World, player: Player): Planet {
  const key = takeStarterKey(world);
  player.starterCount += 1;
  return foundPlanet(world, player, key, world.rules.starterBuildings, world.rules.set.starter.stock);
}

/** Gives a player a planet that nobody owns. */
export function foundColony(world: World, player: Player, key: PlanetKey): Planet {
  return foundPlanet(world, player, key, world.rules.colonyBuildings, FREE);
}

/**
 * Records that an existing player has gained a planet, and warns it of fleets that are on their way there.
 *
 * @param fleetNumber null if no fleet was needed
 */
export function recordColonized(world: World, planet: Planet, fleetNumber: number | null): void {
  const { key: planetKey, ownerNumber: playerNumber } = planet;
  world.events.push({ kind: 'planet_colonized', atMs: world.nowMs, playerNumber, planetKey, fleetNumber });
  recordApproachingFleets(world, planet);
}

function foundPlanet(
  world: World,
  owner: Player,
  key: PlanetKey,
  buildings: readonly number[],
  stock: Amounts,
): Planet {
  world.freedStarters.remove(key);
  const planet = world.planets.add(key, owner.number);
  // concat instead of push: the first push would reserve room for seventeen planets.
  owner.planets = owner.planets.concat(planet);
  for (let resource = 0; resource < stock.length; resource += 1) {
    planet.setStockAt(resource, (stock[resource] as number) * 1000, world.nowMs);
  }
  let units = 0;
  for (const buildingType of buildings) {
    planet.setLevel(buildingType, 1);
    units += world.rules.buildingPoints(buildingType, 1);
  }
  addBuildingPoints(world, planet, units);
  touchPlanet(world, planet);
  return planet;
}
