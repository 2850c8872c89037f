// A research is finished: the player's level rises by one.
import { raiseLevel } from '../output.js';
import { stirPlans } from '../plans/plans.js';
import { type Player, touchPlayer, type World } from '../state.js';

export function completeResearch(world: World, player: Player): void {
  if (player.research === null) throw new Error(`player ${player.number} has no research to complete`);
  const { researchType } = player.research;
  player.research = null;
  const level = raiseLevel(world, player, researchType);
  touchPlayer(world, player);
  world.events.researchCompleted(player.number, researchType, level);
  stirPlans(world, player);
}
