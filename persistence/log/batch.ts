// The entries that will become one log record, and the replies that wait for it.
import type { CommandRow } from '../../engine/commands/table.js';
import { MAX_BATCH_BYTES, MAX_BATCH_ENTRIES, TOGETHER_BYTES_MAX, TOGETHER_ENTRIES_MAX } from '../limits.js';
import { PackedList } from '../packed-list.js';
import { encodeRecord } from './batch-record.js';

/** Waits for the disk. An object rather than a callback, so that waiting needs no closure. */
export interface DurabilityWaiter {
  /** The awaited entry is durable. Must not throw. */
  durable(): void;
}

/** What a batch held when a unit began. */
interface UnitStart {
  readonly count: number;
  readonly bytesBound: number;
  readonly lastAtMs: number;
  readonly waiterCount: number;
  readonly receiverCount: number;
}

const NOTHING = { count: 0, bytesBound: 0 } as const;

export class Batch {
  readonly firstSeq: number;
  readonly waiters: DurabilityWaiter[] = [];
  /** Receivers of the events of its entries, in order and with repeats. */
  readonly eventReceivers: number[] = [];
  /** Two elements for each entry, as in an EntryList. */
  readonly #entries = new PackedList();
  #lastAtMs = 0;
  #bytesBound = 0;
  /** Where the present unit begins; null if no unit has begun in this batch. */
  #unit: UnitStart | null = null;

  constructor(firstSeq: number) {
    this.firstSeq = firstSeq;
  }

  get count(): number {
    return this.#entries.count / 2;
  }

  get lastSeq(): number {
    return this.firstSeq + this.count - 1;
  }

  /** Whether no further command may join its unit. */
  get isUnitFull(): boolean {
    const { count, bytesBound } = this.#unit ?? NOTHING;
    return this.count - count >= TOGETHER_ENTRIES_MAX || this.#bytesBound - bytesBound >= TOGETHER_BYTES_MAX;
  }

  /** Upper bound of the bytes of the body. */
  get bytesBound(): number {
    return this.#bytesBound;
  }

  /** The entries that are added from now on belong together. */
  beginUnit(): void {
    const { count, waiters, eventReceivers } = this;
    this.#entries.mark();
    this.#unit = {
      count,
      bytesBound: this.#bytesBound,
      lastAtMs: this.#lastAtMs,
      waiterCount: waiters.length,
      receiverCount: eventReceivers.length,
    };
  }

  /**
   * Adds an entry, unless that would break a limit. The first one always fits. So does one of a unit that has the batch for itself:
   * the caller checks isUnitFull.
   *
   * @param atMs world time of the entry, not before that of the previous entry
   * @returns whether it was added
   */
  tryAdd(atMs: number, row: CommandRow): boolean {
    const bytes = this.#bytesBound + entryBytesBound(row);
    const isLimited = this.#unit?.count !== 0 && this.count > 0;
    if (isLimited && (this.count >= MAX_BATCH_ENTRIES || bytes > MAX_BATCH_BYTES)) return false;
    this.#bytesBound = bytes;
    this.#entries.addNumber(atMs - this.#lastAtMs);
    this.#entries.addList(row);
    this.#lastAtMs = atMs;
    return true;
  }

  /** The unit is complete: what is added later need not stay with it. */
  endUnit(): void {
    this.#unit = null;
  }

  /** Moves the unit, and the waiters that it has brought, into a batch of its own. */
  splitUnit(): Batch {
    const unit = this.#unit;
    if (unit === null) throw new Error('no unit has begun');
    const split = new Batch(this.firstSeq + unit.count);
    split.beginUnit();
    // Times are relative to the previous entry; the first entry of a batch has none.
    this.#entries.moveMarked(split.#entries, unit.lastAtMs);
    split.#lastAtMs = this.#lastAtMs;
    split.#bytesBound = this.#bytesBound - unit.bytesBound;
    for (const waiter of this.waiters.splice(unit.waiterCount)) split.waiters.push(waiter);
    for (const receiver of this.eventReceivers.splice(unit.receiverCount)) split.eventReceivers.push(receiver);
    this.#lastAtMs = unit.lastAtMs;
    this.#bytesBound = unit.bytesBound;
    this.#unit = null;
    return split;
  }

  /** Encodes the batch as the record after the one with the given hash. */
  encode(rulesVersion: number, previousHash: Uint8Array): Buffer {
    const { firstSeq, count } = this;
    return encodeRecord({ rulesVersion, firstSeq, count, previousHash, entries: this.#entries });
  }
}

/** Maximum bytes of a number. */
const NUMBER_BYTES = 9;
/** Maximum bytes of a length prefix. */
const PREFIX_BYTES = 5;
/** Maximum UTF-8 bytes of a UTF-16 unit. */
const BYTES_PER_UNIT = 3;

/**
 * @param row numbers, strings, booleans, null and arrays of them
 * @returns maximum bytes of the row, including the entry's time
 */
export function entryBytesBound(row: readonly unknown[]): number {
  return NUMBER_BYTES + arrayBytesBound(row);
}

function arrayBytesBound(values: readonly unknown[]): number {
  let bytes = PREFIX_BYTES;
  for (const value of values) {
    if (typeof value === 'string') bytes += PREFIX_BYTES + BYTES_PER_UNIT * value.length;
    else if (Array.isArray(value)) bytes += arrayBytesBound(value);
    else bytes += NUMBER_BYTES;
  }
  return bytes;
}
