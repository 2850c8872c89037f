// Writes records to a log as its writer would, for tests that are about the content of the log.
import { lastSeqOf } from '../../persistence/log/batch-record.js';
import type { CommandLog, StoredRecord } from '../../persistence/log/log.js';

const epochs = new WeakMap<CommandLog, Promise<number>>();

/** The epoch under which the tests write to a log. The first call acquires it. */
export function epochOf(log: CommandLog): Promise<number> {
  const epoch = epochs.get(log) ?? log.acquire();
  epochs.set(log, epoch);
  return epoch;
}

/**
 * Appends records to a log that ends right before the first of them; an empty log is cut there. Each record is assumed
 * to reach up to the next one, whatever it contains.
 *
 * @param lastSeq of the last record. Defaults to the one in its frame, or else to its first seq.
 */
export async function appendRecords(
  log: CommandLog,
  records: readonly StoredRecord[],
  lastSeq?: number,
): Promise<void> {
  const epoch = await epochOf(log);
  const [first] = records;
  if (first !== undefined && first.firstSeq > 1 && log.firstSeq === undefined) await log.cut(epoch, first.firstSeq);
  for (const [index, { firstSeq, bytes }] of records.entries()) {
    const next = records[index + 1];
    const endSeq = next === undefined ? (lastSeq ?? lastSeqOf(bytes) ?? firstSeq) : next.firstSeq - 1;
    await log.append({ epoch, expectedSeq: firstSeq - 1, lastSeq: endSeq, bytes });
  }
}
