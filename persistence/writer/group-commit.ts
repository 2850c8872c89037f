// Gathers entries into batches, writes one at a time, and lets go of the replies that wait for them.
// Memory is ahead of the log here, so after a failure it stays silent for ever: no reply, no further write.
import type { CommandRow } from '../../engine/commands/table.js';
import { asError, type FatalHandler } from '../fatal.js';
import { MAX_PENDING_BYTES, MAX_PENDING_ENTRIES } from '../limits.js';
import { Batch, type DurabilityWaiter } from '../log/batch.js';
import { recordHash } from '../log/batch-record.js';
import { type CommandLog, CutRefused, type LogTail } from '../log/log.js';
import { appendForCertain } from '../log/outcome.js';
import { CommitFigures } from './commit-figures.js';
import { Feed, type FeedEntry } from './feed.js';
import { PendingCut } from './pending-cut.js';
import { NODE_SCHEDULER, type Scheduler } from './scheduler.js';
import { StallWatch } from './stall-watch.js';

/** When a reply may leave: once its command is on disk, or as soon as it is applied. */
export type Durability = 'durable' | 'relaxed';

export interface GroupCommitOptions {
  readonly log: CommandLog;
  /** What acquire() of the log returned. */
  readonly epoch: number;
  readonly tail: LogTail;
  readonly rulesVersion: number;
  readonly durability: Durability;
  readonly onFatal: FatalHandler;
  /** Longest time an append may take; FLUSH_STALL_MS by default. */
  readonly flushStallMs?: number;
  /** Bytes of records that stand behind the last cut of the log already; 0 by default. */
  readonly bytesSinceCut?: number;
  /** Defaults to NODE_SCHEDULER. */
  readonly scheduler?: Scheduler;
}

export class GroupCommit {
  readonly figures = new CommitFigures();
  /** Releases each record that has become durable. */
  readonly feed = new Feed();
  readonly #log: CommandLog;
  readonly #epoch: number;
  readonly #rulesVersion: number;
  readonly #holdsReplies: boolean;
  readonly #onFatal: FatalHandler;
  readonly #scheduler: Scheduler;
  readonly #stallWatch: StallWatch;
  /** Oldest first; the last one is still open. */
  readonly #waiting: Batch[] = [];
  #inFlight: Batch | undefined;
  #previousHash: Uint8Array;
  #lastSeq: number;
  #durableSeq: number;
  #pendingEntries = 0;
  #pendingBytes = 0;
  /** Batches on disk whose replies have not left. */
  #unreleased = 0;
  #bytesSinceCut: number;
  #isFlushDue = false;
  #isTogether = false;
  /** What was added since together() began. */
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

  /** Seq up to which everything is on disk. */
  get durableSeq(): number {
    return this.#durableSeq;
  }

  /** Whether a unit is being added; see together(). */
  get isTogether(): boolean {
    return this.#isTogether;
  }

  /** Bytes of the records handed to the log since it was last cut. */
  get bytesSinceCut(): number {
    return this.#bytesSinceCut;
  }

  /** Replies that wait for the disk. */
  get heldReplies(): number {
    return this.feed.heldReplies;
  }

  /** Whether a limit is reached: on what may wait for the disk, or on the unit that is being added together. */
  get isFull(): boolean {
    return (
      this.#unit?.isFullUnit === true ||
      this.#pendingEntries >= MAX_PENDING_ENTRIES ||
      this.#pendingBytes >= MAX_PENDING_BYTES ||
      this.feed.isFull
    );
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /**
   * Takes the entry that follows the last one; it is written at the end of this turn of the event loop, or later.
   *
   * @param followed the same entry with what it caused, if the feed is followed
   */
  add(atMs: number, row: CommandRow, followed?: FeedEntry): void {
    // A unit gathers by itself, with all the room of a record.
    let batch = this.#isTogether ? this.#unit : this.#waiting.at(-1);
    const bytesBefore = batch?.bytesBound ?? 0;
    if (batch?.tryAdd(atMs, row, this.#isTogether)) {
      this.#pendingBytes += batch.bytesBound - bytesBefore;
    } else {
      batch = new Batch(this.#lastSeq + 1);
      batch.tryAdd(atMs, row);
      this.#waiting.push(batch);
      this.#pendingBytes += batch.bytesBound;
      if (this.#isTogether) this.#unit = batch;
    }
    if (followed !== undefined) batch.keepForFollowers(followed);
    this.#lastSeq += 1;
    this.#pendingEntries += 1;
    if (this.#isFlushDue || this.#inFlight !== undefined) return;
    this.#isFlushDue = true;
    this.#scheduler.soon(this.#flushDue);
  }

  /**
   * Keeps all entries that are added meanwhile in one record, above the limits of a record too, so that after a crash all
   * of them are there or none. At TOGETHER_ENTRIES_MAX and TOGETHER_BYTES_MAX it is full; what is added nevertheless still
   * joins them. Inside of another such call it joins that one.
   *
   * @param additions synchronous
   */
  together<T>(additions: () => T): T {
    if (this.#isTogether) return additions();
    this.#isTogether = true;
    try {
      return additions();
    } finally {
      this.#isTogether = false;
      if (this.#unit !== undefined) this.#shareRecord(this.#unit);
      this.#unit = undefined;
    }
  }

  /** A unit that fits beside what waits already costs no flush of its own. */
  #shareRecord(unit: Batch): void {
    if (this.#waiting.at(-2)?.tryTakeOver(unit)) this.#waiting.pop();
  }

  /**
   * Tells the waiter once the entry `seq` is on disk, in the order of seqs and then of arrival; at once where it is
   * there already. After a fatal error nobody is told anything.
   *
   * @returns false where too many wait already: the waiter is forgotten. Never after add() in the same turn, where isFull
   * was false before it.
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
   * Cuts the log between two appends: after the one in flight, before the next. While one is under way, a second call is
   * told the same.
   *
   * @returns the durable seq behind which it was cut
   * @throws CutRefused nothing has happened, and appends go on
   * @throws Error what went wrong, after the fatal handler was told: a cut that fails is like an append that fails
   */
  cut(): Promise<number> {
    if (this.#isDead) return Promise.reject(new Error('the log is not written any more'));
    if (this.#cut === undefined) {
      this.#cut = new PendingCut();
      this.#cutIfWanted();
    }
    return this.#cut.seq;
  }

  /** Settles when everything is on disk, or when nothing will be any more. */
  drained(): Promise<void> {
    if (this.#isDead || this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drainWaiters.push(resolve);
    });
  }

  /** Ends it: no write and no reply from here on, and the handler decides how the process ends. */
  die(cause: unknown): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#stallWatch.end();
    this.#onFatal(asError(cause));
    this.#cut?.reject(asError(cause));
    this.#tellDrained();
  }

  get #isIdle(): boolean {
    const isWriting = this.#inFlight !== undefined || this.#cut !== undefined;
    return !isWriting && this.#waiting.length === 0 && this.#unreleased === 0;
  }

  #batchOf(seq: number): Batch {
    // Nearly always the newest.
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
      const bytes = batch.encode(this.#rulesVersion, this.#previousHash);
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
    // The disk gets its next batch first, and works while the replies go out. They wait for the end of the turn because
    // that is when LMDB begins to write.
    this.#appendNext();
    this.#unreleased += 1;
    this.#scheduler.soon(this.#release, batch);
  };

  readonly #isOver = (): boolean => this.#isDead;

  readonly #onFailed = (error: unknown): void => {
    this.die(error);
  };

  readonly #release = (batch: Batch): void => {
    // The append of the next batch may have found out that it cannot go on; then these replies are kept back like all others.
    if (this.#isDead) return;
    this.#unreleased -= 1;
    try {
      this.feed.release(batch);
    } catch (error) {
      this.die(error);
    }
    if (this.#isIdle) this.#tellDrained();
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
    if (this.#isIdle) this.#tellDrained();
  }

  #tellDrained(): void {
    for (const tell of this.#drainWaiters.splice(0)) tell();
  }
}

function requireHolding(batch: Batch | undefined, seq: number): Batch {
  if (batch === undefined || seq > batch.lastSeq) throw new RangeError(`seq ${seq} has not been applied yet`);
  return batch;
}
