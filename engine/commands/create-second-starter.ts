// create_second_starter: gives a player another starter planet, up to the number that the rules allow.

import type { Planet } from '../planet-table.js';
import { foundStarter, recordColonized, refuseAnotherPlanet } from '../planets.js';
import { refuse } from '../rejections.js';
import { nextStarterKey } from '../starters.js';
import { recordActivity } from '../state.js';
import type { CommandDefinition } from './command.js';

export interface CreateSecondStarter {
  readonly type: 'create_second_starter';
  readonly playerNumber: number;
}

export const createSecondStarter: CommandDefinition<CreateSecondStarter, Planet> = {
  type: 'create_second_starter',
  code: 5,
  decode: (row) => ({ type: 'create_second_starter', playerNumber: row.integer('player') }),

  execute(world, { playerNumber }) {
    const player = world.players[playerNumber];
    if (player === undefined) return refuse('player_not_found');
    if (player.starterCount >= world.rules.set.starter.perPlayerMax) return refuse('starter_limit_reached');
    const atLimit = refuseAnotherPlanet(player);
    if (atLimit !== null) return atLimit;
    if (nextStarterKey(world) < 0) return refuse('universe_full');
    // commit
    const planet = foundStarter(world, player);
    recordActivity(world, playerNumber);
    recordColonized(world, planet, null);
    return planet;
  },
};
