// One log record: how its entries are gathered in a batch, and the frame around them, chained to the previous record by its hash.
// docs/formats.md describes it. A record that is not exactly as written is never decoded.
import { hash } from 'node:crypto';
import type { CommandRow } from '../../engine/commands/table.js';
import { WORLD_TIME_MS_MAX } from '../../engine/rules/limits.js';
import { RULES_VERSIONS } from '../../engine/rules/shipped.js';
import { asBuffer, COMMON_HEADER_LENGTH, FrameFormat, hashOf, headOf, PackedList } from '../frame.js';
import { MAX_BATCH_BYTES, MAX_BATCH_ENTRIES, TOGETHER_BYTES_MAX, TOGETHER_ENTRIES_MAX } from '../limits.js';

const FRAME = new FrameFormat(0x67_78_79_64 /* "gxyd" */, 1, COMMON_HEADER_LENGTH);
/** The previous hash of the first record. */
export const NO_PREVIOUS_HASH: Buffer = Buffer.alloc(16);

/**
 * The entries of a record, two elements each: milliseconds since the previous entry (for the first: since 1970), then
 * the command's row. One flat array needs one pack() call and no array per entry.
 */
export type EntryList = (number | CommandRow)[];

export interface BatchRecord {
  /** Rules version that was in force when the batch was applied. */
  readonly rulesVersion: number;
  /** Seq of the first entry; the others follow without a gap. */
  readonly firstSeq: number;
  /** Number of entries. */
  readonly count: number;
  /** recordHash() of the previous record. */
  readonly previousHash: Uint8Array;
  readonly entries: EntryList;
}

/** The expected position of a record, from the log and the world. */
export interface RecordPlace {
  readonly firstSeq: number;
  readonly previousHash: Uint8Array;
  /** Rules versions that can be replayed; by default those that this program knows. */
  readonly rulesVersions?: ReadonlySet<number>;
}

/** What can be wrong with a record, in the order in which it is checked. */
export const RECORD_FAULTS = {
  too_short: { torn: true, sentence: 'it is shorter than a header' },
  wrong_magic: { torn: false, sentence: 'it does not begin like a record' },
  cut_short: { torn: true, sentence: 'it is shorter than its header says' },
  wrong_length: { torn: false, sentence: 'it is not as long as its header says' },
  wrong_checksum: { torn: false, sentence: 'its checksum does not match' },
  unknown_format: { torn: false, sentence: 'its format version is not known to this program' },
  wrong_first_seq: { torn: false, sentence: 'it is not the next record' },
  wrong_previous_hash: { torn: false, sentence: 'it does not continue the record before it' },
  unknown_rules: { torn: false, sentence: 'its rules version is not known to this program' },
  undecodable_body: { torn: false, sentence: 'its entries cannot be decoded' },
  impossible_time: {
    torn: false,
    sentence: 'the world time of its entries runs backwards, or beyond the end of world time',
  },
  wrong_count: { torn: false, sentence: 'it does not hold as many entries as its header says' },
} as const satisfies Record<string, { torn: boolean; sentence: string }>;

/**
 * `torn` in the table: only the beginning of the record exists. The others have their full length, and are damaged or
 * out of place.
 */
export type RecordFault = keyof typeof RECORD_FAULTS;

const HASH_LENGTH = 16;
/** Bytes before the body. */
export const HEADER_LENGTH: number = FRAME.headerLength;

/** A record whose entries hold numbers, strings, booleans, null and arrays of them, or are packed already. */
export interface WritableRecord extends Omit<BatchRecord, 'entries'> {
  readonly entries: EntryList | PackedList;
}

export function encodeRecord({ rulesVersion, firstSeq, count, previousHash, entries }: WritableRecord): Buffer {
  return FRAME.encode({ rulesVersion, count, seq: firstSeq, hash: previousHash }, entries);
}

/**
 * Checks a record from the outside in and decodes it.
 *
 * @returns the record, or the first thing that is wrong with it
 */
export function decodeRecord(stored: Uint8Array, place: RecordPlace): BatchRecord | RecordFault {
  const bytes = asBuffer(stored);
  const fault = frameFault(bytes) ?? placeFault(bytes, place);
  if (fault !== undefined) return fault;
  const { rulesVersion, seq: firstSeq, count, hash: previousHash } = headOf(bytes);
  const entries = decodeEntries(bytes);
  if (entries === undefined) return 'undecodable_body';
  if (!isTimePossible(entries)) return 'impossible_time';
  if (count === 0 || entries.length !== 2 * count) return 'wrong_count';
  return { rulesVersion, firstSeq, count, previousHash, entries };
}

/** Yields the entries of a decoded record in order, each with its world time in milliseconds. */
export function* entriesOf({ entries }: BatchRecord): Generator<[atMs: number, row: CommandRow]> {
  let atMs = 0;
  for (let index = 0; index < entries.length; index += 2) {
    // Numbers and rows alternate: Batch writes them so, and decodeEntries has checked it.
    atMs += entries[index] as number;
    yield [atMs, entries[index + 1] as CommandRow];
  }
}

/** The previous hash of the next record: the first 16 bytes of the SHA-256 of the whole record. */
export function recordHash(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer').subarray(0, HASH_LENGTH);
}

/** Seq of the last entry of a record; undefined if the frame is damaged. */
export function lastSeqOf(stored: Uint8Array): number | undefined {
  const bytes = asBuffer(stored);
  if (frameFault(bytes) !== undefined) return undefined;
  const { seq, count } = headOf(bytes);
  return seq + count - 1;
}

/** The previous hash in a record; cut short if the record is shorter than a header. */
export const previousHashOf: (bytes: Uint8Array) => Uint8Array = hashOf;

function frameFault(bytes: Buffer): RecordFault | undefined {
  if (bytes.length < HEADER_LENGTH) return 'too_short';
  if (!FRAME.beginsAt(bytes)) return 'wrong_magic';
  const missing = FRAME.lengthAt(bytes) - bytes.length;
  if (missing !== 0) return missing > 0 && !FRAME.isWholeButForLength(bytes) ? 'cut_short' : 'wrong_length';
  if (!FRAME.isChecksumRight(bytes)) return 'wrong_checksum';
  return FRAME.isFormatKnown(bytes) ? undefined : 'unknown_format';
}

function placeFault(bytes: Buffer, place: RecordPlace): RecordFault | undefined {
  const { seq, hash, rulesVersion } = headOf(bytes);
  if (seq !== place.firstSeq) return 'wrong_first_seq';
  if (Buffer.compare(hash, place.previousHash) !== 0) return 'wrong_previous_hash';
  return (place.rulesVersions ?? RULES_VERSIONS).has(rulesVersion) ? undefined : 'unknown_rules';
}

function decodeEntries(bytes: Buffer): EntryList | undefined {
  let decoded: unknown;
  try {
    decoded = FRAME.body(bytes);
  } catch {
    return undefined;
  }
  if (!Array.isArray(decoded) || decoded.length % 2 !== 0) return undefined;
  for (let index = 0; index < decoded.length; index += 2) {
    const sinceMs: unknown = decoded[index];
    if (!Number.isSafeInteger(sinceMs) || !Array.isArray(decoded[index + 1])) return undefined;
  }
  return decoded;
}

/** Whether the world time of the entries runs forwards and ends before WORLD_TIME_MS_MAX. */
function isTimePossible(entries: EntryList): boolean {
  let atMs = 0;
  for (let index = 0; index < entries.length; index += 2) {
    const sinceMs = entries[index] as number;
    if (sinceMs < 0) return false;
    atMs += sinceMs;
  }
  return atMs <= WORLD_TIME_MS_MAX;
}

/** Waits for the disk. An object rather than a callback, so that waiting needs no closure. */
export interface DurabilityWaiter {
  /** The awaited entry is durable. Must not throw. */
  durable(): void;
}

/** The entries that will become one record, and the replies that wait for it. */
export class Batch {
  readonly firstSeq: number;
  readonly waiters: DurabilityWaiter[] = [];
  /** Receivers of the events of its entries, in order and with repeats. */
  readonly eventReceivers: number[] = [];
  /** Two elements for each entry, as in an EntryList. */
  readonly #entries = new PackedList();
  #lastAtMs = 0;
  #bytesBound = 0;
  #hasUnit = false;
  /** What it held when the present unit began. One object for all units: nearly every command begins one. */
  readonly #unitStart = { count: 0, bytesBound: 0, lastAtMs: 0, waiterCount: 0, receiverCount: 0 };

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
    const { count, bytesBound } = this.#unitStart;
    return this.count - count >= TOGETHER_ENTRIES_MAX || this.#bytesBound - bytesBound >= TOGETHER_BYTES_MAX;
  }

  /** Upper bound of the bytes of the body. */
  get bytesBound(): number {
    return this.#bytesBound;
  }

  /** The entries that are added from now on belong together. */
  beginUnit(): void {
    const start = this.#unitStart;
    this.#entries.mark();
    start.count = this.count;
    start.bytesBound = this.#bytesBound;
    start.lastAtMs = this.#lastAtMs;
    start.waiterCount = this.waiters.length;
    start.receiverCount = this.eventReceivers.length;
    this.#hasUnit = true;
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
    const isWholeUnit = this.#hasUnit && this.#unitStart.count === 0;
    const isLimited = !isWholeUnit && this.count > 0;
    if (isLimited && (this.count >= MAX_BATCH_ENTRIES || bytes > MAX_BATCH_BYTES)) return false;
    this.#bytesBound = bytes;
    this.#entries.addNumber(atMs - this.#lastAtMs);
    this.#entries.addList(row);
    this.#lastAtMs = atMs;
    return true;
  }

  /** The unit is complete: what is added later need not stay with it. */
  endUnit(): void {
    this.#hasUnit = false;
  }

  /** Moves the unit, and the waiters that it has brought, into a batch of its own. */
  splitUnit(): Batch {
    if (!this.#hasUnit) throw new Error('no unit has begun');
    const unit = this.#unitStart;
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
    this.#hasUnit = false;
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
