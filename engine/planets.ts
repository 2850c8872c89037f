// Planets that have an owner: finding them, and the one place where a planet enters the tables.
import { sum } from './arithmetic.js';
import { type Refusal, refuse } from './rejections.js';
import {
  type Amounts,
  BUILDINGS,
  COLONY_BUILDINGS,
  SHIPS,
  STARTER_BUILDINGS,
  STARTER_STOCK,
} from './rules/catalogue.js';
import { buildingCost } from './rules/tables.js';
import { takeStarterKey } from './starters.js';
import { addPoints, type Planet, type Player, touchPlanet, type World } from './state.js';
import { NO_TIMER } from './timer-queue.js';
import type { PlanetKey } from './universe.js';

const NOTHING: Amounts = [0, 0, 0, 0, 0];

/** A planet that somebody owns, or the refusal where there is none. */
export function ownedPlanet(world: World, key: PlanetKey): Planet | Refusal {
  if (!world.universe.holds(key)) return refuse('planet_not_found');
  return world.planets.get(key) ?? refuse('not_owner', { reason: 'Nobody owns the planet.' });
}

/** True where a planet has a building, be it under its first construction. */
export function hasBuilding(planet: Planet, buildingType: number): boolean {
  return (planet.levels[buildingType] as number) > 0 || planet.upgrade?.buildingType === buildingType;
}

/** Gives a player its next starter planet; only where nextStarterKey has found one. */
export function foundStarter(world: World, player: Player): Planet {
  const key = takeStarterKey(world);
  player.starterCount += 1;
  return foundPlanet(world, player, key, STARTER_BUILDINGS, STARTER_STOCK);
}

/** Gives a player a planet that nobody owns. */
export function foundColony(world: World, player: Player, key: PlanetKey): Planet {
  return foundPlanet(world, player, key, COLONY_BUILDINGS, NOTHING);
}

/** Units of resources that the buildings of a planet have cost, level by level. */
function buildingPoints(levels: readonly number[]): number {
  let points = 0;
  for (const [type, reached] of levels.entries()) {
    for (let level = 1; level <= reached; level += 1) points += sum(buildingCost(type, level));
  }
  return points;
}

function foundPlanet(
  world: World,
  owner: Player,
  key: PlanetKey,
  buildings: readonly number[],
  stock: Amounts,
): Planet {
  const planet: Planet = {
    key,
    owner,
    changedSeq: 0,
    stock: stockArray(stock),
    stockSinceMs: world.nowMs,
    levels: BUILDINGS.map((_, type) => (buildings.includes(type) ? 1 : 0)),
    upgrade: null,
    ships: SHIPS.map(() => 0),
    orders: [],
    orderTimer: NO_TIMER,
  };
  world.planets.set(key, planet);
  owner.planets.push(planet);
  addPoints(world, owner, buildingPoints(planet.levels));
  touchPlanet(world, planet);
  return planet;
}

/** Thousandths as an array that the virtual machine keeps as unboxed doubles from the start, whatever it holds later. */
function stockArray(units: Amounts): number[] {
  const stock = [0.5, 0.5, 0.5, 0.5, 0.5];
  for (const [resource, amount] of units.entries()) stock[resource] = amount * 1000;
  return stock;
}
