// revoke_keys: makes all API keys of a player invalid at once.
import { revokeKeys as dropKeys } from '../api-keys.js';
import { refuse } from '../rejections.js';
import { type Player, touchPlayer } from '../state.js';
import type { CommandDefinition } from './command.js';

export interface RevokeKeys {
  readonly type: 'revoke_keys';
  readonly playerNumber: number;
}

export const revokeKeys: CommandDefinition<RevokeKeys, Player> = {
  type: 'revoke_keys',
  code: 19,
  decode: (row) => ({ type: 'revoke_keys', playerNumber: row.integer('player') }),

  execute(world, { playerNumber }) {
    const player = world.players[playerNumber];
    if (player === undefined) return refuse('player_not_found');
    // commit
    dropKeys(world, player);
    touchPlayer(world, player);
    world.events.push({ kind: 'keys_revoked', atMs: world.nowMs, playerNumber });
    return player;
  },
};
