// A research is finished: the player's level rises by one.
import { stirPlans } from '../plans/plans.js';
import { type Player, touchPlayer, type World } from '../state.js';

export function completeResearch(world: World, player: Player): void {
  if (player.research === null) throw new Error(`player ${player.number} has no research to complete`);
  const { researchType } = player.research;
  const level = (player.researchLevels[researchType] as number) + 1;
  player.researchLevels[researchType] = level;
  player.research = null;
  touchPlayer(world, player);
  world.events?.researchCompleted(player.number, researchType, level);
  stirPlans(world, player);
}
