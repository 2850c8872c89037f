// Appends a record and, if the log cannot tell what became of it, finds out by reading. It appends again only if the record is
// not there: a blind retry would take its own record for another writer's, or another writer's record for its own.
import { OUTCOME_ATTEMPTS_MAX, OUTCOME_WAIT_MS } from '../limits.js';
import type { Scheduler } from '../writer/scheduler.js';
import { type Append, type CommandLog, Fenced, LogConflict, LogWriteFailed, UnknownOutcome } from './log.js';

/**
 * What append() of the log does, except that an UnknownOutcome is resolved. Settles once the record is durable.
 *
 * A record may arrive late, between a read and the append that follows it. That append is then a LogConflict, and the next
 * read finds the record. The log rejects a record that arrives after it was appended again: its expectedSeq is out of date.
 *
 * @param isOver whether the writer has died meanwhile and must not write any more
 * @throws Fenced if another process has taken the log over, also if the record is there: a fenced writer acknowledges nothing
 * @throws LogConflict if another record is there
 * @throws UnknownOutcome if OUTCOME_ATTEMPTS_MAX attempts did not tell
 * @throws LogWriteFailed
 */
export function appendForCertain(
  log: CommandLog,
  append: Append,
  scheduler: Scheduler,
  isOver: () => boolean,
): Promise<void> {
  return log.append(append).catch((error: unknown) => {
    if (error instanceof UnknownOutcome) return findOut(log, append, scheduler, isOver, error);
    throw error;
  });
}

async function findOut(
  log: CommandLog,
  append: Append,
  scheduler: Scheduler,
  isOver: () => boolean,
  unknown: UnknownOutcome,
): Promise<void> {
  for (let attempt = 1; attempt <= OUTCOME_ATTEMPTS_MAX && !isOver(); attempt += 1) {
    try {
      if (await isThere(log, append)) return;
      if (isOver()) break;
      await log.append(append);
      return;
    } catch (error) {
      if (error instanceof ForeignRecord || error instanceof Fenced || error instanceof LogWriteFailed) throw error;
      // The store cannot be read, does not answer again, or has just got the record: the next read tells.
    }
    await new Promise<void>((resolve) => void scheduler.after(OUTCOME_WAIT_MS, resolve));
  }
  throw unknown;
}

/** Another writer's record stands where ours belongs. */
class ForeignRecord extends LogConflict {}

/** @throws Fenced, ForeignRecord, LogUnreadable */
async function isThere(log: CommandLog, { epoch, expectedSeq, bytes }: Append): Promise<boolean> {
  const firstSeq = expectedSeq + 1;
  let found: Uint8Array | undefined;
  await log.refresh();
  for await (const stored of log.read(firstSeq)) {
    if (stored.firstSeq < firstSeq) continue;
    if (stored.firstSeq === firstSeq) found = stored.bytes;
    break;
  }
  // Read last: what was found is ours to acknowledge only if nobody has taken the log over by now.
  if ((await log.currentEpoch()) !== epoch) throw new Fenced(epoch);
  if (found !== undefined && Buffer.compare(found, bytes) !== 0) throw new ForeignRecord(firstSeq);
  return found !== undefined;
}
