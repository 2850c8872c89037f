// Reads an LMDB file with plain file reads: without a lock, without a memory map, and without changing anything. LMDB
// itself cannot do that beside a writer in another process: opening resets the writer's transaction counter (it loses
// records), and a missing or damaged page ends the process with a signal instead of an error.
import { closeSync, fdatasyncSync, readSync } from 'node:fs';
import { type LostFile, lostFileAt } from '../../files/disk-space.js';
import { openPlainFileSync } from '../../files/plain-file.js';
import { LOOKS_MAX, RECORD_BYTES_MAX, SEGMENT_BYTES_MAX } from '../../limits.js';
import {
  bigValuePages,
  childAt,
  childOf,
  freeKeyAt,
  type Head,
  headsBytes,
  keyAt,
  LmdbDamaged,
  NO_PAGE,
  newestHead,
  PAGE_HEADER_BYTES,
  type Page,
  PageUse,
  pageBytesOf,
  readBigValue,
  readPage,
  valueAt,
  wordAt,
} from './lmdb-format.js';

/** A key of eight bytes, as a number, and its value. Keys beyond 2^53 are not exact. */
export interface LmdbEntry {
  readonly key: number;
  /** Reads the value; a large one has its own pages. */
  value(): Buffer;
}

/** Error codes of a flush that say that bytes were not written. */
const LOSSES: ReadonlySet<unknown> = new Set(['EIO', 'ENOSPC', 'EDQUOT']);
/** LMDB's trees are never deeper. */
const DEPTH_MAX = 32;
/**
 * Pages on the way to one leaf: down to the leaf that may hold a key, and if the key is not there, down to its neighbour, which has
 * entries because no page is empty.
 */
const PAGES_PER_SEARCH_MAX = 2 * DEPTH_MAX;

export class LmdbFile {
  readonly #file: number;
  readonly #pageBytes: number;
  #isClosed = false;

  private constructor(file: number) {
    this.#file = file;
    this.#pageBytes = pageBytesOf(this.#read(0, headsBytes(0)));
    this.#head();
  }

  /** @throws UnfitFile, LmdbDamaged, or Error of the operating system: ENOENT if there is no such file */
  static open(path: string): LmdbFile {
    const file = openPlainFileSync(path, SEGMENT_BYTES_MAX);
    try {
      return new LmdbFile(file);
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /**
   * Returns entries in key order from the given key on, as many as one page holds; none at the end.
   *
   * @throws LmdbDamaged
   */
  entriesFrom(key: number): LmdbEntry[] {
    return this.#readConsistently((head) => this.#firstFrom(new Search(head), head.mainRoot, key));
  }

  /** Returns the last entry up to the given key. @throws LmdbDamaged */
  lastUpTo(key: number): LmdbEntry | undefined {
    return this.#readConsistently((head) => this.#lastUpTo(new Search(head), head.mainRoot, key));
  }

  /**
   * Walks the whole file, and checks that LMDB would not overwrite pages in use. Call it before LMDB may write. Large
   * values are not read.
   *
   * @throws LmdbDamaged
   */
  verifyWritable(): void {
    this.#readConsistently((head) => {
      const use = new PageUse(head.lastPage);
      let freeSince = 0;
      const takeAll = (isFree: boolean) => (number: number, page: Page) => {
        use.take(number, 1);
        for (let index = 0; index < page.count && page.isLeaf; index += 1) {
          const value = valueAt(page, index);
          if (!Buffer.isBuffer(value)) use.take(value.pageNumber, bigValuePages(value.length, this.#pageBytes));
          if (!isFree) continue;
          // One at a time: a file of a few pages may state gigabytes of them.
          use.takeFreeList(this.#value(head, page, index));
          // The key is the transaction since which the pages are free.
          const since = freeKeyAt(page, index);
          if (since <= freeSince || since > head.transaction) throw new LmdbDamaged(`page ${number} is damaged`);
          freeSince = since;
        }
      };
      this.#visitAll(head, head.mainRoot, 1, takeAll(false));
      this.#visitAll(head, head.freeRoot, 1, takeAll(true));
      use.requireAll();
    });
  }

  /**
   * Waits until what was read is durable: a writer flushes its pages before the head that refers to them, and the head
   * itself last.
   *
   * @throws Error of the operating system if it was not written. A file system on which a reader cannot flush is no
   *   error: one that is read-only, or that of Windows, where a writer flushes before it acknowledges
   */
  flush(): void {
    try {
      fdatasyncSync(this.#file);
    } catch (error) {
      if (error instanceof Error && 'code' in error && LOSSES.has(error.code)) throw error;
    }
  }

  /** Finds out whether the path still leads to this file. @returns null if it does, or if the file is closed */
  async lostFrom(path: string): Promise<LostFile | null> {
    if (this.#isClosed) return null;
    const lost = await lostFileAt(path, this.#file);
    // A segment is closed before it is pruned.
    return this.#isClosed ? null : lost;
  }

  close(): void {
    this.#isClosed = true;
    closeSync(this.#file);
  }

  /**
   * Reads a consistent state. A writer does not know of this reader and may reuse pages, but only those of states older
   * than the two newest: a read is valid if its head is unchanged afterwards.
   */
  #readConsistently<T>(read: (head: Head) => T): T {
    for (let attempt = 1; attempt <= LOOKS_MAX; attempt += 1) {
      const head = this.#head();
      let result: T;
      try {
        result = read(head);
      } catch (error) {
        if (this.#isUnchanged(head.offset, head.bytes)) throw error;
        continue;
      }
      if (this.#isUnchanged(head.offset, head.bytes)) return result;
    }
    throw new Error('it changes faster than it can be read');
  }

  /** Retries if the writer changes a head while they are read. */
  #head(): Head {
    for (;;) {
      const beginning = this.#read(0, headsBytes(this.#pageBytes));
      try {
        return newestHead(beginning, this.#pageBytes);
      } catch (error) {
        if (this.#isUnchanged(0, beginning)) throw error;
      }
    }
  }

  #isUnchanged(offset: number, bytes: Buffer): boolean {
    return this.#read(offset, bytes.length).equals(bytes);
  }

  #firstFrom(search: Search, number: number, key: number): LmdbEntry[] {
    if (number === NO_PAGE) return [];
    const page = this.#searched(search, number);
    if (page.isLeaf) {
      const entries: LmdbEntry[] = [];
      for (let index = 0; index < page.count; index += 1) {
        if (keyAt(page, index) >= key) entries.push(this.#entry(search.head, page, index));
      }
      return entries;
    }
    for (let index = childOf(page, key); index < page.count; index += 1) {
      const entries = this.#firstFrom(search, childAt(page, index), key);
      if (entries.length > 0) return entries;
    }
    return [];
  }

  #lastUpTo(search: Search, number: number, key: number): LmdbEntry | undefined {
    if (number === NO_PAGE) return undefined;
    const page = this.#searched(search, number);
    if (!page.isLeaf) {
      for (let index = childOf(page, key); index >= 0; index -= 1) {
        const entry = this.#lastUpTo(search, childAt(page, index), key);
        if (entry !== undefined) return entry;
      }
      return undefined;
    }
    for (let index = page.count - 1; index >= 0; index -= 1) {
      if (keyAt(page, index) <= key) return this.#entry(search.head, page, index);
    }
    return undefined;
  }

  /** @param visit must throw at a page that it has seen, so that each is visited once */
  #visitAll(head: Head, number: number, depth: number, visit: (number: number, page: Page) => void): void {
    if (number === NO_PAGE) return;
    if (depth > DEPTH_MAX) throw new LmdbDamaged(`page ${number} is damaged: it leads back to itself`);
    const page = this.#page(head, number);
    visit(number, page);
    for (let index = 0; index < page.count && !page.isLeaf; index += 1) {
      this.#visitAll(head, childAt(page, index), depth + 1, visit);
    }
  }

  /** Returns a page of a search. @throws LmdbDamaged if the search has read more pages than a sound tree needs */
  #searched(search: Search, number: number): Page {
    search.pageCount += 1;
    if (search.pageCount > PAGES_PER_SEARCH_MAX) throw new LmdbDamaged(`page ${number} is damaged: it leads nowhere`);
    return this.#page(search.head, number);
  }

  #page(head: Head, number: number): Page {
    return readPage(this.#pagesAt(head, number, this.#pageBytes), number);
  }

  #entry(head: Head, page: Page, index: number): LmdbEntry {
    return { key: keyAt(page, index), value: () => this.#value(head, page, index) };
  }

  /** Pages of a large value are written once, and remain until the value is removed. */
  #value(head: Head, page: Page, index: number): Buffer {
    const value = valueAt(page, index);
    if (Buffer.isBuffer(value)) return value;
    if (value.length > RECORD_BYTES_MAX) throw new LmdbDamaged(`its value at page ${value.pageNumber} is too long`);
    const bytes = this.#pagesAt(head, value.pageNumber, PAGE_HEADER_BYTES + value.length);
    return readBigValue(bytes, value, this.#pageBytes);
  }

  /** Bytes from the beginning of a page on. The page must be in use and have its own number in its header. */
  #pagesAt(head: Head, number: number, length: number): Buffer {
    const lastNumber = number + Math.ceil(length / this.#pageBytes) - 1;
    if (number < 2 || lastNumber > head.lastPage)
      throw new LmdbDamaged(`it refers to page ${number}, which is not in use`);
    const bytes = this.#read(number * this.#pageBytes, length);
    if (bytes.length < length) throw new LmdbDamaged(`it is cut short: page ${number} is missing`);
    const isOld = wordAt(bytes, 8) <= head.transaction;
    if (wordAt(bytes, 0) !== number || !isOld) throw new LmdbDamaged(`page ${number} is damaged`);
    return bytes;
  }

  #read(offset: number, length: number): Buffer {
    // The descriptor may belong to another file by now.
    if (this.#isClosed) throw new Error('it is closed');
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(this.#file, bytes, 0, length, offset));
  }
}

/** One search for a key in a state of the file. */
class Search {
  /** Pages that it has read. */
  pageCount = 0;

  constructor(readonly head: Head) {}
}
