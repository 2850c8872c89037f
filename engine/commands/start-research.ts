// start_research: starts the next level of a research. It costs nothing, and a player has one research at a time.
import { refuseDuringResearch } from '../conflicts.js';
import { durationMs } from '../durations.js';
import { isRefusal, type Refusal, refuse, refuseAtLimit } from '../rejections.js';
import { RESEARCH_LEVEL_MAX, TYPES_PER_LIST_MAX } from '../rules/limits.js';
import { researchBaseMs } from '../rules/rules.js';
import {
  type Player,
  type ReadonlyPlayer,
  type ReadonlyWorld,
  recordActivity,
  scheduleTimer,
  touchPlayer,
  type World,
} from '../state.js';
import { TIMER_KINDS } from '../timer-queue.js';
import type { CommandDefinition } from './command.js';

export interface StartResearch {
  readonly type: 'start_research';
  readonly playerNumber: number;
  readonly researchType: number;
}

/** The refusal of the next level of a research: the player has one in progress, or the level is the highest. */
export function refuseResearch(world: ReadonlyWorld, player: ReadonlyPlayer, researchType: number): Refusal | null {
  const conflict = refuseDuringResearch(world, player);
  if (conflict !== null || (player.researchLevels[researchType] as number) < RESEARCH_LEVEL_MAX) return conflict;
  return refuseAtLimit('RESEARCH_LEVEL_MAX', RESEARCH_LEVEL_MAX);
}

export const startResearch: CommandDefinition<StartResearch, Player> = {
  type: 'start_research',
  code: 12,
  decode: (row) => ({
    type: 'start_research',
    playerNumber: row.integer('player'),
    researchType: row.integer('research type', 0, TYPES_PER_LIST_MAX - 1),
  }),

  execute(world, { playerNumber, researchType }) {
    const player = world.players[playerNumber];
    if (player === undefined) return refuse('player_not_found');
    const outcome = beginResearch(world, player, researchType);
    if (!isRefusal(outcome)) recordActivity(world, playerNumber);
    return outcome;
  },
};

/** Starts the next level of a research, unless the player has one in progress or the level is the highest. */
export function beginResearch(world: World, player: Player, researchType: number): Player | Refusal {
  const refusal = refuseResearch(world, player, researchType);
  if (refusal !== null) return refusal;
  // commit
  const level = player.researchLevels[researchType] as number;
  const finishAtMs = world.nowMs + durationMs(world, researchBaseMs(level));
  player.research = {
    researchType,
    startedAtMs: world.nowMs,
    finishAtMs,
    timer: scheduleTimer(world, finishAtMs, TIMER_KINDS.research_complete, player),
  };
  touchPlayer(world, player);
  world.events.researchStarted(player.number, researchType, level + 1, finishAtMs);
  return player;
}
