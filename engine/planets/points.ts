// The points of a player: a share of the units of all resources that its buildings and ships cost, and of what it destroyed
// (docs/rules.md: Points). A rule set without `points` counts all of what is built, and nothing of what is destroyed. Shares are added
// exactly, in hundredths, so that the points do not depend on the order of additions. Shown points are rounded down.

import { multiplyDivideFloor } from '../numbers/arithmetic.js';
import type { Rules } from '../rules/rules.js';
import type { Planet } from '../world/planet-table.js';
import type { Player } from '../world/player-table.js';
import {
  type ReadonlyFleet,
  type ReadonlyPlanet,
  type ReadonlyPlayer,
  touchPlayer,
  type World,
} from '../world/state.js';

/** An exact sum of percentages of whole units. */
export class PointSum {
  constructor(
    public whole = 0,
    /** 0 to 99 hundredths more. */
    public hundredths = 0,
  ) {}

  /** @param units a negative number subtracts */
  add(units: number, percent: number): void {
    const hundreds = Math.floor(units / 100);
    const hundredths = (units - 100 * hundreds) * percent + this.hundredths;
    const carried = Math.floor(hundredths / 100);
    this.whole += hundreds * percent + carried;
    this.hundredths = hundredths - 100 * carried;
  }
}

/** Percentage of the cost of buildings that counts on a player's planet. @param index of the planet in the order of ownership, from 0 */
function planetPercent({ points }: Rules, index: number): number {
  if (points === null) return 100;
  const { planetPercents } = points;
  return planetPercents[Math.min(index, planetPercents.length - 1)] as number;
}

function shipPercent({ points }: Rules): number {
  return points === null ? 100 : points.shipPercent;
}

/** Adds a planet's buildings and stationed ships. @param index see planetPercent() */
export function addPlanetTo(points: PointSum, rules: Rules, planet: Planet, index: number): void {
  const percent = planetPercent(rules, index);
  for (let type = 0; type < rules.buildings.length; type += 1) {
    points.add(rules.buildingPointsThrough(type, planet.levelOf(type)), percent);
  }
  for (let type = 0; type < rules.ships.length; type += 1) {
    points.add(planet.shipCount(type) * rules.shipPoints(type), shipPercent(rules));
  }
}

/** Adds a fleet's ships. */
export function addFleetTo(points: PointSum, rules: Rules, { ships }: Pick<ReadonlyFleet, 'ships'>): void {
  for (let type = 0; type < ships.length; type += 1) {
    points.add((ships[type] as number) * rules.shipPoints(type), shipPercent(rules));
  }
}

/** Adds the ships of others that a player destroyed. @param units of all resources that they cost */
export function addDestroyedTo(points: PointSum, rules: Rules, units: number): void {
  points.add(units, destroyedPercent(rules));
}

function destroyedPercent({ points }: Rules): number {
  return points === null ? 0 : points.destroyedPercent;
}

/** Counts all points of a player again, after a switch of rules. */
export function recountPoints(world: World, player: Player): void {
  const { rules } = world;
  const points = new PointSum();
  for (const [index, planet] of player.planets.entries()) addPlanetTo(points, rules, planet, index);
  for (const fleet of player.fleets) addFleetTo(points, rules, fleet);
  addDestroyedTo(points, rules, player.destroyedUnits);
  setPoints(world, player, points);
}

/** Adds the cost of what is built on a planet. */
export function addBuildingPoints(world: World, planet: Planet, units: number): void {
  addPoints(world, planet.ownerNumber, units, percentOn(world.rules, planet));
}

/** Percentage of the cost of buildings that counts on a planet. */
function percentOn(rules: Rules, planet: ReadonlyPlanet): number {
  if (rules.points === null) return 100;
  let index = 0;
  for (let other = planet.owner.firstPlanet; other !== undefined && other.row !== planet.row; other = other.next) {
    index += 1;
  }
  return planetPercent(rules, index);
}

/** The points of a level of a building on a planet, rounded down. */
export function pointsOfLevel(rules: Rules, planet: ReadonlyPlanet, buildingType: number, level: number): number {
  return multiplyDivideFloor(rules.buildingPoints(buildingType, level), percentOn(rules, planet), 100);
}

/** The points of buildings on the next planet of a player, rounded down. @param units that they cost */
export function pointsOnNextPlanet(rules: Rules, { planetCount }: ReadonlyPlayer, units: number): number {
  return multiplyDivideFloor(units, planetPercent(rules, planetCount), 100);
}

/** The points of a ship, rounded down. */
export function pointsOfShip(rules: Rules, shipType: number): number {
  return multiplyDivideFloor(rules.shipPoints(shipType), shipPercent(rules), 100);
}

/** Adds the cost of ships. @param count a negative number subtracts */
export function addShipPoints(world: World, playerNumber: number, shipType: number, count: number): void {
  addPoints(world, playerNumber, count * world.rules.shipPoints(shipType), shipPercent(world.rules));
}

/** Adds the cost of ships of others that a player destroyed, under rules with `war`. */
export function addDestroyed(world: World, player: Player, units: number): void {
  if (units === 0) return;
  player.destroyedUnits += units;
  addPoints(world, player.number, units, destroyedPercent(world.rules));
  touchPlayer(world, player);
}

/** The points that a player has for what it destroyed. */
export function battlePoints(rules: Rules, { destroyedUnits }: Pick<Player, 'destroyedUnits'>): number {
  return multiplyDivideFloor(destroyedUnits, destroyedPercent(rules), 100);
}

function addPoints(world: World, playerNumber: number, units: number, percent: number): void {
  const whole = world.leaderboard.pointsOf(playerNumber);
  if (percent === 100) world.leaderboard.set(playerNumber, whole + units);
  else addShare(world, playerNumber, whole, units, percent);
}

function addShare(world: World, playerNumber: number, whole: number, units: number, percent: number): void {
  const player = world.players.at(playerNumber);
  const points = new PointSum(whole, player.pointHundredths);
  points.add(units, percent);
  setPoints(world, player, points);
}

function setPoints({ leaderboard }: World, player: Player, points: PointSum): void {
  leaderboard.set(player.number, points.whole);
  player.pointHundredths = points.hundredths;
}
