// The heads (meta pages) of an LMDB file (data format 2, 64 bits, little-endian, as lmdb 3 writes it): which states of
// its trees exist, and which of them is the newest. It knows nothing about records.
import { SEGMENT_BYTES_MAX } from '../../limits.js';

/** Position of a head in its page: two heads alternate in the first two pages. */
const PAGE_HEADER_BYTES = 24;
const HEAD_BYTES = 144;
const MAGIC = 0xbe_ef_c0_de;
const FORMAT_VERSION = 2;
const PAGE_BYTES_AT = 24;
const FLAGS_AT = 28;
const MAIN_FLAGS_AT = 76;
const HEAD_PAGE = 8;
/** Flag of the tree of free pages: its keys are integers. */
const FREE_TREE = 8;
const PAGE_BYTES_MIN = 512;
const PAGE_BYTES_MAX = 65_536;

/** The root of an empty tree. */
export const NO_PAGE = 2 ** 64;

/** One state of the file. */
export interface Head {
  /** Offset of the head in the file, and its bytes. */
  readonly offset: number;
  readonly bytes: Buffer;
  readonly transaction: number;
  readonly freeRoot: number;
  readonly mainRoot: number;
  /** Number of the last page in use. */
  readonly lastPage: number;
}

/** The file is not as LMDB wrote it. The message is a clause about the file: "page 7 is damaged". */
export class LmdbDamaged extends Error {
  override readonly name = 'LmdbDamaged';
}

/**
 * The page size, from the beginning of the file.
 *
 * @throws LmdbDamaged if it does not begin like an LMDB file of this format
 */
export function pageBytesOf(beginning: Buffer): number {
  if (beginning.length < PAGE_HEADER_BYTES + HEAD_BYTES) throw new LmdbDamaged('it is too short for an LMDB file');
  const head = beginning.subarray(PAGE_HEADER_BYTES);
  if (head.readUInt32LE(0) !== MAGIC) throw new LmdbDamaged('it does not begin like an LMDB file');
  const version = head.readUInt32LE(4) & 0xffff;
  if (version !== FORMAT_VERSION) throw new LmdbDamaged(`it has LMDB data format ${version}, not ${FORMAT_VERSION}`);
  const pageBytes = head.readUInt32LE(PAGE_BYTES_AT);
  const isSound = pageBytes >= PAGE_BYTES_MIN && pageBytes <= PAGE_BYTES_MAX && (pageBytes & (pageBytes - 1)) === 0;
  if (!isSound) throw new LmdbDamaged(`its page size of ${pageBytes} bytes is invalid`);
  return pageBytes;
}

/** Number of bytes at the beginning of the file that hold all heads. */
export function headsBytes(pageBytes: number): number {
  return pageBytes + PAGE_HEADER_BYTES + HEAD_BYTES;
}

/**
 * Returns the newest state. LMDB flushes the pages of a state before it writes the head.
 *
 * @throws LmdbDamaged if the heads contradict each other
 */
export function newestHead(beginning: Buffer, pageBytes: number): Head {
  if (beginning.length < headsBytes(pageBytes)) throw new LmdbDamaged('it is cut short within its first pages');
  requireHeadPage(beginning, 0, pageBytes);
  requireHeadPage(beginning, 1, pageBytes);
  const even = headAt(beginning, PAGE_HEADER_BYTES);
  const odd = headAt(beginning, pageBytes + PAGE_HEADER_BYTES);
  const [latest, former] = odd.transaction > even.transaction ? [odd, even] : [even, odd];
  const isSound =
    even.transaction % 2 === 0 &&
    (odd.transaction % 2 === 1 || odd.transaction === 0) &&
    Math.abs(even.transaction - odd.transaction) <= 1 &&
    former.lastPage <= latest.lastPage &&
    latest.lastPage < SEGMENT_BYTES_MAX / pageBytes;
  if (!isSound) throw new LmdbDamaged('its heads contradict each other');
  return latest;
}

function requireHeadPage(beginning: Buffer, number: number, pageBytes: number): void {
  const page = beginning.subarray(number * pageBytes);
  const head = page.subarray(PAGE_HEADER_BYTES);
  const isSound =
    wordAt(page, 0) === number &&
    page.readUInt16LE(18) === HEAD_PAGE &&
    head.readUInt32LE(0) === MAGIC &&
    head.readUInt32LE(4) === FORMAT_VERSION &&
    head.readUInt32LE(PAGE_BYTES_AT) === pageBytes &&
    head.readUInt16LE(FLAGS_AT) === FREE_TREE &&
    head.readUInt16LE(MAIN_FLAGS_AT) === 0;
  if (!isSound) throw new LmdbDamaged(`page ${number} is damaged`);
}

function headAt(beginning: Buffer, offset: number): Head {
  const bytes = Buffer.from(beginning.subarray(offset, offset + HEAD_BYTES));
  const transaction = wordAt(bytes, 128);
  return {
    offset,
    bytes,
    transaction,
    freeRoot: transaction === 0 ? NO_PAGE : wordAt(bytes, 64),
    mainRoot: transaction === 0 ? NO_PAGE : wordAt(bytes, 112),
    lastPage: wordAt(bytes, 120),
  };
}

/** Reads eight bytes, little-endian. */
export function wordAt(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset) + bytes.readUInt32LE(offset + 4) * 2 ** 32;
}
