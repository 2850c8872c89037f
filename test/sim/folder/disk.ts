// The content of a simulated disk: the records of the log in their segments, and the snapshots. A crash may lose
// unflushed data, and data at rest may be damaged.
import type { Append } from '../../../persistence/log/log.js';
import type { Draws } from '../../support/process/draws.js';

export interface DiskRecord {
  /** Epoch of its writer. */
  readonly epoch: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: Uint8Array;
  /** The bytes as they were written, and as a copy elsewhere still has them. */
  readonly written: Uint8Array;
  /** Whether it survives a crash. */
  isFlushed: boolean;
}

export interface Segment {
  readonly firstSeq: number;
  records: DiskRecord[];
  isFlushed: boolean;
}

export interface DiskSnapshot {
  readonly manifest: Uint8Array | undefined;
  readonly chunks: readonly Uint8Array[];
}

/** A complete snapshot. */
interface KeptSnapshot {
  readonly written: DiskSnapshot;
  /** The time of the real machine's clock in the manifest, which is not part of the simulation. */
  readonly createdAtMs: number;
  /** Undefined if it was lost. */
  present: DiskSnapshot | undefined;
}

/** Faults of a write that reaches the disk. */
const DISK_FAULTS = ['no space', 'input/output error', 'slow', 'never done', 'done but not reported'] as const;
/** The outcome of an append that its writer does not learn, as if a connection broke. */
export const UNKNOWN_OUTCOMES = ['unknown: lost', 'unknown: stored', 'unknown: late'] as const;
export type UnknownKind = (typeof UNKNOWN_OUTCOMES)[number];
export const WRITE_FAULTS = [...DISK_FAULTS, ...UNKNOWN_OUTCOMES] as const;
export type WriteFault = (typeof WRITE_FAULTS)[number];

/** An append that is still on its way although its writer got an unknown outcome. It survives its writer. */
interface LateAppend {
  readonly append: Append;
  /** Instant of elapsedMs() at which it arrives. */
  readonly dueMs: number;
}

export const SNAPSHOT_DAMAGES = ['bit of a chunk', 'bit of the manifest', 'torn chunk', 'no manifest', 'lost'] as const;
export type SnapshotDamage = (typeof SNAPSHOT_DAMAGES)[number];

interface Armed {
  readonly fault: WriteFault;
  /** It affects the n-th write from now; 1 is the next. */
  inWrites: number;
}

export class Disk {
  /** Oldest first; none before the first record or cut. */
  segments: Segment[] = [];
  /** Complete ones by their seq. */
  readonly snapshots = new Map<number, KeptSnapshot>();
  /** Seqs of snapshots that were begun and neither finished nor abandoned. */
  readonly unfinished = new Set<number>();
  /** The faults that wait for a write of the log, and of snapshots. */
  readonly armed: { log: Armed | undefined; snapshots: Armed | undefined } = { log: undefined, snapshots: undefined };
  /** Whether the next read of the log fails. */
  isReadFailing = false;
  /** Whether the next cut of the log fails for lack of descriptors. */
  isCutRefused = false;
  /** The newest epoch that was acquired. */
  epoch = 0;
  late: LateAppend | undefined;
  /** How often data at rest was damaged. */
  damageCount = 0;
  readonly #flipped = new Set<DiskRecord>();
  readonly #onDurable: (append: Append) => void;

  /** @param onDurable called for each record that no crash can undo any more */
  constructor(onDurable: (append: Append) => void) {
    this.#onDurable = onDurable;
  }

  get records(): DiskRecord[] {
    return this.segments.flatMap(({ records }) => records);
  }

  get newest(): DiskRecord | undefined {
    return this.segments.findLast(({ records }) => records.length > 0)?.records.at(-1);
  }

  /** The fault of this write. */
  takeFault(of: 'log' | 'snapshots'): WriteFault | undefined {
    const armed = this.armed[of];
    if (armed === undefined) return undefined;
    armed.inWrites -= 1;
    if (armed.inWrites > 0) return undefined;
    this.armed[of] = undefined;
    return armed.fault;
  }

  /** Last seq in the log, which an append must expect. */
  get lastSeq(): number {
    return Math.max(this.newest?.lastSeq ?? 0, (this.segments.at(-1)?.firstSeq ?? 1) - 1);
  }

  /** What is wrong with an append, if anything. */
  faultOf({ epoch, expectedSeq }: Pick<Append, 'epoch' | 'expectedSeq'>): 'fenced' | 'conflict' | undefined {
    if (epoch !== this.epoch) return 'fenced';
    const isBehindNewest = expectedSeq >= (this.newest?.firstSeq ?? 0);
    return expectedSeq === this.lastSeq && isBehindNewest ? undefined : 'conflict';
  }

  /** Writes an append, where a crash may still undo it. */
  store({ epoch, expectedSeq, lastSeq, bytes }: Append): void {
    // A copy, because the process may reuse the bytes.
    const written = Uint8Array.from(bytes);
    this.#put({ epoch, firstSeq: expectedSeq + 1, lastSeq, bytes: written, written, isFlushed: false });
  }

  /** Everything that was written survives a crash from now on. */
  flush(): void {
    const { newest } = this;
    const segment = this.segments.at(-1);
    if (segment !== undefined) segment.isFlushed = true;
    if (newest === undefined || newest.isFlushed) return;
    newest.isFlushed = true;
    const { epoch, firstSeq, lastSeq, written: bytes } = newest;
    this.#onDurable({ epoch, expectedSeq: firstSeq - 1, lastSeq, bytes });
  }

  /** Lets the late append arrive, if it is due. @returns its outcome */
  receiveLate(nowMs: number): 'stored' | 'fenced' | 'conflict' | undefined {
    const { late } = this;
    if (late === undefined || nowMs < late.dueMs) return undefined;
    this.late = undefined;
    const fault = this.faultOf(late.append);
    if (fault === undefined) {
      this.store(late.append);
      this.flush();
    }
    return fault ?? 'stored';
  }

  #put(record: DiskRecord): void {
    if (this.segments.length === 0) {
      this.segments.push({ firstSeq: record.firstSeq, records: [], isFlushed: record.isFlushed });
    }
    this.segments.at(-1)?.records.push(record);
  }

  dropNewest(): void {
    this.segments.findLast(({ records }) => records.length > 0)?.records.pop();
  }

  /** The machine stops. @returns the outcome of a write of the log that was on its way */
  crash(draws: Draws): 'nothing was on its way' | 'lost' | 'torn' | 'whole' {
    const newest = this.newest;
    const newestSegment = this.segments.at(-1);
    if (newestSegment?.isFlushed === false && newestSegment.records.length === 0) {
      const isLost = draws.oneIn(2);
      if (isLost) this.segments.pop();
      newestSegment.isFlushed = true;
      return isLost ? 'lost' : 'whole';
    }
    if (newest === undefined || newest.isFlushed) return 'nothing was on its way';
    const fate = draws.pick(['lost', 'torn', 'whole'] as const);
    if (fate === 'whole') this.flush();
    else this.dropNewest();
    if (fate === 'torn') {
      const bytes = newest.bytes.subarray(0, draws.below(newest.bytes.length));
      this.#put({ ...newest, bytes, written: bytes, lastSeq: newest.firstSeq - 1, isFlushed: true });
    }
    return fate;
  }

  /** One bit of a flushed record flips. @returns the record */
  flip(draws: Draws): DiskRecord | undefined {
    const sound = this.records.filter((record) => record.isFlushed && record.bytes === record.written);
    const newest = sound.at(-1);
    if (newest === undefined || newest.bytes.length === 0) return undefined;
    // No later record contradicts the newest one.
    const record = draws.oneIn(2) ? newest : draws.pick(sound);
    const flipped = { ...record, bytes: withFlippedBit(record.bytes, draws) };
    this.#replace(record, flipped);
    this.#flipped.add(flipped);
    this.damageCount += 1;
    return flipped;
  }

  /** Damages a snapshot that is not damaged yet. @returns its seq */
  damageSnapshot(damage: SnapshotDamage, draws: Draws): number | undefined {
    const sound = this.soundSnapshotSeqs;
    if (sound.length === 0) return undefined;
    const seq = draws.pick(sound);
    const kept = this.snapshots.get(seq);
    const { manifest, chunks } = kept?.written ?? {};
    if (kept === undefined || manifest === undefined || chunks === undefined) return undefined;
    const at = draws.below(chunks.length);
    const withChunk = (change: (chunk: Uint8Array) => Uint8Array): Uint8Array[] =>
      chunks.map((chunk, index) => (index === at ? change(chunk) : chunk));
    const damaged: Record<SnapshotDamage, () => DiskSnapshot | undefined> = {
      'bit of a chunk': () => ({ manifest, chunks: withChunk((chunk) => withFlippedBit(chunk, draws)) }),
      'bit of the manifest': () => ({ manifest: withFlippedBit(manifest, draws), chunks }),
      'torn chunk': () => ({ manifest, chunks: withChunk((chunk) => chunk.subarray(0, draws.below(chunk.length))) }),
      'no manifest': () => ({ manifest: undefined, chunks }),
      lost: () => undefined,
    };
    kept.present = damaged[damage]();
    this.damageCount += 1;
    return seq;
  }

  /** Seqs of complete snapshots that are as they were written, ascending. */
  get soundSnapshotSeqs(): number[] {
    return [...this.snapshots]
      .filter(([, { written, present }]) => present === written)
      .map(([seq]) => seq)
      .sort((a, b) => a - b);
  }

  get isDamaged(): boolean {
    return this.#flippedRecords.length > 0 || this.soundSnapshotSeqs.length < this.snapshots.size;
  }

  /**
   * The seq at which recovery must refuse the disk; undefined if it must recover the world. A damaged record does not
   * matter if a sound snapshot of a later seq makes it unnecessary.
   */
  get refusalSeq(): number | undefined {
    const snapshotSeq = this.soundSnapshotSeqs.at(-1);
    if (snapshotSeq === undefined && (this.segments[0]?.firstSeq ?? 1) > 1) return 1;
    return this.#flippedRecords.find(({ lastSeq }) => lastSeq >= (snapshotSeq ?? 0))?.firstSeq;
  }

  /** The operator restores damaged data from a copy. */
  mend(): void {
    for (const record of this.#flipped) this.#replace(record, { ...record, bytes: record.written });
    this.#flipped.clear();
    const firstSeq = this.segments[0]?.firstSeq ?? 1;
    for (const [seq, kept] of this.snapshots) {
      kept.present = kept.written;
      // A lost snapshot that newer ones have made unnecessary is not restored.
      if (seq + 1 < firstSeq) this.snapshots.delete(seq);
    }
  }

  get #flippedRecords(): DiskRecord[] {
    return this.records.filter((record) => this.#flipped.has(record));
  }

  #replace(record: DiskRecord, other: DiskRecord): void {
    for (const segment of this.segments) {
      segment.records = segment.records.map((each) => (each === record ? other : each));
    }
  }
}

function withFlippedBit(sound: Uint8Array, draws: Draws): Uint8Array {
  const bytes = Uint8Array.from(sound);
  const at = draws.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << draws.below(8));
  return bytes;
}
