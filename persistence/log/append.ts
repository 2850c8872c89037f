// Appends a record so that its outcome is known: finds out an unknown one by reading, and detects an append that takes too long.
// It appends again only if the record is not there: a blind retry would mistake its own record for another writer's, or the reverse.
import {
  FLUSH_STALL_GRACE_MS,
  FLUSH_STALL_MS,
  FLUSH_STALL_TIMERS,
  OUTCOME_ATTEMPTS_MAX,
  OUTCOME_WAIT_MS,
} from '../limits.js';
import { type Alarm, NODE_SCHEDULER, type Scheduler } from '../time/scheduler.js';
import { type Append, Fenced, LogConflict, LogStalled, LogWriteFailed, UnknownOutcome, type WriterLog } from './log.js';

/**
 * Like append() of the log, but resolves an UnknownOutcome. Settles once the record is durable.
 *
 * A record may arrive late, between a read and the next append. That append is then a LogConflict, and the next read
 * finds the record. If a record arrives after it was appended again, the log rejects it: its expectedSeq is out of
 * date.
 *
 * @param isOver whether the writer has failed meanwhile and must not write any more
 * @throws Fenced if another process has taken over the log, even if the record is there: a fenced writer acknowledges
 *   nothing
 * @throws LogConflict if another record is there
 * @throws UnknownOutcome if OUTCOME_ATTEMPTS_MAX attempts did not resolve it
 * @throws LogWriteFailed
 */
export function appendForCertain(
  log: WriterLog,
  append: Append,
  scheduler: Scheduler,
  isOver: () => boolean,
): Promise<void> {
  return log.append(append).catch((error: unknown) => {
    if (error instanceof UnknownOutcome) return resolveOutcome(log, append, scheduler, isOver, error);
    throw error;
  });
}

async function resolveOutcome(
  log: WriterLog,
  append: Append,
  scheduler: Scheduler,
  isOver: () => boolean,
  unknown: UnknownOutcome,
): Promise<void> {
  for (let attempt = 1; attempt <= OUTCOME_ATTEMPTS_MAX && !isOver(); attempt += 1) {
    try {
      if (await isStored(log, append)) return;
      if (isOver()) break;
      await log.append(append);
      return;
    } catch (error) {
      if (error instanceof ForeignRecord || error instanceof Fenced || error instanceof LogWriteFailed) throw error;
      // The store cannot be read, failed to answer again, or has just received the record: the next read shows which.
    }
    await new Promise<void>((resolve) => void scheduler.after(OUTCOME_WAIT_MS, resolve));
  }
  throw unknown;
}

/** Another writer's record is in the place of ours. */
class ForeignRecord extends LogConflict {}

/** @throws Fenced, ForeignRecord, LogUnreadable */
async function isStored(log: WriterLog, { epoch, expectedSeq, bytes }: Append): Promise<boolean> {
  const firstSeq = expectedSeq + 1;
  let found: Uint8Array | undefined;
  await log.refresh();
  for await (const stored of log.read(firstSeq)) {
    if (stored.firstSeq < firstSeq) continue;
    if (stored.firstSeq === firstSeq) found = stored.bytes;
    break;
  }
  // Read last: the record may be acknowledged only if no other process has taken over the log by now.
  if ((await log.currentEpoch()) !== epoch) throw new Fenced(epoch);
  if (found !== undefined && Buffer.compare(found, bytes) !== 0) throw new ForeignRecord(firstSeq);
  return found !== undefined;
}

/** Detects an append that takes too long, and distinguishes a disk that hangs from a process that was not running. */
export class StallWatch {
  readonly #onStall: (error: LogStalled) => void;
  readonly #limitMs: number;
  readonly #scheduler: Scheduler;
  #alarm: Alarm | undefined;
  #timersLeft = 0;

  /**
   * @param onStall called once for an append that is overdue
   * @param stallMs longest time an append may take
   */
  constructor(
    onStall: (error: LogStalled) => void,
    stallMs: number = FLUSH_STALL_MS,
    scheduler: Scheduler = NODE_SCHEDULER,
  ) {
    this.#onStall = onStall;
    this.#limitMs = stallMs + FLUSH_STALL_GRACE_MS;
    this.#scheduler = scheduler;
  }

  /** An append begins; the previous one has ended. */
  begin(firstSeq: number): void {
    this.#timersLeft = FLUSH_STALL_TIMERS;
    this.#startTimer(firstSeq);
  }

  /** The append has ended, or no longer matters. */
  end(): void {
    this.#scheduler.cancel(this.#alarm);
  }

  #startTimer(firstSeq: number): void {
    this.#alarm = this.#scheduler.after(this.#limitMs / FLUSH_STALL_TIMERS, this.#endTimer, firstSeq);
  }

  /**
   * After SIGSTOP, a suspended machine or a long turn of the event loop, a timer fires before the completion of an
   * append that ended long ago. The next timer gives the completion time to arrive; the process may be stopped again
   * meanwhile.
   */
  readonly #endTimer = (firstSeq: number): void => {
    this.#timersLeft -= 1;
    if (this.#timersLeft > 0) this.#startTimer(firstSeq);
    else this.#onStall(new LogStalled(firstSeq, this.#limitMs));
  };
}
