// The bytes of a snapshot: chunks of rows, each in a frame that names its snapshot and its position there, and a
// manifest. docs/formats.md describes them. Bytes that are not exactly as written are never decoded.
import { crc32 } from 'node:zlib';
import type { Row } from '../../engine/rows/world-rows.js';
import { WORLD_TIME_MS_MAX } from '../../engine/rules/limits.js';
import { NUMBER_MAX } from '../../engine/rules/record-limits.js';
import { asBuffer, COMMON_HEADER_LENGTH, FrameFormat, headOf, ownFieldOf } from '../frame.js';
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

/** The header's own field is the position of the chunk. */
const INDEX_LENGTH = 4;
const FRAME = new FrameFormat(0x67_78_79_73 /* "gxys" */, SNAPSHOT_FORMAT_VERSION, COMMON_HEADER_LENGTH + INDEX_LENGTH);
/** Bytes before the body of a chunk. */
export const CHUNK_HEADER_LENGTH: number = FRAME.headerLength;

/**
 * @param index position of the chunk in its snapshot, from 0 on
 * @throws RangeError if the rows take more bytes than a chunk may have
 */
export function encodeChunk(rows: readonly Row[], index: number, identity: SnapshotIdentity): Buffer {
  const { rulesVersion, seq, logHash } = identity;
  const hash = Buffer.from(logHash, 'hex');
  const bytes = FRAME.encode({ rulesVersion, count: rows.length, seq, hash }, rows, index);
  if (bytes.length > SNAPSHOT_CHUNK_BYTES_MAX) {
    throw new RangeError(
      `a chunk would have ${bytes.length} bytes, more than the maximum of ${SNAPSHOT_CHUNK_BYTES_MAX}`,
    );
  }
  return bytes;
}

/** Bytes of the chunk that begins here, including its header; undefined if this is not the beginning of a chunk. */
export function chunkLengthAt(bytes: Buffer, at: number): number | undefined {
  if (!FRAME.beginsAt(bytes, at)) return undefined;
  const length = FRAME.lengthAt(bytes, at);
  return length > SNAPSHOT_CHUNK_BYTES_MAX ? undefined : length;
}

/**
 * Checks a chunk from the outside in and decodes it.
 *
 * @returns its rows, or the first thing that is wrong with it
 */
export function decodeChunk(stored: Uint8Array, index: number, identity: SnapshotIdentity): Row[] | SnapshotFault {
  const bytes = asBuffer(stored);
  const fault = frameFault(bytes) ?? placeFault(bytes, index, identity);
  if (fault !== undefined) return fault;
  const rows = decodeRows(bytes);
  if (rows === undefined) return 'undecodable_chunk';
  return rows.length === headOf(bytes).count ? rows : 'wrong_row_count';
}

/** The first thing that is wrong with the bytes of a chunk; its rows and its place are not looked at. */
export function frameFault(bytes: Buffer): SnapshotFault | undefined {
  if (bytes.length < CHUNK_HEADER_LENGTH) return 'cut_short';
  if (!FRAME.beginsAt(bytes)) return 'wrong_magic';
  const length = chunkLengthAt(bytes, 0);
  if (length === undefined || length < bytes.length) return 'wrong_length';
  if (length > bytes.length) return 'cut_short';
  if (!FRAME.isChecksumRight(bytes)) return 'wrong_checksum';
  return FRAME.isFormatKnown(bytes) ? undefined : 'unknown_format';
}

function placeFault(bytes: Buffer, index: number, identity: SnapshotIdentity): SnapshotFault | undefined {
  const { seq, hash, rulesVersion } = headOf(bytes);
  const isOwn =
    seq === identity.seq &&
    asBuffer(hash).toString('hex') === identity.logHash &&
    rulesVersion === identity.rulesVersion;
  if (!isOwn) return 'foreign_chunk';
  return ownFieldOf(bytes) === index ? undefined : 'wrong_order';
}

/** The engine's loader checks the content of the rows. */
function decodeRows(bytes: Buffer): Row[] | undefined {
  try {
    const rows = FRAME.body(bytes);
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
/** The highest value of each number: instants can be shown, and seqs can go on. */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['rulesVersion', NUMBER_MAX],
  ['seq', NUMBER_MAX],
  ['worldTimeMs', WORLD_TIME_MS_MAX],
  ['rowCount', NUMBER_MAX],
  ['chunkCount', NUMBER_MAX],
  ['byteCount', NUMBER_MAX],
  ['createdAtMs', WORLD_TIME_MS_MAX],
]);

function isManifest(fields: object): fields is SnapshotManifest {
  const values = new Map<string, unknown>(Object.entries(fields));
  const isCount = (value: unknown, highest: number): boolean =>
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= highest;
  return (
    [...NUMBERS].every(([name, highest]) => isCount(values.get(name), highest)) &&
    [...HASHES].every(([name, pattern]) => pattern.test(String(values.get(name))))
  );
}
