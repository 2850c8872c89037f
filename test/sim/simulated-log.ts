// The log of one simulated process, on a simulated disk. It keeps the contract of a log except for the ways in which
// disks and networks fail: it writes late, not at all, in part, or without reporting it, and other processes may
// acquire it.

import { FLUSH_STALL_GRACE_MS, FLUSH_STALL_MS } from '../../persistence/limits.js';
import { lastSeqOf } from '../../persistence/log/batch-record.js';
import {
  type Append,
  type CommandLog,
  CutRefused,
  Fenced,
  LogConflict,
  LogWriteFailed,
  Misplaced,
  UnknownOutcome,
} from '../../persistence/log/log.js';
import { UNKNOWN_OUTCOMES, type UnknownKind, type WriteFault } from './simulated-disk.js';
import { SimulatedLogReader } from './simulated-log-reader.js';
import { require } from './violation.js';

/** Time that a write takes. */
const WRITE_MS = { fast: 8, slow: FLUSH_STALL_MS - 1 } as const;
/** Maximum delay of a late append: longer than the first attempts to determine its outcome take. */
const LATE_MS = 600;
/** Maximum time that the removal of a segment takes. */
const PRUNE_MS = 5_000;

export class SimulatedLog extends SimulatedLogReader implements CommandLog {
  #isWriting = false;
  #isPruning = false;
  #hasRefused = false;
  #epoch = 0;
  /** The failure of a write; from then on the process must have ended. */
  #failure: Error | undefined;
  /** Instant of elapsedMs() by which the process must have ended because a write hangs. */
  #stalledAtMs = Number.POSITIVE_INFINITY;

  /** Whether a fault of its log gives the process a reason to end itself. */
  get isFaulty(): boolean {
    return this.#failure !== undefined || this.#stalledAtMs < Number.POSITIVE_INFINITY;
  }

  /** Whether a process that still runs now would serve data that may never be durable. */
  mustBeOver(nowMs: number): boolean {
    return this.#failure !== undefined || nowMs > this.#stalledAtMs;
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

  /** The process did not run for a while, so its alarms fire late. */
  excuse(byMs: number): void {
    this.#stalledAtMs += byMs;
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
    await this.#write(firstSeq, `write ${firstSeq}..${lastSeq}`, () => this.disk.store(append, false), append);
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
      this.#flush();
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
    if (fault === 'unknown: late') this.disk.late = { append, dueMs: time.elapsedMs() + draws.below(LATE_MS) };
    await this.device(draws.below(WRITE_MS.fast));
    if (fault === 'unknown: stored') this.#flush();
    this.#isWriting = false;
    throw new UnknownOutcome(append.expectedSeq + 1, new Error('the connection is lost'));
  }

  async #fail(seq: number, what: string, fault: WriteFault, store: () => void): Promise<void> {
    this.#meet(fault, what);
    // A failed write may have left data on the disk, and a crash decides whether it stays.
    if (fault === 'done but not reported' || this.stage.draws.oneIn(2)) store();
    if (fault === 'never done' || fault === 'done but not reported') {
      this.#stalledAtMs = this.stage.time.elapsedMs() + FLUSH_STALL_MS + FLUSH_STALL_GRACE_MS;
      await this.device(this.stage.draws.below(WRITE_MS.fast));
      if (fault === 'done but not reported') this.#flush();
      await new Promise(() => {});
    }
    await this.device(this.stage.draws.below(WRITE_MS.fast));
    const code = fault === 'no space' ? 'ENOSPC' : 'EIO';
    this.#failure = Object.assign(new Error(`${code}: ${fault}`), { code });
    throw new LogWriteFailed(seq, this.#failure);
  }

  #flush(): void {
    const { newest, segments } = this.disk;
    if (newest !== undefined) newest.isFlushed = true;
    const segment = segments.at(-1);
    if (segment !== undefined) segment.isFlushed = true;
  }

  #meet(fault: WriteFault, what: string): void {
    this.stage.tell(`${what}: ${fault}`);
    this.stage.count(`fault: ${fault}`);
  }
}

function isUnknown(fault: WriteFault | undefined): fault is UnknownKind {
  return UNKNOWN_OUTCOMES.some((kind) => kind === fault);
}
