// What a simulated disk holds when nobody runs: the records of the log in their segments, and the snapshots. What was not
// flushed is at the mercy of a crash, and bits may flip at rest.
import type { Draws } from '../support/process/draws.js';

export interface DiskRecord {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: Uint8Array;
  /** As it was written: what a copy kept elsewhere still holds. */
  readonly written: Uint8Array;
  /** Whether it outlives a crash. */
  isFlushed: boolean;
}

export interface Segment {
  readonly firstSeq: number;
  records: DiskRecord[];
}

/** What becomes of the next write that reaches the disk. */
export const WRITE_FAULTS = ['no space', 'input/output error', 'slow', 'never done', 'done but not told'] as const;
export type WriteFault = (typeof WRITE_FAULTS)[number];

export class SimulatedDisk {
  /** Oldest first; none before the first record or cut. */
  segments: Segment[] = [];
  /** Waits for the n-th write from now, 1 being the next. */
  armed: { fault: WriteFault; inWrites: number } | undefined;
  readonly #flipped = new Set<DiskRecord>();

  get records(): DiskRecord[] {
    return this.segments.flatMap(({ records }) => records);
  }

  get newest(): DiskRecord | undefined {
    return this.segments.findLast(({ records }) => records.length > 0)?.records.at(-1);
  }

  /** Seq up to which everything is flushed. */
  get flushedSeq(): number {
    const newest = this.newest;
    if (newest === undefined) return (this.segments.at(-1)?.firstSeq ?? 1) - 1;
    return newest.isFlushed ? newest.lastSeq : newest.firstSeq - 1;
  }

  /** Whether the fault that waits hits this write. */
  takeFault(): WriteFault | undefined {
    if (this.armed === undefined) return undefined;
    this.armed.inWrites -= 1;
    if (this.armed.inWrites > 0) return undefined;
    const { fault } = this.armed;
    this.armed = undefined;
    return fault;
  }

  put(record: DiskRecord): void {
    if (this.segments.length === 0) this.segments.push({ firstSeq: record.firstSeq, records: [] });
    this.segments.at(-1)?.records.push(record);
  }

  dropNewest(): void {
    this.segments.findLast(({ records }) => records.length > 0)?.records.pop();
  }

  /** The machine stops. @returns what became of a record that was on its way */
  crash(draws: Draws): 'nothing was on its way' | 'lost' | 'torn' | 'whole' {
    const newest = this.newest;
    if (newest === undefined || newest.isFlushed) return 'nothing was on its way';
    const fate = draws.pick(['lost', 'torn', 'whole'] as const);
    this.dropNewest();
    if (fate === 'lost') return fate;
    const { bytes } = newest;
    const kept = fate === 'torn' ? bytes.subarray(0, draws.below(bytes.length)) : bytes;
    this.put({ ...newest, bytes: kept, lastSeq: fate === 'torn' ? newest.firstSeq - 1 : newest.lastSeq, isFlushed: true });
    return fate;
  }

  /** One bit of a flushed record flips. @returns the record */
  flip(draws: Draws): DiskRecord | undefined {
    const sound = this.records.filter((record) => record.isFlushed && record.bytes === record.written);
    if (sound.length === 0) return undefined;
    // The newest one is the one that nothing comes after to contradict.
    const record = draws.oneIn(2) ? (sound.at(-1) as DiskRecord) : draws.pick(sound);
    const bytes = Uint8Array.from(record.bytes);
    const at = draws.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << draws.below(8));
    const flipped = { ...record, bytes };
    this.#replace(record, flipped);
    this.#flipped.add(flipped);
    return flipped;
  }

  /** Seqs of the records in which a bit has flipped, ascending. */
  get flippedSeqs(): number[] {
    const records = new Set(this.records);
    return [...this.#flipped]
      .filter((record) => records.has(record))
      .map(({ firstSeq }) => firstSeq)
      .sort((a, b) => a - b);
  }

  /** The operator puts back what was flipped, from a copy. */
  mend(): void {
    for (const record of this.#flipped) this.#replace(record, { ...record, bytes: record.written });
    this.#flipped.clear();
  }

  #replace(record: DiskRecord, other: DiskRecord): void {
    for (const segment of this.segments) {
      segment.records = segment.records.map((each) => (each === record ? other : each));
    }
  }
}
