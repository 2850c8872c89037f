// Reads the entries of a log one by one, without applying them. It checks each record's frame, and that the record
// continues the previous one.
import { type Command, decodeCommand } from '../../engine/commands/table.js';
import {
  decodeRecord,
  forEachEntry,
  lastSeqOf,
  previousHashOf,
  RECORD_FAULTS,
  recordHash,
} from '../log/batch-record.js';
import type { ReadableLog } from '../log/log.js';
import { RecoveryRefused } from './replay.js';

export interface LogEntry {
  readonly seq: number;
  /** World time in milliseconds. */
  readonly atMs: number;
  readonly command: Command;
}

/**
 * Yields the entries from `fromSeq` to the end of the log.
 *
 * @throws RecoveryRefused at the first damaged record
 */
export async function* logEntries(log: ReadableLog, fromSeq: number): AsyncGenerator<LogEntry> {
  const newest = await log.last();
  let hash: Uint8Array | undefined;
  let seenSeq = 0;
  for await (const { firstSeq, bytes } of log.read(fromSeq)) {
    const record = decodeRecord(bytes, { firstSeq, previousHash: hash ?? previousHashOf(bytes) });
    if (typeof record === 'string') {
      throw new RecoveryRefused(
        firstSeq,
        `the record there is not sound (${record}): ${RECORD_FAULTS[record].sentence}`,
      );
    }
    hash = recordHash(bytes);
    seenSeq = firstSeq;
    const entries: LogEntry[] = [];
    let seq = firstSeq;
    forEachEntry(record, (atMs, row) => {
      if (seq >= fromSeq) entries.push({ seq, atMs, command: decodeCommand(row) });
      seq += 1;
    });
    yield* entries;
  }
  // After the newest entry there is nothing to read.
  const lastSeq = newest && (lastSeqOf(newest.bytes) ?? newest.firstSeq);
  if (newest !== undefined && lastSeq !== undefined && lastSeq >= fromSeq && seenSeq < newest.firstSeq) {
    throw new RecoveryRefused(
      seenSeq + 1,
      `records are missing, since the newest one begins at seq ${newest.firstSeq}`,
    );
  }
}
