// The bytes of a snapshot: chunks of rows, each in a frame that names its snapshot and its position there, and a
// manifest. docs/formats.md describes them. Bytes that are not exactly as written are never decoded.
import { crc32 } from 'node:zlib';
import { Packr } from 'msgpackr';
import type { Row } from '../../engine/rows.js';
import { SNAPSHOT_CHUNK_BYTES_MAX } from '../limits.js';
import type { SnapshotFault, SnapshotManifest } from './snapshot-store.js';

/** The newest format this program writes, and the only one it reads. */
export const SNAPSHOT_FORMAT_VERSION = 1;

/** The fields that all chunks of a snapshot share. */
export interface SnapshotIdentity {
  readonly rulesVersion: number;
  readonly seq: number;
  /** 32 hexadecimal digits: together with the seq it identifies one state of one world. */
  readonly logHash: string;
}

// The same offsets as in a log record (batch-record.ts), so that there is one frame to know.
const MAGIC = 0x67_78_79_73; // "gxys"
const CHECKSUM_AT = 4;
const CHECKED_FROM = 8;
const BODY_LENGTH_AT = 8;
const FORMAT_AT = 12;
const RULES_AT = 14;
const ROW_COUNT_AT = 16;
const SEQ_AT = 20;
const LOG_HASH_AT = 28;
const INDEX_AT = 44;
/** Bytes before the body of a chunk. */
export const CHUNK_HEADER_LENGTH = 48;

// Plain msgpack, as in the log.
const packr = new Packr({ useRecords: false, int64AsType: 'number' });

/**
 * @param index position of the chunk in its snapshot, from 0 on
 * @throws RangeError if the rows take more bytes than a chunk may have
 */
export function encodeChunk(rows: readonly Row[], index: number, identity: SnapshotIdentity): Buffer {
  const body = packr.pack(rows);
  const length = CHUNK_HEADER_LENGTH + body.length;
  if (length > SNAPSHOT_CHUNK_BYTES_MAX) {
    throw new RangeError(`a chunk would have ${length} bytes, more than the maximum of ${SNAPSHOT_CHUNK_BYTES_MAX}`);
  }
  const bytes = Buffer.allocUnsafeSlow(length);
  bytes.writeUInt32BE(MAGIC, 0);
  bytes.writeUInt32BE(body.length, BODY_LENGTH_AT);
  bytes.writeUInt16BE(SNAPSHOT_FORMAT_VERSION, FORMAT_AT);
  bytes.writeUInt16BE(identity.rulesVersion, RULES_AT);
  bytes.writeUInt32BE(rows.length, ROW_COUNT_AT);
  bytes.writeBigUInt64BE(BigInt(identity.seq), SEQ_AT);
  bytes.write(identity.logHash, LOG_HASH_AT, 'hex');
  bytes.writeUInt32BE(index, INDEX_AT);
  bytes.set(body, CHUNK_HEADER_LENGTH);
  bytes.writeUInt32BE(crc32(bytes.subarray(CHECKED_FROM)), CHECKSUM_AT);
  return bytes;
}

/** Bytes of the chunk that begins here, including its header; undefined if this is not the beginning of a chunk. */
export function chunkLengthAt(bytes: Buffer, at: number): number | undefined {
  if (bytes.readUInt32BE(at) !== MAGIC) return undefined;
  const length = CHUNK_HEADER_LENGTH + bytes.readUInt32BE(at + BODY_LENGTH_AT);
  return length > SNAPSHOT_CHUNK_BYTES_MAX ? undefined : length;
}

/**
 * Checks a chunk from the outside in and decodes it.
 *
 * @returns its rows, or the first thing that is wrong with it
 */
export function decodeChunk(stored: Uint8Array, index: number, identity: SnapshotIdentity): Row[] | SnapshotFault {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const fault = frameFault(bytes) ?? placeFault(bytes, index, identity);
  if (fault !== undefined) return fault;
  const rows = decodeRows(bytes.subarray(CHUNK_HEADER_LENGTH));
  if (rows === undefined) return 'undecodable_chunk';
  return rows.length === bytes.readUInt32BE(ROW_COUNT_AT) ? rows : 'wrong_row_count';
}

function frameFault(bytes: Buffer): SnapshotFault | undefined {
  if (bytes.length < CHUNK_HEADER_LENGTH) return 'cut_short';
  if (bytes.readUInt32BE(0) !== MAGIC) return 'wrong_magic';
  const length = chunkLengthAt(bytes, 0);
  if (length === undefined || length < bytes.length) return 'wrong_length';
  if (length > bytes.length) return 'cut_short';
  if (bytes.readUInt32BE(CHECKSUM_AT) !== crc32(bytes.subarray(CHECKED_FROM))) return 'wrong_checksum';
  return bytes.readUInt16BE(FORMAT_AT) === SNAPSHOT_FORMAT_VERSION ? undefined : 'unknown_format';
}

function placeFault(bytes: Buffer, index: number, identity: SnapshotIdentity): SnapshotFault | undefined {
  const isOwn =
    bytes.readBigUInt64BE(SEQ_AT) === BigInt(identity.seq) &&
    bytes.toString('hex', LOG_HASH_AT, INDEX_AT) === identity.logHash &&
    bytes.readUInt16BE(RULES_AT) === identity.rulesVersion;
  if (!isOwn) return 'foreign_chunk';
  return bytes.readUInt32BE(INDEX_AT) === index ? undefined : 'wrong_order';
}

/** The engine's loader checks the content of the rows. */
function decodeRows(body: Buffer): Row[] | undefined {
  try {
    const rows: unknown = packr.unpack(body);
    return Array.isArray(rows) && rows.every((row) => Array.isArray(row)) ? rows : undefined;
  } catch {
    return undefined;
  }
}

/** JSON, so that an operator can read it. The last field is a checksum of the others. */
export function encodeManifest(manifest: SnapshotManifest): Buffer {
  const { formatVersion, rulesVersion, seq, worldTimeMs, stateHash, logHash } = manifest;
  const { rowCount, chunkCount, byteCount, createdAtMs } = manifest;
  return sealed({
    ...{ formatVersion, rulesVersion, seq, worldTimeMs, stateHash, logHash },
    ...{ rowCount, chunkCount, byteCount, createdAtMs },
  });
}

/** @returns the manifest, or the first thing that is wrong with it */
export function decodeManifest(stored: Uint8Array, seq: number): SnapshotManifest | SnapshotFault {
  const fields = unsealed(Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength));
  if (fields === undefined) return 'damaged_manifest';
  if (fields['formatVersion'] !== SNAPSHOT_FORMAT_VERSION) return 'unknown_format';
  if (!isManifest(fields)) return 'wrong_manifest';
  return fields.seq === seq ? fields : 'foreign_manifest';
}

function sealed(fields: object): Buffer {
  const checksum = crc32(JSON.stringify(fields)).toString(16).padStart(8, '0');
  return Buffer.from(`${JSON.stringify({ ...fields, checksum }, null, 2)}\n`);
}

/**
 * Returns the fields in any format version, so that damage to the version is detected as damage; undefined unless every
 * byte is as written.
 */
function unsealed(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const { checksum: _, ...fields } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    return sealed(fields).equals(bytes) ? fields : undefined;
  } catch {
    return undefined;
  }
}

const HASHES: ReadonlyMap<string, RegExp> = new Map([
  ['stateHash', /^[0-9a-f]{16}$/],
  ['logHash', /^[0-9a-f]{32}$/],
]);
const NUMBERS = ['rulesVersion', 'seq', 'worldTimeMs', 'rowCount', 'chunkCount', 'byteCount', 'createdAtMs'] as const;

function isManifest(fields: object): fields is SnapshotManifest {
  const values = new Map<string, unknown>(Object.entries(fields));
  const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
  return (
    NUMBERS.every((name) => isCount(values.get(name))) &&
    [...HASHES].every(([name, pattern]) => pattern.test(String(values.get(name))))
  );
}
