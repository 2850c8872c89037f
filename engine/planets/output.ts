// Everything that changes the output of planets: levels of buildings and of research, other rules, and the speed of the world. Only stocks
// whose output changes are settled. What research adds is kept as one number for each player and resource, which stocks.ts reads.

import { RESOURCES } from '../rules/resources.js';
import type { Rules } from '../rules/rules.js';
import type { Planet } from '../world/planet-table.js';
import type { Player } from '../world/player-table.js';
import { touchPlanet, type World } from '../world/state.js';
import { hourlyThousandths, settle } from './stocks.js';

/** Sets the level of a building. Stocks whose output it changes are settled. */
export function setLevel(world: World, planet: Planet, buildingType: number, level: number): void {
  const before = world.rules.buildingOutput(buildingType, planet.levelOf(buildingType));
  const after = world.rules.buildingOutput(buildingType, level);
  for (let resource = 0; resource < RESOURCES.length; resource += 1) {
    if (before[resource] === after[resource]) continue;
    settle(world, planet, resource, hourlyThousandths(world, planet, resource));
  }
  planet.setLevel(buildingType, level);
}

/** Raises the level of a research. Stocks of its player's planets whose output it changes are settled. */
export function raiseLevel(world: World, player: Player, researchType: number): number {
  const level = player.researchLevel(researchType) + 1;
  player.setResearchLevel(researchType, level);
  if (world.rules.research[researchType]?.effect?.kind === 'output') renewOutputs(world, player, world.rules);
  return level;
}

/** Derives the bonuses of a player again, and settles its stocks whose output has changed. @param before the rules until now */
export function renewOutputs(world: World, player: Player, before: Rules): void {
  const { planets } = player;
  const outputs = planets.map((planet) =>
    RESOURCES.map((_, resource) => hourlyThousandths(world, planet, resource, before)),
  );
  setOutputBonuses(world, player);
  for (const [index, planet] of planets.entries()) {
    for (const [resource, hourly] of (outputs[index] as readonly number[]).entries()) {
      if (hourlyThousandths(world, planet, resource) !== hourly) settle(world, planet, resource, hourly);
    }
    touchPlanet(world, planet);
  }
}

/** Settles a stock now, so that what has changed its output before need not be known. */
export function settleOutput(world: World, planet: Planet, resource: number): void {
  settle(world, planet, resource, hourlyThousandths(world, planet, resource));
  touchPlanet(world, planet);
}

/** Settles all that the planets of a player produce, before the speed of the world changes. */
export function settleOutputs(world: World, { planets }: Player): void {
  for (const planet of planets) {
    for (let resource = 0; resource < RESOURCES.length; resource += 1) {
      const hourly = hourlyThousandths(world, planet, resource);
      if (hourly > 0) settle(world, planet, resource, hourly);
    }
    touchPlanet(world, planet);
  }
}

/** Derives the bonuses of a player from its levels. */
export function setOutputBonuses(world: World, player: Player): void {
  if (!world.rules.hasOutputEffects) return;
  for (let resource = 0; resource < RESOURCES.length; resource += 1) {
    player.setOutputBonus(resource, world.rules.outputBonusOf(player, resource));
  }
}
