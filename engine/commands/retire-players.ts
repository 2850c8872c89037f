// retire_players: removes players from the world, for the operator. The command names them, so that a replay does not depend on how
// they were chosen.
import { refuse } from '../rejections.js';
import { endedWith, type RetiredPlayer, retire } from '../retirement.js';
import { RETIRED_PLAYERS_MAX } from '../rules/record-limits.js';
import type { Player } from '../state.js';
import type { CommandDefinition } from './command.js';

export interface RetirePlayers {
  readonly type: 'retire_players';
  /** In ascending order, so that nobody is named twice. */
  readonly playerNumbers: readonly number[];
}

export const retirePlayers: CommandDefinition<RetirePlayers, readonly RetiredPlayer[]> = {
  type: 'retire_players',
  code: 20,
  decode: (row) => ({ type: 'retire_players', playerNumbers: row.fewIntegers('players', RETIRED_PLAYERS_MAX) }),

  execute(world, { playerNumbers }) {
    const players: Player[] = [];
    for (const number of playerNumbers) {
      const player = world.players[number];
      if (player === undefined) return refuse('player_not_found');
      if (number <= (players.at(-1)?.number ?? 0)) throw new Error(`player ${number} is named out of order`);
      players.push(player);
    }
    // commit
    const retired = players.map((player) => endedWith(world, player));
    for (const player of players) retire(world, player);
    return retired;
  },
};
