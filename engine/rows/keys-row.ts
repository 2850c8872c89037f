// The row of a player's keys: when the current key expires, and the key that it replaced. The hash of the current key is in the
// player's own row, which this one follows. Most players have no such row.
import { KEY_HASH_LENGTH_MAX } from '../rules/record-limits.js';
import type { Player } from '../state.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
import type { WorldDraft } from './world-draft.js';

/** @returns null if the key never expires and there is none before it */
export function writeKeys({ keyExpiresAtMs, oldKeyHash, oldKeyUntilMs }: Player): Row | null {
  if (keyExpiresAtMs === null && oldKeyHash === null && oldKeyUntilMs === null) return null;
  return [ROW_KINDS.keys, keyExpiresAtMs, oldKeyHash, oldKeyUntilMs];
}

export function readKeys({ owner }: WorldDraft, row: RowReader): void {
  row.requireLength(4);
  if (owner.keyExpiresAtMs !== null || owner.oldKeyHash !== null) throw new Error('the player has two such rows');
  owner.keyExpiresAtMs = row.integerOrNull('expiry');
  owner.oldKeyHash = row.textOrNull('old key hash', KEY_HASH_LENGTH_MAX);
  owner.oldKeyUntilMs = row.integerOrNull('end of the old key');
  const isExpiring = owner.keyExpiresAtMs !== null;
  if (owner.keyHash === null || (!isExpiring && owner.oldKeyHash === null)) throw new Error('there is no such key');
  if ((owner.oldKeyHash === null) !== (owner.oldKeyUntilMs === null))
    throw new Error('the old key has no end, or no hash');
}
