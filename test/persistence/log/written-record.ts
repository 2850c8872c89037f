// The records that log-writer.ts writes, so that their reader knows what to expect.
import type { StoredRecord } from '../../../persistence/log/log.js';
import { soundRecord } from './sound-record.js';

/** Records of one entry each: most of them small, some on pages of their own. */
export function writtenRecord(firstSeq: number): StoredRecord {
  return soundRecord(firstSeq, 1, firstSeq % 10 === 0 ? 9_000 : 100);
}
