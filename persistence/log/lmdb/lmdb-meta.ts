// The heads of an LMDB file (data format 2, 64 bits, little-endian, as lmdb 3 writes it): which states of its trees there
// are, and which of them is on disk for good. It knows nothing of records.

/** Where a head stands: two in the first two pages, by turns, and in the middle of the first page the last flushed one. */
const PAGE_HEADER_BYTES = 24;
const HEAD_BYTES = 144;
const MAGIC = 0xbe_ef_c0_de;
const FORMAT_VERSION = 2;
/** The size of a page: LMDB takes it from the head with the highest transaction, the third one included. */
const PAGE_BYTES_FROM = 24;
const PAGE_BYTES_TO = 28;
/** What a head says of its trees, its last page and its transaction. */
const STATE_FROM = 30;
const STATE_TO = 136;
const FLAGS_AT = 28;
const MAIN_FLAGS_AT = 76;
const HEAD_PAGE = 8;
/** Flag of the tree of free pages: its keys are numbers. */
const FREE_TREE = 8;
const OVERLAPPING_SYNC = 0x1000;
/** An option of the environment, kept among the flags where the file was made with it. */
const SAFE_RESTORE = 0x800;
const PAGE_BYTES_MIN = 512;
const PAGE_BYTES_MAX = 65_536;

/** The root of a tree that holds nothing. */
export const NO_PAGE = 2 ** 64;

/** One state of the file. */
export interface Head {
  /** Byte in the file at which it stands, and what stands there. */
  readonly offset: number;
  readonly bytes: Buffer;
  readonly transaction: number;
  readonly freeRoot: number;
  readonly mainRoot: number;
  /** Number of the last page in use. */
  readonly lastPage: number;
  /** Whether it was committed before it was flushed; the third head tells whether it was flushed since. */
  readonly isAhead: boolean;
}

/** The file is not what LMDB wrote. The message is a clause about the file: "page 7 is damaged". */
export class LmdbDamaged extends Error {
  override readonly name = 'LmdbDamaged';
}

/** Bytes of a page, from the beginning of the file. @throws LmdbDamaged where it does not begin like an LMDB file of this format */
export function pageBytesOf(beginning: Buffer): number {
  if (beginning.length < PAGE_HEADER_BYTES + HEAD_BYTES) throw new LmdbDamaged('it is too short for an LMDB file');
  const head = beginning.subarray(PAGE_HEADER_BYTES);
  if (head.readUInt32LE(0) !== MAGIC) throw new LmdbDamaged('it does not begin like an LMDB file');
  const version = head.readUInt32LE(4) & 0xffff;
  if (version !== FORMAT_VERSION) throw new LmdbDamaged(`it has LMDB data format ${version}, not ${FORMAT_VERSION}`);
  const pageBytes = head.readUInt32LE(PAGE_BYTES_FROM);
  const isSound = pageBytes >= PAGE_BYTES_MIN && pageBytes <= PAGE_BYTES_MAX && (pageBytes & (pageBytes - 1)) === 0;
  if (!isSound) throw new LmdbDamaged(`it tells of pages of ${pageBytes} bytes`);
  return pageBytes;
}

/** Bytes from the beginning of the file that hold all heads. */
export function headsBytes(pageBytes: number): number {
  return pageBytes + PAGE_HEADER_BYTES + HEAD_BYTES;
}

/**
 * The newest state that is on disk for good. lmdb commits before it flushes; a state ahead of that may be lost with the power.
 *
 * @throws LmdbDamaged where the heads contradict each other
 */
export function flushedHead(beginning: Buffer, pageBytes: number): Head {
  if (beginning.length < headsBytes(pageBytes)) throw new LmdbDamaged('it is cut short within its first pages');
  requireHeadPage(beginning, 0, pageBytes);
  requireHeadPage(beginning, 1, pageBytes);
  const even = headAt(beginning, PAGE_HEADER_BYTES);
  const odd = headAt(beginning, pageBytes + PAGE_HEADER_BYTES);
  const third = headAt(beginning, pageBytes / 2 + PAGE_HEADER_BYTES);
  const [latest, former] = odd.transaction > even.transaction ? [odd, even] : [even, odd];
  const isSound =
    even.transaction % 2 === 0 &&
    (odd.transaction % 2 === 1 || odd.transaction === 0) &&
    Math.abs(even.transaction - odd.transaction) <= 1 &&
    former.lastPage <= latest.lastPage &&
    (third.transaction === 0 || isSameState(third, even) || isSameState(third, odd));
  if (!isSound) throw new LmdbDamaged('its heads contradict each other');
  return [even, odd]
    .filter(({ isAhead }) => !isAhead)
    .reduce((best, head) => (head.transaction >= best.transaction ? head : best), third);
}

/** The third head repeats one of the others, but for the flag that says which is ahead, and for the run of the machine. */
function isSameState(third: Head, head: Head): boolean {
  const isSame = (from: number, to: number): boolean =>
    third.bytes.subarray(from, to).equals(head.bytes.subarray(from, to));
  return isSame(PAGE_BYTES_FROM, PAGE_BYTES_TO) && isSame(STATE_FROM, STATE_TO);
}

function requireHeadPage(beginning: Buffer, number: number, pageBytes: number): void {
  const page = beginning.subarray(number * pageBytes);
  const head = page.subarray(PAGE_HEADER_BYTES);
  const isSound =
    wordAt(page, 0) === number &&
    page.readUInt16LE(18) === HEAD_PAGE &&
    head.readUInt32LE(0) === MAGIC &&
    head.readUInt32LE(4) === FORMAT_VERSION &&
    head.readUInt32LE(PAGE_BYTES_FROM) === pageBytes &&
    (head.readUInt16LE(FLAGS_AT) & ~(OVERLAPPING_SYNC | SAFE_RESTORE)) === FREE_TREE &&
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
    isAhead: (bytes.readUInt16LE(FLAGS_AT) & OVERLAPPING_SYNC) !== 0,
    freeRoot: transaction === 0 ? NO_PAGE : wordAt(bytes, 64),
    mainRoot: transaction === 0 ? NO_PAGE : wordAt(bytes, 112),
    lastPage: wordAt(bytes, 120),
  };
}

/** Eight bytes, least significant first. */
export function wordAt(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset) + bytes.readUInt32LE(offset + 4) * 2 ** 32;
}
