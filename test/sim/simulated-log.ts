// The log of one simulated process, on a simulated disk. It keeps the contract of a log in every way but those in which disks
// fail: it writes late, not at all, in part, or without telling.
import { lastSeqOf } from '../../persistence/batch-record.js';
import { FLUSH_STALL_GRACE_MS, FLUSH_STALL_MS } from '../../persistence/limits.js';
import { type CommandLog, LogConflict, LogWriteFailed, type StoredRecord } from '../../persistence/log.js';
import type { DiskRecord, SimulatedDisk, WriteFault } from './simulated-disk.js';
import type { Stage } from './stage.js';
import { require } from './violation.js';
import type { VirtualTurns } from './virtual-turns.js';

/** Time that a write takes. */
const WRITE_MS = { fast: 8, slow: FLUSH_STALL_MS - 1 } as const;

export class SimulatedLog implements CommandLog {
  readonly #disk: SimulatedDisk;
  readonly #turns: VirtualTurns;
  readonly #stage: Stage;
  #isWriting = false;
  /** What went wrong with a write; from then on the process has to be over. */
  #failure: Error | undefined;
  /** Instant of elapsedMs() by which the process must have ended because a write hangs. */
  #stalledAtMs = Number.POSITIVE_INFINITY;

  constructor(disk: SimulatedDisk, turns: VirtualTurns, stage: Stage) {
    this.#disk = disk;
    this.#turns = turns;
    this.#stage = stage;
  }

  /** Whether the process has a reason to end itself, by what was done to its log. */
  get isFaulty(): boolean {
    return this.#failure !== undefined || this.#stalledAtMs < Number.POSITIVE_INFINITY;
  }

  /** Whether a process that goes on now serves what may never be durable. */
  mustBeOver(nowMs: number): boolean {
    return this.#failure !== undefined || nowMs > this.#stalledAtMs;
  }

  /** The process did not run for a while, so that its alarms ring late. */
  excuse(byMs: number): void {
    this.#stalledAtMs += byMs + FLUSH_STALL_GRACE_MS;
  }

  get firstSeq(): number | undefined {
    return this.#disk.segments[0]?.firstSeq;
  }

  async append(firstSeq: number, bytes: Uint8Array): Promise<void> {
    const newest = this.#disk.newest;
    if (newest !== undefined && newest.firstSeq >= firstSeq) throw new LogConflict(firstSeq);
    const lastSeq = lastSeqOf(bytes);
    require(lastSeq !== undefined, () => `the record at seq ${firstSeq} was not sound when it was handed to the log`);
    await this.#write(firstSeq, `write ${firstSeq}..${lastSeq}`, (isFlushed) => {
      // What is at rest must not change with what the process goes on with.
      const written = Uint8Array.from(bytes);
      this.#disk.put({ firstSeq, lastSeq, bytes: written, written, isFlushed });
    });
  }

  async *read(fromSeq: number): AsyncGenerator<StoredRecord> {
    const { records } = this.#disk;
    const next = records.findIndex((record) => record.firstSeq > fromSeq);
    const after = next === -1 ? records.length : next;
    for (const { firstSeq, bytes } of records.slice(Math.max(after - 1, 0))) yield { firstSeq, bytes };
  }

  async last(): Promise<StoredRecord | undefined> {
    const newest = this.#disk.newest;
    return newest && { firstSeq: newest.firstSeq, bytes: newest.bytes };
  }

  async dropLast(firstSeq: number): Promise<void> {
    if (this.#disk.newest?.firstSeq !== firstSeq) throw new RangeError(`seq ${firstSeq} is not the newest record`);
    await this.#turns.device(1 + this.#stage.draws.below(WRITE_MS.fast));
    this.#disk.dropNewest();
    this.#stage.tell(`the torn record at seq ${firstSeq} is dropped`);
    this.#stage.count('torn records dropped');
  }

  async cut(nextSeq: number): Promise<void> {
    await this.#write(nextSeq, `cut before ${nextSeq}`, () => {
      if (this.#disk.segments.at(-1)?.firstSeq === nextSeq) return;
      this.#disk.segments.push({ firstSeq: nextSeq, records: [] });
    });
  }

  async prune(keepFromSeq: number): Promise<void> {
    const { segments } = this.#disk;
    const newestKept = segments.findLastIndex(({ firstSeq }) => firstSeq <= keepFromSeq);
    for (let left = newestKept; left > 0; left -= 1) {
      await this.#turns.device(1 + this.#stage.draws.below(WRITE_MS.fast));
      const gone = this.#disk.segments.shift();
      this.#stage.tell(`the segment that began at seq ${gone?.firstSeq} is gone`);
      this.#stage.count('segments pruned');
    }
  }

  async close(): Promise<void> {
    require(!this.#isWriting, () => 'the log was closed while it was writing');
  }

  /** @param store puts it onto the disk */
  async #write(seq: number, what: string, store: (isFlushed: boolean) => void): Promise<void> {
    require(!this.#isWriting, () => `two writes in flight: ${what}`);
    // As LMDB does, the simulated disk would take it, and leave a hole.
    require(this.#failure === undefined, () => `${what}, although a write before it failed`);
    this.#isWriting = true;
    const fault = this.#disk.takeFault();
    const newestBefore = this.#disk.newest;
    if (fault === undefined || fault === 'slow') {
      store(false);
      const delayMs = fault === undefined ? this.#stage.draws.below(WRITE_MS.fast) : WRITE_MS.slow;
      if (fault === 'slow') this.#meet(fault, what);
      await this.#turns.device(delayMs);
      this.#flush(newestBefore);
    } else await this.#fail(seq, what, fault, store, newestBefore);
    this.#isWriting = false;
  }

  async #fail(
    seq: number,
    what: string,
    fault: WriteFault,
    store: (isFlushed: boolean) => void,
    newestBefore: DiskRecord | undefined,
  ): Promise<void> {
    this.#meet(fault, what);
    // A failed write may have left something, which a crash then decides about.
    if (fault === 'done but not told' || this.#stage.draws.oneIn(2)) store(false);
    if (fault === 'never done' || fault === 'done but not told') {
      this.#stalledAtMs = this.#stage.time.elapsedMs() + FLUSH_STALL_MS + FLUSH_STALL_GRACE_MS;
      await this.#turns.device(this.#stage.draws.below(WRITE_MS.fast));
      if (fault === 'done but not told') this.#flush(newestBefore);
      await new Promise(() => {});
    }
    await this.#turns.device(this.#stage.draws.below(WRITE_MS.fast));
    const code = fault === 'no space' ? 'ENOSPC' : 'EIO';
    this.#failure = Object.assign(new Error(`${code}: ${fault}`), { code });
    throw new LogWriteFailed(seq, this.#failure);
  }

  #flush(newestBefore: DiskRecord | undefined): void {
    const newest = this.#disk.newest;
    if (newest !== undefined && newest !== newestBefore) newest.isFlushed = true;
  }

  #meet(fault: WriteFault, what: string): void {
    this.#stage.tell(`${what}: ${fault}`);
    this.#stage.count(`fault: ${fault}`);
  }
}
