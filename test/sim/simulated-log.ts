// The log of one simulated process, on a simulated disk. It keeps the contract of a log in every way but those in which disks
// fail: it writes late, not at all, in part, or without telling.
import { lastSeqOf } from '../../persistence/batch-record.js';
import { FLUSH_STALL_GRACE_MS, FLUSH_STALL_MS } from '../../persistence/limits.js';
import { type CommandLog, CutRefused, LogConflict, LogWriteFailed } from '../../persistence/log.js';
import type { WriteFault } from './simulated-disk.js';
import { SimulatedLogReader } from './simulated-log-reader.js';
import { require } from './violation.js';

/** Time that a write takes. */
const WRITE_MS = { fast: 8, slow: FLUSH_STALL_MS - 1 } as const;
/** Time that letting go of a segment takes at most. */
const PRUNE_MS = 200;

export class SimulatedLog extends SimulatedLogReader implements CommandLog {
  #isWriting = false;
  #isPruning = false;
  #hasRefused = false;
  /** What went wrong with a write; from then on the process has to be over. */
  #failure: Error | undefined;
  /** Instant of elapsedMs() by which the process must have ended because a write hangs. */
  #stalledAtMs = Number.POSITIVE_INFINITY;

  /** Whether the process has a reason to end itself, by what was done to its log. */
  get isFaulty(): boolean {
    return this.#failure !== undefined || this.#stalledAtMs < Number.POSITIVE_INFINITY;
  }

  /** Whether a process that goes on now serves what may never be durable. */
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

  /** The process did not run for a while, so that its alarms ring late. */
  excuse(byMs: number): void {
    this.#stalledAtMs += byMs + FLUSH_STALL_GRACE_MS;
  }

  async append(firstSeq: number, bytes: Uint8Array): Promise<void> {
    const { newest, segments } = this.disk;
    if (newest !== undefined && newest.firstSeq >= firstSeq) throw new LogConflict(firstSeq);
    const segment = segments.at(-1);
    if (segment?.records.length === 0 && segment.firstSeq !== firstSeq) throw new LogConflict(firstSeq);
    const lastSeq = lastSeqOf(bytes);
    require(lastSeq !== undefined, () => `the record at seq ${firstSeq} was not sound when it was handed to the log`);
    await this.#write(firstSeq, `write ${firstSeq}..${lastSeq}`, () => {
      // What is at rest must not change with what the process goes on with.
      const written = Uint8Array.from(bytes);
      this.disk.put({ firstSeq, lastSeq, bytes: written, written, isFlushed: false });
    });
  }

  async dropLast(firstSeq: number): Promise<void> {
    const newest = this.disk.segments.at(-1)?.records.at(-1);
    if (newest?.firstSeq !== firstSeq) throw new RangeError(`seq ${firstSeq} is not the newest record`);
    await this.device(1 + this.stage.draws.below(WRITE_MS.fast));
    this.disk.dropNewest();
    this.stage.tell(`the torn record at seq ${firstSeq} is dropped`);
    this.stage.count('torn records dropped');
  }

  async cut(nextSeq: number): Promise<void> {
    const { segments, newest } = this.disk;
    this.#hasRefused = false;
    const newestCut = segments.at(-1);
    if (newestCut?.firstSeq === nextSeq && newestCut.records.length === 0) return;
    if (nextSeq <= (newest?.lastSeq ?? 0) || newestCut?.records.length === 0) {
      throw new RangeError(`the log cannot be cut at seq ${nextSeq}`);
    }
    if (this.disk.isCutRefused) await this.#refuseCut(nextSeq);
    await this.#write(nextSeq, `cut before ${nextSeq}`, () => {
      this.disk.segments.push({ firstSeq: nextSeq, records: [], isFlushed: false });
    });
    this.stage.count('cuts');
  }

  async prune(keepFromSeq: number): Promise<void> {
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

  /** @param store puts it onto the disk, where a crash may still undo it */
  async #write(seq: number, what: string, store: () => void): Promise<void> {
    require(!this.#isWriting, () => `two writes in flight: ${what}`);
    // As LMDB does, the simulated disk would take it, and leave a hole.
    require(this.#failure === undefined, () => `${what}, although a write before it failed`);
    this.#isWriting = true;
    const fault = this.disk.takeFault('log');
    if (fault === undefined || fault === 'slow') {
      store();
      const delayMs = fault === undefined ? this.stage.draws.below(WRITE_MS.fast) : WRITE_MS.slow;
      if (fault === 'slow') this.#meet(fault, what);
      await this.device(delayMs);
      this.#flush();
    } else await this.#fail(seq, what, fault, store);
    this.#isWriting = false;
  }

  async #fail(seq: number, what: string, fault: WriteFault, store: () => void): Promise<void> {
    this.#meet(fault, what);
    // A failed write may have left something, which a crash then decides about.
    if (fault === 'done but not told' || this.stage.draws.oneIn(2)) store();
    if (fault === 'never done' || fault === 'done but not told') {
      this.#stalledAtMs = this.stage.time.elapsedMs() + FLUSH_STALL_MS + FLUSH_STALL_GRACE_MS;
      await this.device(this.stage.draws.below(WRITE_MS.fast));
      if (fault === 'done but not told') this.#flush();
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
