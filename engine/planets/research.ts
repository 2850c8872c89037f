// Research: checks the next level, starts it and completes it. It costs nothing, and a player has one research at a time.

import { RESEARCH_LEVEL_MAX } from '../rules/limits.js';
import { researchBaseMs } from '../rules/rules.js';
import { type Refusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import type { Player } from '../world/player-table.js';
import {
  markPlans,
  type ReadonlyPlayer,
  type ReadonlyWorld,
  scheduleTimer,
  touchPlayer,
  type World,
} from '../world/state.js';
import { durationMs, TIMER_KINDS } from '../world/timer-queue.js';
import { raiseLevel } from './output.js';

/** Returns the refusal if the player has a research in progress; else null. */
function refuseDuringResearch({ rules }: ReadonlyWorld, player: ReadonlyPlayer): Refusal | null {
  const { research } = player;
  if (research === null) return null;
  return refuse('research_in_progress', {
    inProgress: {
      researchType: rules.research[research.researchType]?.type,
      targetLevel: player.researchLevel(research.researchType) + 1,
      startedAtMs: research.startedAtMs,
      finishAtMs: research.finishAtMs,
    },
  });
}

/** The refusal of the next level of a research: the player has one in progress, or the level is the highest. */
export function refuseResearch(world: ReadonlyWorld, player: ReadonlyPlayer, researchType: number): Refusal | null {
  const conflict = refuseDuringResearch(world, player);
  if (conflict !== null || player.researchLevel(researchType) < RESEARCH_LEVEL_MAX) return conflict;
  return refuseAtLimit('RESEARCH_LEVEL_MAX', RESEARCH_LEVEL_MAX);
}

/** Starts the next level of a research, unless the player has one in progress or the level is the highest. */
export function beginResearch(world: World, player: Player, researchType: number): Player | Refusal {
  const refusal = refuseResearch(world, player, researchType);
  if (refusal !== null) return refusal;
  // commit
  const level = player.researchLevel(researchType);
  const finishAtMs = world.nowMs + durationMs(world, researchBaseMs(level));
  player.beginResearch({
    researchType,
    startedAtMs: world.nowMs,
    finishAtMs,
    timer: scheduleTimer(world, finishAtMs, TIMER_KINDS.research_complete, player.number),
  });
  touchPlayer(world, player);
  world.events.researchStarted(player.number, researchType, level + 1, finishAtMs);
  return player;
}

/** Completes the research of a player: its level rises by one. */
export function completeResearch(world: World, playerNumber: number): void {
  const player = world.players.at(playerNumber);
  const { research } = player;
  if (research === null) throw new Error(`player ${playerNumber} has no research to complete`);
  const { researchType } = research;
  player.endResearch();
  const level = raiseLevel(world, player, researchType);
  touchPlayer(world, player);
  world.events.researchCompleted(player.number, researchType, level);
  markPlans(world, player);
}
