// keep_reply: the reply to the command before it, for the Idempotency-Key that the request came with. It is submitted in
// one unit with what it belongs to, so that both are in the world or neither is.
import { type KeptReply, PUBLIC_SCOPE, WORLD_SCOPE } from '../kept-replies.js';
import type { CommandDefinition } from './command.js';

export interface KeepReply extends Omit<KeptReply, 'seq'> {
  readonly type: 'keep_reply';
}

export const keepReply: CommandDefinition<KeepReply, KeptReply> = {
  type: 'keep_reply',
  code: 16,
  fields: { scope: 1, keyDigest: 2, requestDigest: 3, status: 4, form: 5, reply: 6 },

  execute(world, { scope, keyDigest, requestDigest, status, form, reply }) {
    const isKnown = scope === WORLD_SCOPE || scope === PUBLIC_SCOPE || world.players[scope] !== undefined;
    if (!isKnown) throw new Error(`there is no player ${scope}`);
    // commit
    const kept = { seq: world.seq + 1, scope, keyDigest, requestDigest, status, form, reply };
    world.keptReplies.add(kept);
    return kept;
  },
};
