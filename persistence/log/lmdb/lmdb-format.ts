// The bytes of an LMDB file (data format 2, 64 bits, little-endian, as lmdb 3 writes it): its heads (meta pages), which say which states
// of its trees exist; a page of a tree, whose keys have eight bytes; and which pages are in use. It reads no file itself, and knows
// nothing about records. No reference in a page is followed before the page is verified.
import { SEGMENT_BYTES_MAX } from '../../limits.js';

/** Also the position of a head in its page: two heads alternate in the first two pages. */
export const PAGE_HEADER_BYTES = 24;
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

const ALL_BITS = 2 ** 32 - 1;
/** The root of an empty tree: all bits are 1. */
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

/** Reads eight bytes, little-endian. @returns infinity for more than a safe integer, except for the root of an empty tree */
export function wordAt(bytes: Buffer, offset: number): number {
  const low = bytes.readUInt32LE(offset);
  const high = bytes.readUInt32LE(offset + 4);
  const word = low + high * 2 ** 32;
  if (Number.isSafeInteger(word)) return word;
  return low === ALL_BITS && high === ALL_BITS ? NO_PAGE : Number.POSITIVE_INFINITY;
}

/** A page of a tree: a branch or a leaf. */
export interface Page {
  readonly bytes: Buffer;
  readonly isLeaf: boolean;
  readonly count: number;
}

/** A value with its own pages. */
export interface BigValue {
  readonly pageNumber: number;
  readonly length: number;
}

const NODE_HEADER_BYTES = 8;
const KEY_BYTES = 8;
const BRANCH = 1;
const LEAF = 2;
const OVERFLOW = 4;
const BIG_VALUE = 1;
const LARGEST_VALUE_BYTES = 2 ** 31 - 1;

/** @throws LmdbDamaged */
export function readPage(bytes: Buffer, number: number): Page {
  const flags = bytes.readUInt16LE(18);
  const lower = bytes.readUInt16LE(20);
  const upper = bytes.readUInt16LE(22);
  const page = { bytes, isLeaf: flags === LEAF, count: lower >> 1 };
  const isSound =
    (flags === LEAF || flags === BRANCH) &&
    // LMDB removes a page that becomes empty.
    lower >= 2 &&
    (lower & 1) === 0 &&
    lower <= upper &&
    upper + nodesBytes(page) === bytes.length - PAGE_HEADER_BYTES;
  if (!isSound) throw new LmdbDamaged(`page ${number} is damaged`);
  return page;
}

/** The key, a big-endian integer. */
export function keyAt(page: Page, index: number): number {
  const at = nodeAt(page, index) + NODE_HEADER_BYTES;
  return page.bytes.readUInt32BE(at) * 2 ** 32 + page.bytes.readUInt32BE(at + 4);
}

/** The key of a free list, a little-endian integer. */
export function freeKeyAt(page: Page, index: number): number {
  return wordAt(page.bytes, nodeAt(page, index) + NODE_HEADER_BYTES);
}

/** Index of the child that holds a key. */
export function childOf(page: Page, key: number): number {
  let index = page.count - 1;
  while (index > 0 && keyAt(page, index) > key) index -= 1;
  return index;
}

/** Number of a child's page. */
export function childAt(page: Page, index: number): number {
  const node = nodeAt(page, index);
  return page.bytes.readUInt32LE(node) + page.bytes.readUInt16LE(node + 4) * 2 ** 32;
}

/** The value in a leaf, or the place of a large one. */
export function valueAt(page: Page, index: number): Buffer | BigValue {
  const { bytes } = page;
  const node = nodeAt(page, index);
  const at = node + NODE_HEADER_BYTES + KEY_BYTES;
  const length = bytes.readUInt32LE(node);
  const isBig = bytes.readUInt16LE(node + 4) === BIG_VALUE;
  return isBig ? { pageNumber: wordAt(bytes, at), length } : bytes.subarray(at, at + length);
}

/** Number of pages of a large value. */
export function bigValuePages(length: number, pageBytes: number): number {
  return Math.ceil((PAGE_HEADER_BYTES + length) / pageBytes);
}

/** The value within its pages. @throws LmdbDamaged */
export function readBigValue(bytes: Buffer, { pageNumber, length }: BigValue, pageBytes: number): Buffer {
  const isSound = bytes.readUInt16LE(18) === OVERFLOW && bytes.readUInt32LE(20) === bigValuePages(length, pageBytes);
  if (!isSound) throw new LmdbDamaged(`page ${pageNumber} is damaged`);
  return bytes.subarray(PAGE_HEADER_BYTES);
}

/** Bytes of all nodes, which fill the page up to its end; NaN if one is damaged. */
function nodesBytes(page: Page): number {
  let byteCount = 0;
  for (let index = 0; index < page.count; index += 1) byteCount += nodeBytes(page, index);
  return byteCount;
}

/** A node must lie within its page. Keys have eight bytes, but that of a branch's first child may be missing. */
function nodeBytes(page: Page, index: number): number {
  const { bytes, isLeaf } = page;
  const node = nodeAt(page, index);
  if (node + NODE_HEADER_BYTES > bytes.length) return Number.NaN;
  const keyBytes = bytes.readUInt16LE(node + 6);
  if (keyBytes !== KEY_BYTES && !(keyBytes === 0 && index === 0 && !isLeaf)) return Number.NaN;
  const length = NODE_HEADER_BYTES + keyBytes + (isLeaf ? valueBytesHere(bytes, node) : 0);
  // Nodes begin at even offsets.
  return node + length > bytes.length ? Number.NaN : length + (length & 1);
}

/** Bytes of a value in its leaf: all of them, or three words that refer to its pages. */
function valueBytesHere(bytes: Buffer, node: number): number {
  const flags = bytes.readUInt16LE(node + 4);
  const length = bytes.readUInt32LE(node);
  if (flags > BIG_VALUE || length > LARGEST_VALUE_BYTES) return Number.NaN;
  return flags === BIG_VALUE ? 24 : length;
}

function nodeAt({ bytes }: Page, index: number): number {
  return PAGE_HEADER_BYTES + bytes.readUInt16LE(PAGE_HEADER_BYTES + 2 * index);
}

/** Number of the first page after those of the heads. */
const FIRST_PAGE = 2;

/** Records which pages are in use, to detect a page in use that LMDB considers free and would overwrite. */
export class PageUse {
  /** A bit for each page. */
  readonly #used: Uint8Array;
  readonly #pageCount: number;
  #takenCount = 0;

  /** @param lastPage number of the last page of the file, used or free */
  constructor(lastPage: number) {
    this.#pageCount = lastPage + 1;
    this.#used = new Uint8Array(Math.ceil(this.#pageCount / 8));
  }

  /** Marks consecutive pages as used. @throws LmdbDamaged if one is used already, or beyond the last */
  take(firstNumber: number, count: number): void {
    if (firstNumber < FIRST_PAGE || firstNumber > this.#pageCount || firstNumber + count > this.#pageCount) {
      throw new LmdbDamaged(`its page ${firstNumber} is beyond its end`);
    }
    for (let number = firstNumber; number < firstNumber + count; number += 1) {
      const place = Math.floor(number / 8);
      const bits = this.#used[place] as number;
      const bit = 1 << (number % 8);
      if ((bits & bit) !== 0) throw new LmdbDamaged(`its page ${number} would be used twice`);
      this.#used[place] = bits | bit;
    }
    this.#takenCount += count;
  }

  /** Checks that each page is used or free: the head states no other number of pages. @throws LmdbDamaged */
  requireAll(): void {
    const pageCount = this.#pageCount - FIRST_PAGE;
    if (this.#takenCount !== pageCount) {
      throw new LmdbDamaged(`${pageCount - this.#takenCount} of its pages are neither used nor free`);
    }
  }

  /**
   * Marks the pages of a list of free pages, in the format of lmdb 3: the number of words that follow; then page
   * numbers and empty words. A run of consecutive pages is its negated length, then its first page.
   *
   * @throws LmdbDamaged if it is not such a list, or holds a page that is used or free elsewhere
   */
  takeFreeList(list: Buffer): void {
    if (list.length === 0) return;
    const wordCount = list.length >= 8 ? wordAt(list, 0) : Number.NaN;
    if (!(wordCount * 8 + 8 <= list.length)) throw new LmdbDamaged('a list of its free pages is damaged');
    let rowLength = 1;
    for (let word = 1; word <= wordCount; word += 1) {
      const entry = Number(list.readBigInt64LE(8 * word));
      if (entry < 0) {
        rowLength = -entry;
        if (rowLength > this.#pageCount) throw new LmdbDamaged('a list of its free pages is damaged');
      } else if (entry > 0) {
        this.take(entry, rowLength);
        rowLength = 1;
      }
    }
  }
}
