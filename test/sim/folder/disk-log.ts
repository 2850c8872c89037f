// The log of a simulated process on its disk, and the same log as another process reads it. It keeps the contract of a log
// except for the ways in which disks and networks fail: it writes late, not at all, in part, or without reporting it, and
// other processes may acquire it. It shows the content of the disk, damage included.

import { FLUSH_STALL_GRACE_MS, FLUSH_STALL_MS, FLUSH_STALL_TIMERS } from '../../../persistence/limits.js';
import { lastSeqOf } from '../../../persistence/log/batch-record.js';
import {
  type Append,
  type CommandLog,
  CutRefused,
  Fenced,
  LogConflict,
  LogUnreadable,
  LogWriteFailed,
  Misplaced,
  type ReadableLog,
  type StoredRecord,
  UnknownOutcome,
} from '../../../persistence/log/log.js';
import { LogFollowers } from '../../../persistence/log/log-followers.js';
import type { Device } from '../../support/virtual-scheduler.js';
import type { Stage } from '../stage.js';
import { require } from '../violation.js';
import { type Disk, UNKNOWN_OUTCOMES, type UnknownKind, type WriteFault } from './disk.js';

/** Number of records per read, and the maximum time of one. */
const RECORDS_PER_READ = 8;
const READ_MS = 3;

/** Time that a write takes. */
const WRITE_MS = { fast: 8, slow: FLUSH_STALL_MS - 1 } as const;
/** Maximum time until the process notices a write that hangs: each of its timers may be late by a turn of the event loop. */
const NOTICED_MS = FLUSH_STALL_MS + FLUSH_STALL_GRACE_MS + FLUSH_STALL_TIMERS * 10;
/** Maximum delay of a late append: shorter than an append takes, or longer than the first attempts to determine its outcome. */
const LATE_MS = [8, 600] as const;
/** Maximum time that the removal of a segment takes. */
const PRUNE_MS = 5_000;

export class DiskLogReader implements ReadableLog {
  protected readonly followers: LogFollowers = new LogFollowers();

  constructor(
    protected readonly disk: Disk,
    protected readonly device: Device,
    protected readonly stage: Stage,
  ) {}

  get firstSeq(): number | undefined {
    return this.disk.segments[0]?.firstSeq;
  }

  async *read(fromSeq: number): AsyncGenerator<StoredRecord> {
    this.receiveLate();
    this.#failIfArmed();
    const { records } = this.disk;
    const next = records.findIndex((record) => record.firstSeq > fromSeq);
    const after = next === -1 ? records.length : next;
    const wanted = records.slice(Math.max(after - 1, 0));
    for (const [index, { firstSeq, bytes }] of wanted.entries()) {
      if (index % RECORDS_PER_READ === 0) await this.device(this.stage.draws.below(READ_MS));
      yield { firstSeq, bytes };
    }
  }

  follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<StoredRecord> {
    return this.followers.follow(this, afterSeq, signal);
  }

  async last(): Promise<StoredRecord | undefined> {
    this.receiveLate();
    const { newest } = this.disk;
    return newest && { firstSeq: newest.firstSeq, bytes: newest.bytes };
  }

  /** A late append arrives before anything is read or changed. */
  protected receiveLate(): void {
    const fate = this.disk.receiveLate(this.stage.time.elapsedMs());
    if (fate === undefined) return;
    this.stage.tell(`a late append arrives: ${fate}`);
    this.stage.count(`late appends: ${fate}`);
  }

  #failIfArmed(): void {
    if (!this.disk.isReadFailing) return;
    this.disk.isReadFailing = false;
    this.stage.tell('a read of the log fails');
    this.stage.count('fault: read error');
    throw new LogUnreadable('EIO: input/output error');
  }

  /** It always sees the present content. */
  async refresh(): Promise<void> {}

  async close(): Promise<void> {
    this.followers.close();
  }
}

export class DiskLog extends DiskLogReader implements CommandLog {
  #isWriting = false;
  #isPruning = false;
  #hasRefused = false;
  #epoch = 0;
  /** The failure of a write; from then on the process must have ended. */
  #failure: Error | undefined;
  /** Instant of #runningMs() by which the process must have ended because a write hangs. */
  #stalledAtMs = Number.POSITIVE_INFINITY;
  readonly #runningMs: () => number;

  /** @param runningMs how long the process has not been stopped */
  constructor(disk: Disk, device: Device, stage: Stage, runningMs: () => number) {
    super(disk, device, stage);
    this.#runningMs = runningMs;
  }

  /** Whether a fault of its log gives the process a reason to end itself. */
  get isFaulty(): boolean {
    return this.#failure !== undefined || this.#stalledAtMs < Number.POSITIVE_INFINITY;
  }

  /** Whether a process that still runs now would serve data that may never be durable. */
  get mustBeOver(): boolean {
    return this.#failure !== undefined || this.#runningMs() > this.#stalledAtMs;
  }

  get isPruning(): boolean {
    return this.#isPruning;
  }

  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Whether the last cut was refused. */
  get hasRefused(): boolean {
    return this.#hasRefused;
  }

  /** Whether another process has acquired the log. */
  get isFenced(): boolean {
    return this.#epoch !== 0 && this.#epoch !== this.disk.epoch;
  }

  async acquire(): Promise<number> {
    await this.device(1 + this.stage.draws.below(WRITE_MS.fast));
    this.receiveLate();
    this.disk.epoch += 1;
    this.#epoch = this.disk.epoch;
    this.stage.tell(`the log is acquired, epoch ${this.#epoch}`);
    return this.#epoch;
  }

  async currentEpoch(): Promise<number> {
    return this.disk.epoch;
  }

  async append(append: Append): Promise<void> {
    const { epoch, expectedSeq, lastSeq, bytes } = append;
    const firstSeq = expectedSeq + 1;
    this.receiveLate();
    this.#requireEpoch(epoch);
    if (this.disk.faultOf(append) === 'conflict') throw new LogConflict(firstSeq);
    const isSound = lastSeqOf(bytes) !== undefined;
    require(isSound, () => `the record at seq ${firstSeq} was not sound when it was handed to the log`);
    await this.#write(firstSeq, `write ${firstSeq}..${lastSeq}`, () => this.disk.store(append), append);
    this.followers.wake();
  }

  async dropLast(epoch: number, firstSeq: number): Promise<void> {
    this.#requireEpoch(epoch);
    const newest = this.disk.segments.at(-1)?.records.at(-1);
    if (newest?.firstSeq !== firstSeq) throw new Misplaced(`seq ${firstSeq} is not the newest record`);
    await this.device(1 + this.stage.draws.below(WRITE_MS.fast));
    this.disk.dropNewest();
    this.stage.tell(`the torn record at seq ${firstSeq} is dropped`);
    this.stage.count('torn records dropped');
  }

  async cut(epoch: number, nextSeq: number): Promise<void> {
    const { segments } = this.disk;
    this.#hasRefused = false;
    this.#requireEpoch(epoch);
    const newestCut = segments.at(-1);
    if (newestCut?.firstSeq === nextSeq && newestCut.records.length === 0) return;
    if (nextSeq !== this.disk.lastSeq + 1 || newestCut?.records.length === 0) {
      throw new Misplaced(`the log cannot be cut at seq ${nextSeq}`);
    }
    if (this.disk.isCutRefused) await this.#refuseCut(nextSeq);
    await this.#write(nextSeq, `cut before ${nextSeq}`, () => {
      this.disk.segments.push({ firstSeq: nextSeq, records: [], isFlushed: false });
    });
    this.stage.count('cuts');
  }

  async prune(epoch: number, keepFromSeq: number): Promise<void> {
    if (this.isFenced) {
      this.stage.count('prunes that were fenced');
      throw new Fenced(epoch);
    }
    const { segments, snapshots } = this.disk;
    const standing = [...snapshots.keys()].filter((seq) => seq + 1 >= keepFromSeq).length;
    require(standing >= 2, () => `the log is pruned up to seq ${keepFromSeq}, with ${standing} snapshots behind that`);
    const newestKept = segments.findLastIndex(({ firstSeq }) => firstSeq <= keepFromSeq);
    this.#isPruning = newestKept > 0;
    for (let left = newestKept; left > 0; left -= 1) {
      await this.device(1 + this.stage.draws.below(PRUNE_MS));
      const gone = segments.shift();
      this.stage.tell(`the segment that began at seq ${gone?.firstSeq} is gone`);
      this.stage.count('segments pruned');
    }
    this.#isPruning = false;
  }

  override async close(): Promise<void> {
    require(!this.#isWriting, () => 'the log was closed while it was writing');
    await super.close();
  }

  async #refuseCut(nextSeq: number): Promise<never> {
    this.disk.isCutRefused = false;
    this.#isWriting = true;
    await this.device(this.stage.draws.below(WRITE_MS.fast));
    this.#isWriting = false;
    this.#hasRefused = true;
    this.stage.tell(`cut before ${nextSeq}: refused`);
    this.stage.count('fault: cut refused');
    throw new CutRefused(nextSeq, new Error('too many open files'));
  }

  /** @throws Fenced; from then on the process must end */
  #requireEpoch(epoch: number): void {
    if (epoch === this.disk.epoch) return;
    this.#failure = new Fenced(epoch);
    this.stage.tell(`a write under epoch ${epoch} is fenced`);
    this.stage.count('writes that were fenced');
    throw this.#failure;
  }

  /**
   * @param store writes it to the disk, where a crash may still undo it
   * @param append undefined for a cut, whose outcome is never unknown
   */
  async #write(seq: number, what: string, store: () => void, append?: Append): Promise<void> {
    require(!this.#isWriting, () => `two writes in flight: ${what}`);
    // Like LMDB, the simulated disk would accept it, and leave a gap.
    require(this.#failure === undefined, () => `${what}, although a write before it failed`);
    this.#isWriting = true;
    const fault = this.#takeFault(append === undefined);
    if (append !== undefined && isUnknown(fault)) await this.#leaveUnknown(append, what, fault, store);
    else if (fault === undefined || fault === 'slow') {
      store();
      const delayMs = fault === undefined ? this.stage.draws.below(WRITE_MS.fast) : WRITE_MS.slow;
      if (fault === 'slow') this.#meet(fault, what);
      await this.device(delayMs);
      this.disk.flush();
    } else await this.#fail(seq, what, fault, store);
    this.#isWriting = false;
  }

  #takeFault(isCut: boolean): WriteFault | undefined {
    const fault = this.disk.takeFault('log');
    if (!isCut || !isUnknown(fault)) return fault;
    this.disk.armed.log = { fault, inWrites: 1 };
    return undefined;
  }

  /** The writer does not learn the outcome of its append. */
  async #leaveUnknown(append: Append, what: string, fault: UnknownKind, store: () => void): Promise<never> {
    const { draws, time } = this.stage;
    this.#meet(fault, what);
    if (fault === 'unknown: stored') store();
    if (fault === 'unknown: late')
      this.disk.late = { append, dueMs: time.elapsedMs() + draws.below(draws.pick(LATE_MS)) };
    await this.device(draws.below(WRITE_MS.fast));
    if (fault === 'unknown: stored') this.disk.flush();
    this.#isWriting = false;
    throw new UnknownOutcome(append.expectedSeq + 1, new Error('the connection is lost'));
  }

  async #fail(seq: number, what: string, fault: WriteFault, store: () => void): Promise<void> {
    this.#meet(fault, what);
    // A failed write may have left data on the disk, and a crash decides whether it stays.
    if (fault === 'done but not reported' || this.stage.draws.oneIn(2)) store();
    if (fault === 'never done' || fault === 'done but not reported') {
      this.#stalledAtMs = this.#runningMs() + NOTICED_MS;
      await this.device(this.stage.draws.below(WRITE_MS.fast));
      if (fault === 'done but not reported') this.disk.flush();
      await new Promise(() => {});
    }
    await this.device(this.stage.draws.below(WRITE_MS.fast));
    const code = fault === 'no space' ? 'ENOSPC' : 'EIO';
    this.#failure = Object.assign(new Error(`${code}: ${fault}`), { code });
    this.#isWriting = false;
    throw new LogWriteFailed(seq, this.#failure);
  }

  #meet(fault: WriteFault, what: string): void {
    this.stage.tell(`${what}: ${fault}`);
    this.stage.count(`fault: ${fault}`);
  }
}

function isUnknown(fault: WriteFault | undefined): fault is UnknownKind {
  return UNKNOWN_OUTCOMES.some((kind) => kind === fault);
}
