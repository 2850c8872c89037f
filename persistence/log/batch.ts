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

export class Batch {
  readonly firstSeq: number;
  readonly waiters: DurabilityWaiter[] = [];
  /** Receivers of the events of its entries, in order and with repeats. */
  readonly eventReceivers: number[] = [];
  /** Two elements for each entry, as in an EntryList. */
  readonly #entries = new PackedList();
  #firstAtMs = 0;
  #lastAtMs = 0;
  #bytesBound = 0;

  constructor(firstSeq: number) {
    this.firstSeq = firstSeq;
  }

  get count(): number {
    return this.#entries.count / 2;
  }

  get lastSeq(): number {
    return this.firstSeq + this.count - 1;
  }

  /** Whether no further command may join it, if it is a unit. */
  get isFullUnit(): boolean {
    return this.count >= TOGETHER_ENTRIES_MAX || this.#bytesBound >= TOGETHER_BYTES_MAX;
  }

  /** Upper bound of the bytes of the body. */
  get bytesBound(): number {
    return this.#bytesBound;
  }

  /**
   * Adds an entry, unless that would break a limit. The first one always fits.
   *
   * @param atMs world time of the entry, not before that of the previous entry
   * @param isUnit whether the whole batch must stay together: the limits do not apply then, and the caller checks
   *   isFullUnit
   * @returns whether it was added
   */
  tryAdd(atMs: number, row: CommandRow, isUnit = false): boolean {
    const bytes = this.#bytesBound + entryBytesBound(row);
    if (!isUnit && this.count > 0 && (this.count >= MAX_BATCH_ENTRIES || bytes > MAX_BATCH_BYTES)) return false;
    this.#bytesBound = bytes;
    if (this.count === 0) this.#firstAtMs = atMs;
    this.#entries.addNumber(atMs - this.#lastAtMs);
    this.#entries.addList(row);
    this.#lastAtMs = atMs;
    return true;
  }

  /**
   * Takes over all entries and waiters of the next batch, unless that would break a limit.
   *
   * @returns whether it did
   */
  tryTakeOver(next: Batch): boolean {
    const bytes = this.#bytesBound + next.#bytesBound;
    if (this.count + next.count > MAX_BATCH_ENTRIES || bytes > MAX_BATCH_BYTES) return false;
    // Times are relative to the previous entry; in its own batch the first entry had none.
    this.#entries.addNumber(next.#firstAtMs - this.#lastAtMs);
    this.#entries.addRest(next.#entries);
    for (const waiter of next.waiters) this.waiters.push(waiter);
    for (const receiver of next.eventReceivers) this.eventReceivers.push(receiver);
    this.#lastAtMs = next.#lastAtMs;
    this.#bytesBound = bytes;
    return true;
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
