// The commands that change the API keys of players. Only hashes of keys reach the log.
import { rotateKey as changeKey, revokeKeys as dropKeys } from '../players/api-keys.js';
import { KEY_HASH_LENGTH_MAX } from '../rules/record-limits.js';
import { type Refusal, refuse } from '../terms/rejections.js';
import type { Player } from '../world/player-table.js';
import { recordActivity, touchPlayer } from '../world/state.js';
import { defineCommand } from './command.js';

/** Gives a player a new API key. The key before may stay valid for a while, so that a client whose reply was lost can repeat its request. */
export const rotateKey = defineCommand({
  type: 'rotate_key',
  code: 18,
  decode: (row) => ({
    type: 'rotate_key',
    playerNumber: row.integer('player'),
    keyHash: row.text('key hash', KEY_HASH_LENGTH_MAX),
    validMs: row.integerOrNull('validity'),
    oldKeyValidMs: row.integer('validity of the old key'),
  }),

  execute(world, command): Player | Refusal {
    const { playerNumber } = command;
    const player = world.players.get(playerNumber);
    if (player === undefined) return refuse('player_not_found');
    // commit
    changeKey(world, player, command);
    touchPlayer(world, player);
    recordActivity(world, playerNumber);
    const { keyExpiresAtMs: expiresAtMs, oldKeyUntilMs } = player;
    world.events.push({ kind: 'key_rotated', atMs: world.nowMs, playerNumber, expiresAtMs, oldKeyUntilMs });
    return player;
  },
});

/** Makes all API keys of a player invalid at once. */
export const revokeKeys = defineCommand({
  type: 'revoke_keys',
  code: 19,
  decode: (row) => ({ type: 'revoke_keys', playerNumber: row.integer('player') }),

  execute(world, { playerNumber }): Player | Refusal {
    const player = world.players.get(playerNumber);
    if (player === undefined) return refuse('player_not_found');
    // commit
    dropKeys(world, player);
    touchPlayer(world, player);
    world.events.push({ kind: 'keys_revoked', atMs: world.nowMs, playerNumber });
    return player;
  },
});
