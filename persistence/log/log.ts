// The log as the rest of persistence knows it: records in order, appended one at a time, read back from any seq.
// It must stay free of any one store's ideas, and never looks inside a record, except for follow(), which asks a record's frame
// where the record ends.
import { asError } from '../fatal.js';

/** One stored record: opaque bytes under the seq of its first entry. */
export interface StoredRecord {
  readonly firstSeq: number;
  readonly bytes: Uint8Array;
}

/** Where a log ends: what the next record continues. */
export interface LogTail {
  /** Seq of the last entry; 0 in an empty log. */
  readonly lastSeq: number;
  /** recordHash() of the last record. */
  readonly hash: Uint8Array;
}

/** What can be read of a log, by the process that writes it or by another. */
export interface ReadableLog {
  /**
   * Seq of the first entry the log reaches back to: 1, unless it was pruned or begun elsewhere by a cut. Undefined in an
   * empty log that was never cut.
   */
  readonly firstSeq: number | undefined;

  /**
   * Records in order of seq, beginning with the one that holds the entry `fromSeq`: the last that starts at or before
   * it. Leaves the event loop its turns.
   *
   * @throws LogUnreadable
   */
  read(fromSeq: number): AsyncIterable<StoredRecord>;

  /**
   * The newest record, if there is any.
   *
   * @throws LogUnreadable
   */
  last(): Promise<StoredRecord | undefined>;

  /**
   * Looks again: what another process has written, cut or pruned since is seen from now on. The writer itself always sees
   * all of it. Not while a read goes on.
   *
   * @throws LogUnreadable
   */
  refresh(): Promise<void>;

  /**
   * Yields the durable records behind `afterSeq` in order and without a gap, then waits for more. Ends when the signal is
   * aborted or the log is closed. The process that writes wakes its own followers after each append; a follower of another
   * process looks every FOLLOW_POLL_MS. A follower calls refresh(), so a log that is open for reading has one reader at a time.
   *
   * @param afterSeq last seq of a record, or 0
   * @throws LogPruned if a record was pruned before it was read
   * @throws LogUnreadable
   */
  follow(afterSeq: number, signal: AbortSignal): AsyncIterable<StoredRecord>;

  /** Waits for the append in flight, ends all followers and lets go of the store. */
  close(): Promise<void>;
}

/** A record to be stored, and what its writer knows about the log. The log rejects the append if either is out of date. */
export interface Append {
  /** What acquire() returned to this writer. */
  readonly epoch: number;
  /** Seq of the last entry in the log. The record's first entry has the next one. */
  readonly expectedSeq: number;
  /** Seq of the record's last entry. */
  readonly lastSeq: number;
  readonly bytes: Uint8Array;
}

/**
 * What every log does, embedded or remote, and what test/persistence/log-contract.ts holds each of them to.
 *
 * One process writes it, with one write in flight. Each writer has an epoch. The store compares the epoch of every write with
 * its own in the same atomic step as the write: once a newer epoch is acquired, an older writer changes nothing any more.
 */
export interface CommandLog extends ReadableLog {
  /**
   * Takes the log for writing: raises its epoch, durably, and fences off every writer with an older one. Older writers may
   * append until then, so where the log ends has to be read afterwards. An empty log may store its epoch together with its
   * first record or cut.
   *
   * @returns the epoch, a whole number above every one that was returned before; the first is 1
   * @throws LogConflict if another process takes the log or cuts it at the same time
   * @throws LogWriteFailed
   */
  acquire(): Promise<number>;

  /** The newest epoch that anybody has acquired; 0 if nobody has. Sees what other processes did. @throws LogUnreadable */
  currentEpoch(): Promise<number>;

  /**
   * Stores a record and settles once it is durable: after a power cut it is read back whole.
   * The log keeps a reference, so the bytes must not change afterwards. After LogWriteFailed or LogConflict the log takes no
   * further record, because one that did get through would stand behind a hole.
   *
   * @throws LogConflict if `expectedSeq` is not the last seq in the log: nothing was stored
   * @throws Fenced nothing was stored
   * @throws UnknownOutcome the record may be stored, now or later; outcome.ts finds out
   * @throws LogWriteFailed
   */
  append(append: Append): Promise<void>;

  /**
   * Removes the newest record and settles once that is durable. Only for one that was not written whole.
   *
   * @param firstSeq its seq, as a check that nothing else is removed
   * @throws RangeError where it is not the newest record, or stands before a cut
   * @throws Fenced nothing was removed
   */
  dropLast(epoch: number, firstSeq: number): Promise<void>;

  /**
   * Makes a place at which the log can be pruned later, and settles once that is durable. Only between two appends. An
   * empty log begins there from now on. A second cut at the same place changes nothing.
   *
   * @param nextSeq seq of the entry that comes next; the next record begins with it
   * @throws RangeError unless it follows the last entry in the log and is above every cut
   * @throws CutRefused if the operating system lacks something for it: nothing has happened, and appends can go on
   * @throws LogConflict when another process has written meanwhile
   * @throws Fenced nothing has happened
   * @throws LogWriteFailed
   */
  cut(epoch: number, nextSeq: number): Promise<void>;

  /**
   * Lets go of what stands before the newest cut at or before `keepFromSeq`. It may keep more than that, and never lets go
   * of anything behind. Appends may go on meanwhile; a failure harms nothing that is kept.
   *
   * @throws Fenced nothing was pruned
   */
  prune(epoch: number, keepFromSeq: number): Promise<void>;
}

/** The log does not end where its writer thinks: another process has written to it, and the writer's memory is out of date. */
export class LogConflict extends Error {
  override readonly name = 'LogConflict';

  constructor(readonly firstSeq: number) {
    super(`the log does not end right before seq ${firstSeq}: another process is writing to it`);
  }
}

/** Another process has taken the log for writing since. Nothing was changed. The fenced writer must end. */
export class Fenced extends Error {
  override readonly name = 'Fenced';

  constructor(readonly epoch: number) {
    super(`the log's epoch is not ${epoch} any more: another process has taken the log over`);
  }
}

/**
 * The store did not say what became of an append, because the connection broke for example: the record may be stored, may be
 * stored later, or may be lost. Only reading tells (outcome.ts).
 */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';

  constructor(
    readonly firstSeq: number,
    cause: unknown,
  ) {
    super(`it is not known whether the record at seq ${firstSeq} is stored: ${asError(cause).message}`, { cause });
  }
}

/** A follower was too slow: a record was pruned before it was read. The follower has to begin anew, from a snapshot. */
export class LogPruned extends Error {
  override readonly name = 'LogPruned';

  constructor(
    readonly nextSeq: number,
    readonly firstSeq: number,
  ) {
    super(`seq ${nextSeq} is pruned: the log begins at seq ${firstSeq}`);
  }
}

/** A write did not reach the disk. What it held may or may not be there after a restart. */
export class LogWriteFailed extends Error {
  override readonly name = 'LogWriteFailed';

  constructor(
    readonly firstSeq: number,
    cause: unknown,
  ) {
    super(`the record at seq ${firstSeq} could not be written: ${String(cause)}`, { cause });
  }
}

/** The log was not cut, for want of descriptors, memory or room on the disk. It is as it was before. */
export class CutRefused extends Error {
  override readonly name = 'CutRefused';

  constructor(
    readonly nextSeq: number,
    cause: unknown,
  ) {
    super(`the log could not be cut before seq ${nextSeq}: ${asError(cause).message}`, { cause });
  }
}

/** An append took too long. It may still reach the disk, so the log must be left alone: closing it could wait for ever. */
export class LogStalled extends Error {
  override readonly name = 'LogStalled';

  constructor(
    readonly firstSeq: number,
    readonly waitedMs: number,
  ) {
    super(`the record at seq ${firstSeq} was not on disk after ${waitedMs} ms`);
  }
}

/** The stored log cannot be read, in the store's own terms. */
export class LogUnreadable extends Error {
  override readonly name = 'LogUnreadable';
}
