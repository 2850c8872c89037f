// The heads of an LMDB file (data format 2, 64 bits, little-endian, as lmdb 3 writes it): which states of the tree there are,
// and which of them is on disk for good. It knows nothing of records.
import { readFileSync } from 'node:fs';

/** Where a head stands: two in the first two pages, by turns, and in the middle of the first page the last flushed one. */
const PAGE_HEADER_BYTES = 24;
const HEAD_BYTES = 144;
const MAGIC = 0xbe_ef_c0_de;
const FORMAT_VERSION = 2;
const OVERLAPPING_SYNC = 0x1000;
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
  /** Whether it was committed before it was flushed; only the third head tells then whether it ever was. */
  readonly isAhead: boolean;
  readonly bootId: number;
}

/** The three heads of a file at one moment. */
export interface Heads {
  /** What a writer goes on from: the newest, or after a power cut the newest that was flushed. */
  readonly newest: Head;
  /** The newest that stands on disk for good. */
  readonly flushed: Head;
}

/** Bytes of a page, from the beginning of the file. @throws Error where it does not begin like an LMDB file of this format */
export function pageBytesOf(beginning: Buffer): number {
  if (beginning.length < PAGE_HEADER_BYTES + HEAD_BYTES) throw new Error('it is too short for an LMDB file');
  const head = beginning.subarray(PAGE_HEADER_BYTES);
  if (head.readUInt32LE(0) !== MAGIC) throw new Error('it does not begin like an LMDB file');
  const version = head.readUInt32LE(4) & 0xffff;
  if (version !== FORMAT_VERSION) throw new Error(`it has LMDB data format ${version}, not ${FORMAT_VERSION}`);
  const pageBytes = head.readUInt32LE(24);
  const isSound = pageBytes >= PAGE_BYTES_MIN && pageBytes <= PAGE_BYTES_MAX && (pageBytes & (pageBytes - 1)) === 0;
  if (!isSound) throw new Error(`it tells of pages of ${pageBytes} bytes`);
  return pageBytes;
}

/** Bytes from the beginning of the file that hold all heads. */
export function headsBytes(pageBytes: number): number {
  return pageBytes + PAGE_HEADER_BYTES + HEAD_BYTES;
}

/** @throws Error where the heads contradict each other */
export function readHeads(beginning: Buffer, pageBytes: number): Heads {
  if (beginning.length < headsBytes(pageBytes)) throw new Error('it is cut short within its first pages');
  const even = headAt(beginning, PAGE_HEADER_BYTES, pageBytes);
  const odd = headAt(beginning, pageBytes + PAGE_HEADER_BYTES, pageBytes);
  const third = headAt(beginning, pageBytes / 2 + PAGE_HEADER_BYTES);
  const latest = odd.transaction > even.transaction ? odd : even;
  const isSound =
    even.transaction % 2 === 0 &&
    (odd.transaction % 2 === 1 || odd.transaction === 0) &&
    Math.abs(even.transaction - odd.transaction) <= 1 &&
    third.transaction <= latest.transaction;
  if (!isSound) throw new Error('its heads contradict each other');
  const flushed = [even, odd]
    .filter(({ isAhead }) => !isAhead)
    .reduce((best, head) => (head.transaction >= best.transaction ? head : best), third);
  const isAtHome = BOOT_ID === undefined || latest.bootId === BOOT_ID;
  return { newest: latest.isAhead && !isAtHome ? flushed : latest, flushed };
}

function headAt(beginning: Buffer, offset: number, pageBytes?: number): Head {
  const bytes = Buffer.from(beginning.subarray(offset, offset + HEAD_BYTES));
  // The third head is written without these.
  if (pageBytes !== undefined && (bytes.readUInt32LE(0) !== MAGIC || bytes.readUInt32LE(24) !== pageBytes)) {
    throw new Error('one of its heads is damaged');
  }
  const transaction = wordAt(bytes, 128);
  return {
    offset,
    bytes,
    transaction,
    isAhead: (bytes.readUInt16LE(28) & OVERLAPPING_SYNC) !== 0,
    freeRoot: transaction === 0 ? NO_PAGE : wordAt(bytes, 64),
    mainRoot: transaction === 0 ? NO_PAGE : wordAt(bytes, 112),
    lastPage: wordAt(bytes, 120),
    bootId: bytes.readUInt32LE(136),
  };
}

/** Eight bytes, least significant first. */
export function wordAt(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset) + bytes.readUInt32LE(offset + 4) * 2 ** 32;
}

/** What lmdb takes for the identity of this run of the machine: a head of another run may be ahead of its pages. */
const BOOT_ID = bootId();

function bootId(): number | undefined {
  try {
    return Number.parseInt(readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8), 16);
  } catch {
    // Not Linux; lmdb judges by itself then, when it opens the file.
    return undefined;
  }
}
