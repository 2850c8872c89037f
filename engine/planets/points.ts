// The points of a player: the units of all resources that its buildings cost, a share of what its ships cost, and one of what it
// destroyed (docs/rules.md: Points). A rule set without `points` counts ships whole, and nothing of what is destroyed. Shares are added
// exactly, in hundredths, so that the points do not depend on the order of additions. Shown points are rounded down.

import { multiplyDivideFloor, sum } from '../numbers/arithmetic.js';
import type { Rules } from '../rules/rules.js';
import type { Planet } from '../world/planet-table.js';
import type { Player } from '../world/player-table.js';
import { type ReadonlyFleet, touchPlayer, type World } from '../world/state.js';

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

function shipPercent({ points }: Rules): number {
  return points === null ? 100 : points.shipPercent;
}

/** Adds a planet's buildings and stationed ships. */
export function addPlanetTo(points: PointSum, rules: Rules, planet: Planet): void {
  for (let type = 0; type < rules.buildings.length; type += 1) {
    points.add(rules.buildingPointsThrough(type, planet.levelOf(type)), 100);
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
  for (const planet of player.planets) addPlanetTo(points, rules, planet);
  for (const fleet of player.fleets) addFleetTo(points, rules, fleet);
  addDestroyedTo(points, rules, player.destroyedUnits);
  setPoints(world, player, points);
}

/** Adds the cost of what is built on a planet. */
export function addBuildingPoints(world: World, planet: Planet, units: number): void {
  addPoints(world, planet.ownerNumber, units, 100);
}

/** The points of a ship, rounded down. */
export function pointsOfShip(rules: Rules, shipType: number): number {
  return multiplyDivideFloor(rules.shipPoints(shipType), shipPercent(rules), 100);
}

/** Units of all resources that ships cost. @param counts by ship type */
export function unitsOfShips(rules: Rules, counts: readonly number[]): number {
  return sum(counts.map((count, type) => count * rules.shipPoints(type)));
}

/** Adds the cost of ships. @param count a negative number subtracts */
export function addShipPoints(world: World, playerNumber: number, shipType: number, count: number): void {
  addPoints(world, playerNumber, count * world.rules.shipPoints(shipType), shipPercent(world.rules));
}

/** Adds the cost of ships of others that a player destroyed, as far as they count (docs/rules.md: Points). */
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
