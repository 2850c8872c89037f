// Reads an LMDB file by plain reads of the file: without a lock, without a memory map, and without changing anything. It sees
// only what is on disk for good.
// LMDB itself must not do that beside a writer of another process: opening sets back the writer's count of transactions (it
// loses records), and a page that is missing or nonsense ends the process with a signal instead of an error.
import { closeSync, fdatasyncSync, openSync, readSync } from 'node:fs';
import { LOOKS_MAX } from './limits.js';
import { flushedHead, type Head, headsBytes, LmdbDamaged, NO_PAGE, pageBytesOf, wordAt } from './lmdb-meta.js';

/** A key of eight bytes, as a number, and its value. Keys beyond 2^53 are not exact. */
export interface LmdbEntry {
  readonly key: number;
  /** Reads the value; a large one stands in pages of its own. */
  value(): Buffer;
}

interface Page {
  readonly bytes: Buffer;
  readonly isLeaf: boolean;
  readonly count: number;
}

const PAGE_HEADER_BYTES = 24;
const NODE_HEADER_BYTES = 8;
const KEY_BYTES = 8;
const BRANCH = 1;
const LEAF = 2;
const OVERFLOW = 4;
const BIG_VALUE = 1;
const LARGEST_VALUE_BYTES = 2 ** 31 - 1;
/** No tree of LMDB is deeper. */
const DEPTH_MAX = 32;

export class LmdbFile {
  readonly #file: number;
  readonly #pageBytes: number;

  private constructor(file: number) {
    this.#file = file;
    this.#pageBytes = pageBytesOf(this.#read(0, headsBytes(0)));
    this.#head();
  }

  /** @throws Error: where there is no such file, its code is ENOENT */
  static open(path: string): LmdbFile {
    const file = openSync(path, 'r');
    try {
      return new LmdbFile(file);
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** Entries in order of keys from the given one on, as many as stand together; none at the end. @throws LmdbDamaged */
  entriesFrom(key: number): LmdbEntry[] {
    return this.#look((head) => this.#firstFrom(head, head.mainRoot, key, 1));
  }

  /** The last entry up to the given key. @throws LmdbDamaged */
  lastUpTo(key: number): LmdbEntry | undefined {
    return this.#look((head) => this.#lastUpTo(head, head.mainRoot, key, 1));
  }

  /**
   * Follows what LMDB follows when it writes: the way to the newest entry, and the tree of free pages.
   *
   * @throws LmdbDamaged
   */
  verifyWritable(): void {
    this.lastUpTo(NO_PAGE);
    this.#look((head) => this.#visitAll(head, head.freeRoot, 1));
  }

  /** Waits until what was seen is on disk: a writer flushes its pages before the head that tells of them, the head itself last. */
  flush(): void {
    try {
      fdatasyncSync(this.#file);
    } catch {
      // A file system that is read-only, or one that lets no reader ask (Windows, where a writer flushes before it tells).
    }
  }

  /** Whether nothing in it was ever on disk for good. */
  get isBlank(): boolean {
    return this.#head().transaction === 0;
  }

  close(): void {
    closeSync(this.#file);
  }

  /**
   * A writer does not know of this reader and may use pages again, but only those of the state before the last but one:
   * what was seen holds where its head still stands afterwards.
   */
  #look<T>(see: (head: Head) => T): T {
    for (let look = 1; look <= LOOKS_MAX; look += 1) {
      const head = this.#head();
      let seen: T;
      try {
        seen = see(head);
      } catch (error) {
        if (this.#isStill(head.offset, head.bytes)) throw error;
        continue;
      }
      if (this.#isStill(head.offset, head.bytes)) return seen;
    }
    throw new Error('it changes faster than it can be read');
  }

  /** The writer may change one of them while they are read. */
  #head(): Head {
    for (;;) {
      const beginning = this.#read(0, headsBytes(this.#pageBytes));
      try {
        return flushedHead(beginning, this.#pageBytes);
      } catch (error) {
        if (this.#isStill(0, beginning)) throw error;
      }
    }
  }

  #isStill(offset: number, bytes: Buffer): boolean {
    return this.#read(offset, bytes.length).equals(bytes);
  }

  #firstFrom(head: Head, number: number, key: number, depth: number): LmdbEntry[] {
    if (number === NO_PAGE) return [];
    const page = this.#page(head, number, depth);
    if (page.isLeaf) {
      const entries: LmdbEntry[] = [];
      for (let index = 0; index < page.count; index += 1) {
        if (keyAt(page, index) >= key) entries.push(this.#entry(head, page, index));
      }
      return entries;
    }
    for (let index = childOf(page, key); index < page.count; index += 1) {
      const entries = this.#firstFrom(head, childAt(page, index), key, depth + 1);
      if (entries.length > 0) return entries;
    }
    return [];
  }

  #lastUpTo(head: Head, number: number, key: number, depth: number): LmdbEntry | undefined {
    if (number === NO_PAGE) return undefined;
    const page = this.#page(head, number, depth);
    if (!page.isLeaf) {
      for (let index = childOf(page, key); index >= 0; index -= 1) {
        const entry = this.#lastUpTo(head, childAt(page, index), key, depth + 1);
        if (entry !== undefined) return entry;
      }
      return undefined;
    }
    for (let index = page.count - 1; index >= 0; index -= 1) {
      if (keyAt(page, index) <= key) return this.#entry(head, page, index);
    }
    return undefined;
  }

  #visitAll(head: Head, number: number, depth: number): void {
    if (number === NO_PAGE) return;
    const page = this.#page(head, number, depth);
    for (let index = 0; index < page.count; index += 1) {
      if (page.isLeaf) this.#entry(head, page, index).value();
      else this.#visitAll(head, childAt(page, index), depth + 1);
    }
  }

  #page(head: Head, number: number, depth: number): Page {
    if (depth > DEPTH_MAX) throw new LmdbDamaged(`page ${number} is damaged: it leads back to itself`);
    const bytes = this.#pagesAt(head, number, this.#pageBytes);
    const flags = bytes.readUInt16LE(18);
    const lower = bytes.readUInt16LE(20);
    const upper = bytes.readUInt16LE(22);
    const page = { bytes, isLeaf: flags === LEAF, count: lower >> 1 };
    const isSound =
      (flags === LEAF || flags === BRANCH) &&
      lower >= 2 &&
      (lower & 1) === 0 &&
      lower <= upper &&
      upper + nodesBytes(page) === bytes.length - PAGE_HEADER_BYTES;
    if (!isSound) throw new LmdbDamaged(`page ${number} is damaged`);
    return page;
  }

  #entry(head: Head, page: Page, index: number): LmdbEntry {
    const { bytes } = page;
    const node = nodeAt(page, index);
    const at = node + NODE_HEADER_BYTES + KEY_BYTES;
    const length = bytes.readUInt32LE(node);
    const isBig = (bytes.readUInt16LE(node + 4) & BIG_VALUE) !== 0;
    const value = isBig ? () => this.#bigValue(head, wordAt(bytes, at), length) : () => bytes.subarray(at, at + length);
    return { key: keyAt(page, index), value };
  }

  /** Pages of a large value are written once, and stay until it is removed. */
  #bigValue(head: Head, number: number, length: number): Buffer {
    const bytes = this.#pagesAt(head, number, PAGE_HEADER_BYTES + length);
    const pageCount = Math.ceil(bytes.length / this.#pageBytes);
    const isSound = bytes.readUInt16LE(18) === OVERFLOW && bytes.readUInt32LE(20) === pageCount;
    if (!isSound) throw new LmdbDamaged(`page ${number} is damaged`);
    return bytes.subarray(PAGE_HEADER_BYTES);
  }

  /** Bytes from the beginning of a page on, which must be in use and tell its number. */
  #pagesAt(head: Head, number: number, length: number): Buffer {
    const lastNumber = number + Math.ceil(length / this.#pageBytes) - 1;
    if (number < 2 || lastNumber > head.lastPage)
      throw new LmdbDamaged(`it leads to page ${number}, which is not in use`);
    const bytes = this.#read(number * this.#pageBytes, length);
    if (bytes.length < length) throw new LmdbDamaged(`it is cut short: page ${number} is missing`);
    const isOld = wordAt(bytes, 8) <= head.transaction;
    if (wordAt(bytes, 0) !== number || !isOld) throw new LmdbDamaged(`page ${number} is damaged`);
    return bytes;
  }

  #read(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(this.#file, bytes, 0, length, offset));
  }
}

/** Bytes of all nodes of a page, which fill it up to its end; NaN where one is unsound. */
function nodesBytes(page: Page): number {
  let byteCount = 0;
  for (let index = 0; index < page.count; index += 1) byteCount += nodeBytes(page, index);
  return byteCount;
}

/** A node lies within its page; keys are of eight bytes, but that of a branch's first child may be missing. */
function nodeBytes(page: Page, index: number): number {
  const { bytes, isLeaf } = page;
  const node = nodeAt(page, index);
  if (node + NODE_HEADER_BYTES > bytes.length) return Number.NaN;
  const keyBytes = bytes.readUInt16LE(node + 6);
  if (keyBytes !== KEY_BYTES && !(keyBytes === 0 && index === 0 && !isLeaf)) return Number.NaN;
  const length = NODE_HEADER_BYTES + keyBytes + (isLeaf ? valueBytesHere(bytes, node) : 0);
  // Nodes begin at even bytes.
  return node + length > bytes.length ? Number.NaN : length + (length & 1);
}

/** Bytes of a value that stand in its leaf: all of them, or three words that tell of its pages. */
function valueBytesHere(bytes: Buffer, node: number): number {
  const flags = bytes.readUInt16LE(node + 4);
  const length = bytes.readUInt32LE(node);
  if (flags > BIG_VALUE || length > LARGEST_VALUE_BYTES) return Number.NaN;
  return flags === BIG_VALUE ? 24 : length;
}

function nodeAt({ bytes }: Page, index: number): number {
  return PAGE_HEADER_BYTES + bytes.readUInt16LE(PAGE_HEADER_BYTES + 2 * index);
}

function keyAt(page: Page, index: number): number {
  const at = nodeAt(page, index) + NODE_HEADER_BYTES;
  return page.bytes.readUInt32BE(at) * 2 ** 32 + page.bytes.readUInt32BE(at + 4);
}

/** Index of the child that holds a key. */
function childOf(page: Page, key: number): number {
  let index = page.count - 1;
  while (index > 0 && keyAt(page, index) > key) index -= 1;
  return index;
}

function childAt(page: Page, index: number): number {
  const node = nodeAt(page, index);
  return page.bytes.readUInt32LE(node) + page.bytes.readUInt16LE(node + 4) * 2 ** 32;
}
