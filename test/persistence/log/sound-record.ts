// Records as the server writes them, so that the log knows where they end; they are never replayed.
import { encodeRecord, NO_PREVIOUS_HASH } from '../../../persistence/log/batch-record.js';
import type { StoredRecord } from '../../../persistence/log/log.js';

/** A sound record of `count` entries, each with a text of a given length. */
export function soundRecord(firstSeq: number, count = 1, textLength = 0): StoredRecord {
  const text = 'x'.repeat(textLength);
  const entries = Array.from({ length: count }, (_, index) => [index, [7, firstSeq + index, text]] as const).flat();
  const bytes = encodeRecord({ rulesVersion: 1, firstSeq, count, previousHash: NO_PREVIOUS_HASH, entries });
  return { firstSeq, bytes };
}
