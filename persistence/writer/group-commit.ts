// Group commit: gathers entries into batches, writes one batch at a time, then releases the replies that wait for it.
// Memory is ahead of the log here, so it is fail-stop: after a failure it sends no reply and writes nothing.
import type { CommandRow } from '../../engine/commands/table.js';
import { asError, type FatalHandler } from '../fatal.js';
import { MAX_HELD_REPLIES, MAX_PENDING_BYTES, MAX_PENDING_ENTRIES } from '../limits.js';
import { appendForCertain, StallWatch } from '../log/append.js';
import { Batch, type DurabilityWaiter, recordHash } from '../log/batch-record.js';
import { CutRefused, type LogTail, type WriterLog } from '../log/log.js';
import { NODE_SCHEDULER, type Scheduler } from '../time/scheduler.js';
import { CommitFigures } from './figures.js';

/** When a reply may be sent: once its command is durable, or as soon as it is applied. */
export type Durability = 'durable' | 'relaxed';

export interface GroupCommitOptions {
  readonly log: WriterLog;
  /** What acquire() of the log returned. */
  readonly epoch: number;
  readonly tail: LogTail;
  /** Returns the version that stands in a record: a switch of rules can raise it. */
  readonly rulesVersion: () => number;
  readonly durability: Durability;
  readonly onFatal: FatalHandler;
  /** Longest time an append may take; FLUSH_STALL_MS by default. */
  readonly flushStallMs?: number;
  /** Bytes of the records after the last cut of the log; 0 by default. */
  readonly bytesSinceCut?: number;
  /** Defaults to NODE_SCHEDULER. */
  readonly scheduler?: Scheduler;
}

export class GroupCommit {
  readonly figures = new CommitFigures();
  /** Releases each record that has become durable. */
  readonly feed = new Feed();
  readonly #log: WriterLog;
  readonly #epoch: number;
  readonly #rulesVersion: () => number;
  readonly #holdsReplies: boolean;
  readonly #onFatal: FatalHandler;
  readonly #scheduler: Scheduler;
  readonly #stallWatch: StallWatch;
  /** Oldest first; the last one still takes entries. */
  readonly #waiting: Batch[] = [];
  #inFlight: Batch | undefined;
  #previousHash: Uint8Array;
  #lastSeq: number;
  #durableSeq: number;
  #pendingEntries = 0;
  #pendingBytes = 0;
  /** Durable batches whose replies have not been sent. */
  #unreleased = 0;
  #bytesSinceCut: number;
  #isFlushDue = false;
  /** True inside together(). */
  #isUnit = false;
  /** The batch with the entries that were added since; undefined before the first. */
  #unit: Batch | undefined;
  #isDead = false;
  /** A cut that waits for the append in flight, or is being made. */
  #cut: PendingCut | undefined;
  readonly #drainWaiters: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#log = options.log;
    this.#epoch = options.epoch;
    this.#rulesVersion = options.rulesVersion;
    this.#holdsReplies = options.durability === 'durable';
    this.#onFatal = options.onFatal;
    this.#scheduler = options.scheduler ?? NODE_SCHEDULER;
    this.#stallWatch = new StallWatch((error) => this.die(error), options.flushStallMs, this.#scheduler);
    this.#previousHash = options.tail.hash;
    this.#lastSeq = options.tail.lastSeq;
    this.#durableSeq = options.tail.lastSeq;
    this.#bytesSinceCut = options.bytesSinceCut ?? 0;
  }

  /** Seq up to which everything is durable. */
  get durableSeq(): number {
    return this.#durableSeq;
  }

  /** Bytes of the records handed to the log since it was last cut. */
  get bytesSinceCut(): number {
    return this.#bytesSinceCut;
  }

  /** Replies that wait for the disk. */
  get heldReplies(): number {
    return this.feed.heldReplies;
  }

  /** Whether a limit is reached: of what may wait for the disk, or of the unit that is being added. */
  get isFull(): boolean {
    return (
      this.#unit?.isUnitFull === true ||
      this.#pendingEntries >= MAX_PENDING_ENTRIES ||
      this.#pendingBytes >= MAX_PENDING_BYTES ||
      this.feed.isFull
    );
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /**
   * Adds the next entry; it is written at the end of this turn of the event loop, or later. One that cannot be encoded is fatal.
   *
   * @param eventReceivers of the events that it caused; copied
   */
  add(atMs: number, row: CommandRow, eventReceivers: readonly number[] = NO_RECEIVERS): void {
    try {
      const batch = this.#addToBatch(atMs, row);
      for (let index = 0; index < eventReceivers.length; index += 1) {
        batch.eventReceivers.push(eventReceivers[index] as number);
      }
    } catch (error) {
      this.die(error);
      return;
    }
    this.#lastSeq += 1;
    this.#pendingEntries += 1;
    if (this.#isFlushDue || this.#inFlight !== undefined) return;
    this.#isFlushDue = true;
    this.#scheduler.soon(this.#flushDue);
  }

  #addToBatch(atMs: number, row: CommandRow): Batch {
    let batch = this.#waiting.at(-1);
    if (this.#isUnit && this.#unit === undefined) batch?.beginUnit();
    const bytesBefore = batch?.bytesBound ?? 0;
    if (batch?.tryAdd(atMs, row)) {
      this.#pendingBytes += batch.bytesBound - bytesBefore;
    } else {
      const full = batch;
      batch = full === undefined || this.#unit === undefined ? this.#newBatch() : full.splitUnit();
      batch.tryAdd(atMs, row);
      this.#waiting.push(batch);
      this.#pendingBytes += batch.bytesBound + (full?.bytesBound ?? 0) - bytesBefore;
    }
    if (this.#isUnit) this.#unit = batch;
    return batch;
  }

  #newBatch(): Batch {
    const batch = new Batch(this.#lastSeq + 1);
    if (this.#isUnit) batch.beginUnit();
    return batch;
  }

  /**
   * Keeps all entries that `additions` adds in one record, even above the limits of a record, so that a crash keeps all
   * of them or none. At TOGETHER_ENTRIES_MAX and TOGETHER_BYTES_MAX the unit is full; entries that are still added join
   * it. A nested call joins the outer unit. Units share records: a unit gets a record of its own only if it does not fit.
   *
   * @param additions synchronous
   */
  together<T>(additions: () => T): T {
    if (this.#isUnit) return additions();
    this.#isUnit = true;
    try {
      return additions();
    } finally {
      this.beginUnit();
      this.#isUnit = false;
    }
  }

  /** Within together(): what is added from now on is another unit, and need not be in the same record. */
  beginUnit(): void {
    this.#unit?.endUnit();
    this.#unit = undefined;
  }

  /**
   * Calls the waiter once the entry `seq` is durable, in order of seq and then of arrival; at once if it already is.
   * After a fatal error no waiter is called.
   *
   * @returns false if too many wait already: the waiter is dropped. Never after add() in the same turn, if isFull was
   *   false before it.
   */
  holdUntilDurable(seq: number, waiter: DurabilityWaiter): boolean {
    if (this.#isDead) return true;
    if (!this.#holdsReplies || seq <= this.#durableSeq) {
      waiter.durable();
      return true;
    }
    return this.feed.hold(this.#batchOf(seq), waiter);
  }

  /**
   * Cuts the log between two appends: after the one in flight, before the next. A second call during a cut returns the
   * same result.
   *
   * @returns the durable seq after which it was cut
   * @throws CutRefused nothing has happened, and appends continue
   * @throws Error the failure, after the fatal handler was called: a failed cut is as fatal as a failed append
   */
  cut(): Promise<number> {
    if (this.#isDead) return Promise.reject(new Error('the log is no longer written'));
    if (this.#cut === undefined) {
      this.#cut = new PendingCut();
      this.#cutIfWanted();
    }
    return this.#cut.seq;
  }

  /** Settles when everything is durable, or after a fatal error. */
  drained(): Promise<void> {
    if (this.#isDead || this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drainWaiters.push(resolve);
    });
  }

  /** Fail-stop: no write and no reply from here on. The handler decides how the process ends. */
  die(cause: unknown): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#stallWatch.end();
    this.#onFatal(asError(cause));
    this.#cut?.reject(asError(cause));
    this.#resolveDrained();
  }

  get #isIdle(): boolean {
    const isWriting = this.#inFlight !== undefined || this.#cut !== undefined;
    return !isWriting && this.#waiting.length === 0 && this.#unreleased === 0;
  }

  #batchOf(seq: number): Batch {
    // Nearly always the newest batch.
    for (let index = this.#waiting.length - 1; index >= 0; index -= 1) {
      const batch = this.#waiting[index] as Batch;
      if (seq >= batch.firstSeq) return requireHolding(batch, seq);
    }
    return requireHolding(this.#inFlight, seq);
  }

  readonly #flushDue = (): void => {
    this.#isFlushDue = false;
    this.#appendNext();
  };

  #appendNext(): void {
    if (this.#isDead || this.#inFlight !== undefined || this.#cut !== undefined) return;
    const batch = this.#waiting.shift();
    if (batch === undefined) return;
    this.#inFlight = batch;
    try {
      const bytes = batch.encode(this.#rulesVersion(), this.#previousHash);
      this.#previousHash = recordHash(bytes);
      this.#bytesSinceCut += bytes.length;
      this.#stallWatch.begin(batch.firstSeq);
      this.figures.begin();
      const append = { epoch: this.#epoch, expectedSeq: batch.firstSeq - 1, lastSeq: batch.lastSeq, bytes };
      appendForCertain(this.#log, append, this.#scheduler, this.#isOver).then(this.#onAppended, this.#onFailed);
    } catch (error) {
      this.die(error);
    }
  }

  readonly #onAppended = (): void => {
    const batch = this.#inFlight;
    if (this.#isDead || batch === undefined) return;
    this.#stallWatch.end();
    this.figures.end(batch.count);
    this.#inFlight = undefined;
    this.#durableSeq = batch.lastSeq;
    this.#pendingEntries -= batch.count;
    this.#pendingBytes -= batch.bytesBound;
    this.#cutIfWanted();
    // The next batch goes to the disk first, so that it is written while the replies are sent. The replies wait for the
    // end of the turn because LMDB begins to write then.
    this.#appendNext();
    this.#unreleased += 1;
    this.#scheduler.soon(this.#release, batch);
  };

  readonly #isOver = (): boolean => this.#isDead;

  readonly #onFailed = (error: unknown): void => {
    this.die(error);
  };

  readonly #release = (batch: Batch): void => {
    // The append of the next batch may have failed since; then these replies are withheld like all others.
    if (this.#isDead) return;
    this.#unreleased -= 1;
    try {
      this.feed.release(batch);
    } catch (error) {
      this.die(error);
    }
    if (this.#isIdle) this.#resolveDrained();
  };

  #cutIfWanted(): void {
    if (this.#cut === undefined || this.#inFlight !== undefined) return;
    try {
      this.#stallWatch.begin(this.#durableSeq + 1);
      this.#log.cut(this.#epoch, this.#durableSeq + 1).then(() => this.#endCut(), this.#onCutFailed);
    } catch (error) {
      this.die(error);
    }
  }

  readonly #onCutFailed = (error: unknown): void => {
    if (error instanceof CutRefused) this.#endCut(error);
    else this.die(error);
  };

  #endCut(refusal?: CutRefused): void {
    const cut = this.#cut;
    if (this.#isDead || cut === undefined) return;
    this.#stallWatch.end();
    this.#cut = undefined;
    if (refusal === undefined) {
      this.#bytesSinceCut = 0;
      cut.resolve(this.#durableSeq);
    } else cut.reject(refusal);
    this.#appendNext();
    if (this.#isIdle) this.#resolveDrained();
  }

  #resolveDrained(): void {
    for (const resolve of this.#drainWaiters.splice(0)) resolve();
  }
}

const NO_RECEIVERS: readonly number[] = [];

function requireHolding(batch: Batch | undefined, seq: number): Batch {
  if (batch === undefined || seq > batch.lastSeq) throw new RangeError(`seq ${seq} has not been applied yet`);
  return batch;
}

/** A promise of the seq after which the log was cut. */
class PendingCut {
  resolve: (seq: number) => void = () => {};
  reject: (error: Error) => void = () => {};
  readonly seq: Promise<number> = new Promise<number>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

/** Something that reads the events that a world keeps, once they are durable. */
export interface EventWatcher {
  /**
   * Further events of these receivers have become durable. Receivers are in order and may repeat. Called once for each record that
   * has events, before its replies are sent. Must not throw or block.
   */
  released(receivers: readonly number[]): void;
}

/**
 * The only output of the writer. Once a record is durable, it informs the watchers of the events of the record, and then sends the
 * replies that wait for it. It keeps no history.
 */
export class Feed {
  readonly #watchers = new Set<EventWatcher>();
  #heldReplies = 0;

  /** Replies that wait for a record. */
  get heldReplies(): number {
    return this.#heldReplies;
  }

  /** Whether no further reply can wait. */
  get isFull(): boolean {
    return this.#heldReplies >= MAX_HELD_REPLIES;
  }

  /** Informs a watcher of events, from the next record on. @returns a function that ends it */
  watch(watcher: EventWatcher): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  /**
   * Holds a reply until a batch is released.
   *
   * @returns false if too many wait already: the waiter is dropped
   */
  hold(batch: Batch, waiter: DurabilityWaiter): boolean {
    if (this.isFull) return false;
    batch.waiters.push(waiter);
    this.#heldReplies += 1;
    return true;
  }

  /** Releases a batch whose record is durable. Watchers come first, so that no reply precedes the events that it depends on. */
  release({ waiters, eventReceivers }: Pick<Batch, 'waiters' | 'eventReceivers'>): void {
    this.#heldReplies -= waiters.length;
    if (eventReceivers.length > 0) for (const watcher of this.#watchers) watcher.released(eventReceivers);
    for (const waiter of waiters) waiter.durable();
  }
}
