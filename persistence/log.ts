// The log as the rest of persistence knows it: records in order, appended one at a time, read back from any seq.
// It must stay free of any one store's ideas, and never looks inside a record.
import { asError } from './fatal.js';

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

  /** Waits for the append in flight and lets go of the store. */
  close(): Promise<void>;
}

/**
 * What every log does, embedded or remote, and what test/persistence/log-contract.ts holds each of them to.
 * One process writes it, with one append in flight. Reading ends before the first append.
 */
export interface CommandLog extends ReadableLog {
  /**
   * Stores a record and settles once it is durable: after a power cut it is read back whole.
   * The log keeps a reference, so the bytes must not change afterwards. A failed append is never retried: the log
   * takes no further record, since one that did get through would stand behind a hole.
   *
   * @param firstSeq seq of the record's first entry, above that of every stored record
   * @throws LogConflict when a record at or above this seq is there already: another process writes this log
   */
  append(firstSeq: number, bytes: Uint8Array): Promise<void>;

  /**
   * Removes the newest record and settles once that is durable. Only for one that was not written whole.
   *
   * @param firstSeq its seq, as a check that nothing else is removed
   * @throws RangeError where it is not the newest record, or stands before a cut
   */
  dropLast(firstSeq: number): Promise<void>;

  /**
   * Makes a place at which the log can be pruned later, and settles once that is durable. Only between two appends. An
   * empty log begins there from now on. A second cut at the same place changes nothing.
   *
   * @param nextSeq seq of the entry that comes next; the next record begins with it
   * @throws RangeError where it is not above every stored record and every cut
   * @throws CutRefused if the operating system lacks something for it: nothing has happened, and appends can go on
   * @throws LogConflict when another process has written meanwhile
   * @throws LogWriteFailed
   */
  cut(nextSeq: number): Promise<void>;

  /**
   * Lets go of what stands before the newest cut at or before `keepFromSeq`. It may keep more than that, and never lets go
   * of anything behind. Appends may go on meanwhile; a failure harms nothing that is kept.
   */
  prune(keepFromSeq: number): Promise<void>;
}

/** The log has moved on without us: another process writes it, and what we hold in memory is not its present. */
export class LogConflict extends Error {
  override readonly name = 'LogConflict';

  constructor(readonly firstSeq: number) {
    super(`the log already holds a record at or above seq ${firstSeq}: another process is writing to it`);
  }
}

/** An append did not reach the disk. What it held may or may not be there after a restart. */
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
