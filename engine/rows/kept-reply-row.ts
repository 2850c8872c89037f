// The row of a reply that is kept for its Idempotency-Key. These rows follow all players, in order of seq.

import { KEPT_REPLY_BYTES_OF_WORLD_MAX } from '../rules/limits.js';
import { DIGEST_LENGTH_MAX } from '../rules/record-limits.js';
import { type KeptReply, PUBLIC_SCOPE, REPLY_FORM_MAX, WORLD_SCOPE } from '../world/kept-replies.js';
import type { World } from '../world/state.js';
import { ROW_KINDS, type Row, type RowReader } from './row.js';
import type { WorldDraft } from './world-draft.js';

export function writeKeptReply({ seq, scope, keyDigest, requestDigest, status, form, reply }: KeptReply): Row {
  return [ROW_KINDS.kept_reply, seq, scope, keyDigest, requestDigest, status, form, reply];
}

export function readKeptReply({ world }: WorldDraft, row: RowReader): void {
  row.requireLength(8);
  const { keptReplies } = world;
  const countBefore = keptReplies.count;
  keptReplies.add({
    seq: row.integer('seq', 1, world.seq),
    scope: scopeOf(world, row.integer('player', PUBLIC_SCOPE)),
    keyDigest: row.text('key digest', DIGEST_LENGTH_MAX),
    requestDigest: row.text('request digest', DIGEST_LENGTH_MAX),
    status: row.integer('status', 100, 599),
    form: row.integer('form', 0, REPLY_FORM_MAX),
    reply: row.text('reply', KEPT_REPLY_BYTES_OF_WORLD_MAX),
  });
  if (keptReplies.count !== countBefore + 1) throw new Error('there are more kept replies than the limits allow');
}

function scopeOf({ players }: World, scope: number): number {
  if (scope <= WORLD_SCOPE || players.has(scope)) return scope;
  throw new Error(`player ${scope} does not exist`);
}
