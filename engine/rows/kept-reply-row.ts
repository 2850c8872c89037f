// A reply that is kept for its Idempotency-Key.
import type { KeptReply } from '../kept-replies.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
import type { WorldDraft } from './world-draft.js';

export function writeKeptReply({ seq, scope, keyDigest, requestDigest, status, form, reply }: KeptReply): Row {
  return [ROW_KINDS.kept_reply, seq, scope, keyDigest, requestDigest, status, form, reply];
}

export function readKeptReply(draft: WorldDraft, row: RowReader): void {
  row.requireLength(8);
  const { world } = draft;
  const seq = row.integer('seq', 1, world.seq);
  const scope = row.integer('scope', 0, world.playerCount);
  const [keyDigest, requestDigest] = [row.text('key'), row.text('request')];
  const [status, form, reply] = [row.integer('status'), row.integer('form'), row.text('reply')];
  world.keptReplies.add({ seq, scope, keyDigest, requestDigest, status, form, reply });
}
