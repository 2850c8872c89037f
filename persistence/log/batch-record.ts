// The bytes of one log record: a frame around the entries of one batch, chained to the previous record by its hash.
// docs/formats.md describes it. A record that is not exactly as written is never decoded.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Packr } from 'msgpackr';
import type { CommandRow } from '../../engine/commands/table.js';
import { RULES_VERSIONS } from '../../engine/rules/shipped.js';

/** The newest frame this program writes, and the only one it reads. */
const FORMAT_VERSION = 1;
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
  wrong_count: { torn: false, sentence: 'it does not hold as many entries as its header says' },
} as const satisfies Record<string, { torn: boolean; sentence: string }>;

/**
 * `torn` in the table: only the beginning of the record exists. The others have their full length, and are damaged or
 * out of place.
 */
export type RecordFault = keyof typeof RECORD_FAULTS;

// Magic, checksum and length have the same offsets in every format version, so that damage to the version is detected
// as damage.
const MAGIC = 0x67_78_79_64; // "gxyd"
const CHECKSUM_AT = 4;
const CHECKED_FROM = 8;
const BODY_LENGTH_AT = 8;
const FORMAT_AT = 12;
const RULES_AT = 14;
const COUNT_AT = 16;
const FIRST_SEQ_AT = 20;
const PREVIOUS_HASH_AT = 28;
const HASH_LENGTH = 16;
/** Bytes before the body. */
export const HEADER_LENGTH: number = PREVIOUS_HASH_AT + HASH_LENGTH;

// Plain msgpack without records or shared structures: readable in any language, and self-contained.
const packr = new Packr({ useRecords: false, int64AsType: 'number' });

/** @throws Error if an entry holds anything but numbers, strings, booleans, null and arrays of them */
export function encodeRecord(record: BatchRecord): Buffer {
  const body = packr.pack(record.entries);
  const bytes = Buffer.allocUnsafeSlow(HEADER_LENGTH + body.length);
  bytes.writeUInt32BE(MAGIC, 0);
  bytes.writeUInt32BE(body.length, BODY_LENGTH_AT);
  bytes.writeUInt16BE(FORMAT_VERSION, FORMAT_AT);
  bytes.writeUInt16BE(record.rulesVersion, RULES_AT);
  bytes.writeUInt32BE(record.count, COUNT_AT);
  bytes.writeBigUInt64BE(BigInt(record.firstSeq), FIRST_SEQ_AT);
  bytes.set(record.previousHash, PREVIOUS_HASH_AT);
  bytes.set(body, HEADER_LENGTH);
  bytes.writeUInt32BE(crc32(bytes.subarray(CHECKED_FROM)), CHECKSUM_AT);
  return bytes;
}

/**
 * Checks a record from the outside in and decodes it.
 *
 * @returns the record, or the first thing that is wrong with it
 */
export function decodeRecord(stored: Uint8Array, place: RecordPlace): BatchRecord | RecordFault {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const fault = frameFault(bytes) ?? placeFault(bytes, place);
  if (fault !== undefined) return fault;
  const count = bytes.readUInt32BE(COUNT_AT);
  const entries = decodeEntries(bytes.subarray(HEADER_LENGTH));
  if (entries === undefined) return 'undecodable_body';
  if (count === 0 || entries.length !== 2 * count) return 'wrong_count';
  const previousHash = bytes.subarray(PREVIOUS_HASH_AT, HEADER_LENGTH);
  return { rulesVersion: bytes.readUInt16BE(RULES_AT), firstSeq: place.firstSeq, count, previousHash, entries };
}

/** Visits the entries of a decoded record in order, with their world time in milliseconds. */
export function forEachEntry(record: BatchRecord, visit: (atMs: number, row: CommandRow) => void): void {
  const { entries } = record;
  let atMs = 0;
  for (let index = 0; index < entries.length; index += 2) {
    // Numbers and rows alternate: Batch writes them so, and decodeEntries has checked it.
    atMs += entries[index] as number;
    visit(atMs, entries[index + 1] as CommandRow);
  }
}

/** The previous hash of the next record: the first 16 bytes of the SHA-256 of the whole record. */
export function recordHash(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer').subarray(0, HASH_LENGTH);
}

/** Seq of the last entry of a record; undefined if the frame is damaged. */
export function lastSeqOf(stored: Uint8Array): number | undefined {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  if (frameFault(bytes) !== undefined) return undefined;
  return Number(bytes.readBigUInt64BE(FIRST_SEQ_AT)) + bytes.readUInt32BE(COUNT_AT) - 1;
}

/** The previous hash in a record; cut short if the record is shorter than a header. */
export function previousHashOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(PREVIOUS_HASH_AT, HEADER_LENGTH);
}

function frameFault(bytes: Buffer): RecordFault | undefined {
  if (bytes.length < HEADER_LENGTH) return 'too_short';
  if (bytes.readUInt32BE(0) !== MAGIC) return 'wrong_magic';
  const missing = bytes.readUInt32BE(BODY_LENGTH_AT) - (bytes.length - HEADER_LENGTH);
  if (missing !== 0) return missing > 0 && !isWholeButForLength(bytes) ? 'cut_short' : 'wrong_length';
  if (bytes.readUInt32BE(CHECKSUM_AT) !== crc32(bytes.subarray(CHECKED_FROM))) return 'wrong_checksum';
  if (bytes.readUInt16BE(FORMAT_AT) !== FORMAT_VERSION) return 'unknown_format';
  return undefined;
}

/** Whether only the length in the header is damaged: with the true length, the checksum matches. */
function isWholeButForLength(bytes: Buffer): boolean {
  const mended = Buffer.from(bytes.subarray(CHECKED_FROM));
  mended.writeUInt32BE(bytes.length - HEADER_LENGTH, BODY_LENGTH_AT - CHECKED_FROM);
  return bytes.readUInt32BE(CHECKSUM_AT) === crc32(mended);
}

function placeFault(bytes: Buffer, place: RecordPlace): RecordFault | undefined {
  if (bytes.readBigUInt64BE(FIRST_SEQ_AT) !== BigInt(place.firstSeq)) return 'wrong_first_seq';
  const previousHash = bytes.subarray(PREVIOUS_HASH_AT, HEADER_LENGTH);
  if (!previousHash.equals(place.previousHash)) return 'wrong_previous_hash';
  if (!(place.rulesVersions ?? RULES_VERSIONS).has(bytes.readUInt16BE(RULES_AT))) return 'unknown_rules';
  return undefined;
}

function decodeEntries(body: Buffer): EntryList | undefined {
  let decoded: unknown;
  try {
    decoded = packr.unpack(body);
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
