// One page of a tree in an LMDB file: a branch or a leaf, with keys of eight bytes. No reference in a page is followed
// before the page is verified.
import { LmdbDamaged, wordAt } from './lmdb-meta.js';

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

export const PAGE_HEADER_BYTES = 24;
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
