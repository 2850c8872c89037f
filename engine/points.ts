// The points of planets and fleets: the units of all resources that their buildings and ships cost under the rules.
import type { Planet } from './planet-table.js';
import type { Rules } from './rules/rules.js';
import type { Fleet, Player } from './state.js';

/** Points of all levels of a planet's buildings and of its stationed ships. */
export function planetPoints(rules: Rules, planet: Planet): number {
  let points = 0;
  for (let type = 0; type < rules.buildings.length; type += 1) {
    points += rules.buildingPointsThrough(type, planet.levelOf(type));
  }
  for (let type = 0; type < rules.ships.length; type += 1) points += planet.shipCount(type) * rules.shipPoints(type);
  return points;
}

/** Points of a fleet's ships. */
export function fleetPoints(rules: Rules, { ships }: Pick<Fleet, 'ships'>): number {
  let points = 0;
  for (let type = 0; type < ships.length; type += 1) points += (ships[type] as number) * rules.shipPoints(type);
  return points;
}

/** Points of all planets and fleets of a player. */
export function playerPoints(rules: Rules, { planets, fleets }: Player): number {
  let points = 0;
  for (const planet of planets) points += planetPoints(rules, planet);
  for (const fleet of fleets) points += fleetPoints(rules, fleet);
  return points;
}
