// rotate_key: gives a player a new API key. Only its hash reaches the log. The key before may stay valid for a while, so that a
// client whose reply was lost can repeat its request.
import { rotateKey as changeKey, type KeyRotation } from '../api-keys.js';
import { refuse } from '../rejections.js';
import { KEY_HASH_LENGTH_MAX } from '../rules/record-limits.js';
import { type Player, recordActivity, touchPlayer } from '../state.js';
import type { CommandDefinition } from './command.js';

export interface RotateKey extends KeyRotation {
  readonly type: 'rotate_key';
  readonly playerNumber: number;
}

export const rotateKey: CommandDefinition<RotateKey, Player> = {
  type: 'rotate_key',
  code: 18,
  decode: (row) => ({
    type: 'rotate_key',
    playerNumber: row.integer('player'),
    keyHash: row.text('key hash', KEY_HASH_LENGTH_MAX),
    validMs: row.integerOrNull('validity'),
    oldKeyValidMs: row.integer('validity of the old key'),
  }),

  execute(world, command) {
    const { playerNumber } = command;
    const player = world.players[playerNumber];
    if (player === undefined) return refuse('player_not_found');
    // commit
    changeKey(world, player, command);
    touchPlayer(world, player);
    recordActivity(world, playerNumber);
    const { keyExpiresAtMs: expiresAtMs, oldKeyUntilMs } = player;
    world.events.push({ kind: 'key_rotated', atMs: world.nowMs, playerNumber, expiresAtMs, oldKeyUntilMs });
    return player;
  },
};
