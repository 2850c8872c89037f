// The command that keeps replies.

import { KEPT_REPLY_BYTES_OF_WORLD_MAX } from '../rules/limits.js';
import { DIGEST_LENGTH_MAX } from '../rules/record-limits.js';
import type { Refusal } from '../terms/rejections.js';
import { type KeptReply, PUBLIC_SCOPE, REPLY_FORM_MAX, WORLD_SCOPE } from '../world/kept-replies.js';
import { defineCommand } from './command.js';

/**
 * Keeps the reply to the preceding command for the Idempotency-Key of its request. Both are submitted as one unit, so that the world has
 * both or neither.
 */
export const keepReply = defineCommand({
  type: 'keep_reply',
  code: 16,
  decode: (row) => ({
    type: 'keep_reply',
    scope: row.integer('player', PUBLIC_SCOPE),
    keyDigest: row.text('key digest', DIGEST_LENGTH_MAX),
    requestDigest: row.text('request digest', DIGEST_LENGTH_MAX),
    status: row.integer('status', 100, 599),
    form: row.integer('form', 0, REPLY_FORM_MAX),
    reply: row.text('reply', KEPT_REPLY_BYTES_OF_WORLD_MAX),
  }),

  execute(world, { scope, keyDigest, requestDigest, status, form, reply }): KeptReply | Refusal {
    const isKnown = scope === WORLD_SCOPE || scope === PUBLIC_SCOPE || world.players.has(scope);
    if (!isKnown) throw new Error(`there is no player ${scope}`);
    // commit
    const kept = { seq: world.seq + 1, scope, keyDigest, requestDigest, status, form, reply };
    world.keptReplies.add(kept);
    return kept;
  },
});
