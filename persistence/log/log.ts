// The log as the rest of persistence sees it: records in order, appended one at a time, read back from any seq. Nothing
// here may depend on one kind of store or look inside a record, except that follow() reads in a record's frame where
// the record ends.
import { asError } from '../fatal.js';

/** One stored record: opaque bytes under the seq of its first entry. */
export interface StoredRecord {
  readonly firstSeq: number;
  readonly bytes: Uint8Array;
}

/** The end of a log, which the next record continues. */
export interface LogTail {
  /** Seq of the last entry; 0 in an empty log. */
  readonly lastSeq: number;
  /** recordHash() of the last record. */
  readonly hash: Uint8Array;
}

/** A log for reading, by the process that writes it or by another. */
export interface ReadableLog {
  /**
   * Seq of the first entry in the log: 1, unless the log was pruned or begun elsewhere by a cut. Undefined in an empty
   * log that was never cut.
   */
  readonly firstSeq: number | undefined;

  /**
   * Records in order of seq, beginning with the one that holds the entry `fromSeq`: the last that starts at or before
   * it. Yields to the event loop.
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
   * Makes visible what another process has written, cut or pruned since. The writer itself always sees everything. Must
   * not be called during a read.
   *
   * @throws LogUnreadable
   */
  refresh(): Promise<void>;

  /**
   * Yields the durable records after `afterSeq` in order and without a gap, then waits for more. Ends when the signal
   * is aborted or the log is closed. The process that writes wakes its own followers after each append; a follower in
   * another process polls every FOLLOW_POLL_MS. A follower calls refresh(), so a log that is open for reading can have
   * only one reader at a time.
   *
   * @param afterSeq last seq of a record, or 0
   * @throws LogPruned if a record was pruned before it was read
   * @throws LogUnreadable
   */
  follow(afterSeq: number, signal: AbortSignal): AsyncIterable<StoredRecord>;

  /** Waits for the append in flight, ends all followers and closes the store. */
  close(): Promise<void>;
}

/** A record to store, and what its writer knows about the log. The log rejects the append if either is out of date. */
export interface Append {
  /** The epoch that acquire() returned to this writer. */
  readonly epoch: number;
  /** Seq of the last entry in the log. The record's first entry has the next one. */
  readonly expectedSeq: number;
  /** Seq of the record's last entry. */
  readonly lastSeq: number;
  readonly bytes: Uint8Array;
}

/**
 * The contract of every log, embedded or remote, which test/persistence/log/log-contract.ts checks.
 *
 * One process writes it, with one write in flight. Each writer has an epoch. The store compares the epoch of every
 * write with its own, atomically with the write: once a newer epoch is acquired, an older writer can change nothing.
 */
export interface CommandLog extends ReadableLog {
  /**
   * Takes the log for writing: raises its epoch durably, which fences off every writer with an older one. Older writers
   * may append until then, so the end of the log must be read afterwards. An empty log may store its epoch together
   * with its first record or cut.
   *
   * @returns the epoch, a whole number above every one that was returned before; the first is 1
   * @throws LogConflict if another process takes the log or cuts it at the same time
   * @throws LogWriteFailed
   */
  acquire(): Promise<number>;

  /** The newest epoch that any process has acquired; 0 if none has. @throws LogUnreadable */
  currentEpoch(): Promise<number>;

  /**
   * Stores a record and settles once it is durable. The log keeps a reference, so the bytes must not change afterwards.
   * After LogWriteFailed or LogConflict the log accepts no further record, because it could leave a gap before it.
   *
   * @throws LogConflict if `expectedSeq` is not the last seq in the log: nothing was stored
   * @throws Fenced nothing was stored
   * @throws UnknownOutcome the record may be stored, now or later; append.ts finds out
   * @throws LogWriteFailed
   */
  append(append: Append): Promise<void>;

  /**
   * Removes the newest record and settles once that is durable. Only for an incomplete record.
   *
   * @param firstSeq its seq, as a check that nothing else is removed
   * @throws Misplaced if it is not the newest record, or comes before a cut: nothing has happened
   * @throws Fenced nothing was removed
   */
  dropLast(epoch: number, firstSeq: number): Promise<void>;

  /**
   * Marks a position up to which the log can be pruned later, and settles once that is durable. Must not be called
   * during an append. An empty log begins there from now on. A second cut at the same position changes nothing.
   *
   * @param nextSeq seq of the next entry; the next record begins with it
   * @throws Misplaced unless it follows the last entry in the log and is above every cut: nothing has happened
   * @throws CutRefused if the operating system refuses a step of it: nothing has happened, and appends can continue
   * @throws LogConflict if another process has written meanwhile
   * @throws Fenced nothing has happened
   * @throws LogWriteFailed
   */
  cut(epoch: number, nextSeq: number): Promise<void>;

  /**
   * Removes what comes before the newest cut at or before `keepFromSeq`. It may keep more, and never removes anything
   * after that cut. Appends may continue meanwhile; a failure does not damage what is kept.
   *
   * @throws Fenced nothing was pruned
   */
  prune(epoch: number, keepFromSeq: number): Promise<void>;
}

/** What the writer of a running world does with its log. */
export type WriterLog = Pick<CommandLog, 'append' | 'cut' | 'currentEpoch' | 'refresh' | 'read' | 'close'>;

/** The log of a world that is being created. */
export interface NewLog extends CommandLog {
  /**
   * Appends records in their order, as append() does each, with fewer flushes. Settles once all of them are durable. If
   * it fails, the first ones may be stored.
   *
   * @param appends each expects the end of the one before it
   * @throws as append() does
   */
  appendAll(appends: readonly Append[]): Promise<void>;
}

/**
 * The log does not end where its writer expects: another process has written to it, and the writer's state is out of
 * date.
 */
export class LogConflict extends Error {
  override readonly name = 'LogConflict';

  constructor(readonly firstSeq: number) {
    super(`the log does not end right before seq ${firstSeq}: another process is writing to it`);
  }
}

/** Another process has acquired the log since. Nothing was changed. The fenced writer must stop. */
export class Fenced extends Error {
  override readonly name = 'Fenced';

  constructor(readonly epoch: number) {
    super(`the log's epoch is no longer ${epoch}: another process has taken over the log`);
  }
}

/**
 * The store did not report the outcome of an append, for example because the connection broke: the record may be
 * stored, may be stored later, or may be lost. Only reading shows which (append.ts).
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

/** A follower was too slow: a record was pruned before it was read. The follower must start over from a snapshot. */
export class LogPruned extends Error {
  override readonly name = 'LogPruned';

  constructor(
    readonly nextSeq: number,
    readonly firstSeq: number,
  ) {
    super(`seq ${nextSeq} is pruned: the log begins at seq ${firstSeq}`);
  }
}

/** A write failed. The record may or may not be there after a restart. */
export class LogWriteFailed extends Error {
  override readonly name = 'LogWriteFailed';

  constructor(
    readonly firstSeq: number,
    cause: unknown,
  ) {
    super(`the record at seq ${firstSeq} could not be written: ${String(cause)}`, { cause });
  }
}

/** A record cannot be dropped, or the log not be cut, at this seq. The log is unchanged. */
export class Misplaced extends RangeError {
  override readonly name = 'Misplaced';
}

/**
 * The log was not cut: descriptors, memory or disk space are lacking, a permission is missing, or the disk has failed.
 * It is unchanged.
 */
export class CutRefused extends Error {
  override readonly name = 'CutRefused';

  constructor(
    readonly nextSeq: number,
    cause: unknown,
  ) {
    super(`the log could not be cut before seq ${nextSeq}: ${asError(cause).message}`, { cause });
  }
}

/**
 * An append took too long. It may still reach the disk, so the log must be left alone: closing it could block for ever.
 */
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

/** The store did not answer. What was asked for may or may not have happened. */
export class StoreUnreachable extends Error {
  override readonly name = 'StoreUnreachable';
}
