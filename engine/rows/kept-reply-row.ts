// A reply that is kept for its Idempotency-Key.
import { type KeptReply, REPLY_FORMS, WORLD_SCOPE } from '../kept-replies.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
import type { WorldDraft } from './world-draft.js';

export function writeKeptReply({ seq, scope, keyDigest, requestDigest, status, form, reply }: KeptReply): Row {
  return [ROW_KINDS.kept_reply, seq, scope, keyDigest, requestDigest, status, form, reply];
}

export function readKeptReply(draft: WorldDraft, row: RowReader): void {
  row.requireLength(8);
  const { world } = draft;
  world.keptReplies.add({
    seq: row.integer('seq', 1, world.seq),
    scope: row.integer('scope', WORLD_SCOPE, world.playerCount),
    keyDigest: row.text('digest of the key'),
    requestDigest: row.text('digest of the request'),
    status: row.integer('status', 200, 299),
    form: row.integer('form', REPLY_FORMS.whole, REPLY_FORMS.sealed),
    reply: row.text('reply'),
  });
}
