// start_research: starts the next level of a research. It costs nothing, and a player has one research at a time.
import { durationMs } from '../durations.js';
import { refuse, refuseAtLimit } from '../rejections.js';
import { RESEARCH_LEVEL_MAX } from '../rules/limits.js';
import { researchBaseMs } from '../rules/rules.js';
import { type Player, scheduleTimer, touchPlayer } from '../state.js';
import { TIMER_KINDS } from '../timer-queue.js';
import type { CommandDefinition } from './command.js';

export interface StartResearch {
  readonly type: 'start_research';
  readonly playerNumber: number;
  readonly researchType: number;
}

export const startResearch: CommandDefinition<StartResearch, Player> = {
  type: 'start_research',
  code: 12,
  decode: ([, playerNumber, researchType]) => ({ type: 'start_research', playerNumber, researchType }) as StartResearch,

  execute(world, { playerNumber, researchType }) {
    const player = world.players[playerNumber];
    if (player === undefined) return refuse('player_not_found');
    if (player.research !== null) return refuse('research_in_progress');
    const level = player.researchLevels[researchType] as number;
    if (level >= RESEARCH_LEVEL_MAX) {
      return refuseAtLimit('RESEARCH_LEVEL_MAX', RESEARCH_LEVEL_MAX);
    }
    // commit
    const finishAtMs = world.nowMs + durationMs(world, researchBaseMs(level));
    player.research = {
      researchType,
      startedAtMs: world.nowMs,
      finishAtMs,
      timer: scheduleTimer(world, finishAtMs, TIMER_KINDS.research_complete, player),
    };
    touchPlayer(world, player);
    world.events?.push({
      kind: 'research_started',
      atMs: world.nowMs,
      playerNumber,
      researchType,
      targetLevel: level + 1,
      finishAtMs,
    });
    return player;
  },
};
