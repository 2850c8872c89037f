// What research adds to the output of a player's planets, if the rules have such research. It is kept as one number for each player and
// resource, which stocks.ts reads.
import { RESOURCES } from './resources.js';
import { type Player, touchPlanet, type World } from './state.js';
import { settle } from './stocks.js';

/** Raises the level of a research. Its player's stocks are settled first if the output of its planets changes. */
export function raiseLevel(world: World, player: Player, researchType: number): number {
  const changesOutput = world.rules.research[researchType]?.effect?.kind === 'output';
  if (changesOutput) for (const planet of player.planets) settle(world, planet, world.nowMs);
  const level = (player.researchLevels[researchType] as number) + 1;
  player.researchLevels[researchType] = level;
  if (changesOutput) {
    setOutputBonuses(world, player);
    for (const planet of player.planets) touchPlanet(world, planet);
  }
  return level;
}

/** Derives the bonuses of a player from its levels. Its stocks must be settled. */
export function setOutputBonuses(world: World, player: Player): void {
  if (!world.rules.hasOutputEffects) return;
  for (let resource = 0; resource < RESOURCES.length; resource += 1) {
    world.outputBonuses[resource]?.set(player.number, world.rules.outputBonusOf(player, resource));
  }
}
