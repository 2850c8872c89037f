// A research is finished: the player's level rises by one.
import { type Player, touchPlayer, type World } from '../state.js';

export function completeResearch(world: World, player: Player): void {
  if (player.research === null) throw new Error(`no research to complete for player ${player.number}`);
  const { researchType } = player.research;
  player.researchLevels[researchType] = (player.researchLevels[researchType] as number) + 1;
  player.research = null;
  touchPlayer(world, player);
}
