// The command that starts research.

import { refuseSuspended } from '../planets/planets.js';
import { beginResearch } from '../planets/research.js';
import { TYPES_PER_LIST_MAX } from '../rules/limits.js';
import { isRefusal, type Refusal, refuse } from '../terms/rejections.js';
import type { Player } from '../world/player-table.js';
import { recordActivity } from '../world/state.js';
import { defineCommand, requireType } from './command.js';

/** Starts the next level of a research. */
export const startResearch = defineCommand({
  type: 'start_research',
  code: 12,
  decode: (row) => ({
    type: 'start_research',
    playerNumber: row.integer('player'),
    researchType: row.integer('research type', 0, TYPES_PER_LIST_MAX - 1),
  }),

  execute(world, { playerNumber, researchType }): Player | Refusal {
    const player = world.players.get(playerNumber);
    if (player === undefined) return refuse('player_not_found');
    requireType(world.rules.research, researchType);
    const outcome = refuseSuspended(world, playerNumber) ?? beginResearch(world, player, researchType);
    if (!isRefusal(outcome)) recordActivity(world, playerNumber);
    return outcome;
  },
});
