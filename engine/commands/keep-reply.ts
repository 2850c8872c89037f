// keep_reply: keeps the reply to the preceding command for the Idempotency-Key of its request. Both are submitted as
// one unit, so that the world has both or neither.
import { type KeptReply, PUBLIC_SCOPE, WORLD_SCOPE } from '../kept-replies.js';
import type { CommandDefinition } from './command.js';

export interface KeepReply extends Omit<KeptReply, 'seq'> {
  readonly type: 'keep_reply';
}

export const keepReply: CommandDefinition<KeepReply, KeptReply> = {
  type: 'keep_reply',
  code: 16,
  decode: ([, scope, keyDigest, requestDigest, status, form, reply]) =>
    ({ type: 'keep_reply', scope, keyDigest, requestDigest, status, form, reply }) as KeepReply,

  execute(world, { scope, keyDigest, requestDigest, status, form, reply }) {
    const isKnown = scope === WORLD_SCOPE || scope === PUBLIC_SCOPE || world.players[scope] !== undefined;
    if (!isKnown) throw new Error(`there is no player ${scope}`);
    // commit
    const kept = { seq: world.seq + 1, scope, keyDigest, requestDigest, status, form, reply };
    world.keptReplies.add(kept);
    return kept;
  },
};
