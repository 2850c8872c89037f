// Records which pages of an LMDB file are in use, to detect a page in use that LMDB considers free and would overwrite.
// It reads no file itself.
import { SEGMENT_BYTES_MAX } from '../../limits.js';
import { LmdbDamaged, wordAt } from './lmdb-meta.js';

/** Number of the first page after those of the heads. */
const FIRST_PAGE = 2;

export class PageUse {
  readonly #isUsed: Uint8Array;
  #takenCount = 0;

  /**
   * @param lastPage number of the last page of the file, used or free
   * @throws LmdbDamaged if no file is that large
   */
  constructor(lastPage: number, pageBytes: number) {
    if ((lastPage + 1) * pageBytes > SEGMENT_BYTES_MAX) throw new LmdbDamaged(`it cannot have ${lastPage} pages`);
    this.#isUsed = new Uint8Array(lastPage + 1);
  }

  /** Marks consecutive pages as used. @throws LmdbDamaged if one is used already, or beyond the last */
  take(firstNumber: number, count: number): void {
    if (firstNumber < FIRST_PAGE || firstNumber > this.#isUsed.length || firstNumber + count > this.#isUsed.length) {
      throw new LmdbDamaged(`its page ${firstNumber} is beyond its end`);
    }
    for (let number = firstNumber; number < firstNumber + count; number += 1) {
      if (this.#isUsed[number] === 1) throw new LmdbDamaged(`its page ${number} would be used twice`);
      this.#isUsed[number] = 1;
    }
    this.#takenCount += count;
  }

  /** Checks that each page is used or free: the head states no other number of pages. @throws LmdbDamaged */
  requireAll(): void {
    const pageCount = this.#isUsed.length - FIRST_PAGE;
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
        if (rowLength > this.#isUsed.length) throw new LmdbDamaged('a list of its free pages is damaged');
      } else if (entry > 0) {
        this.take(entry, rowLength);
        rowLength = 1;
      }
    }
  }
}
