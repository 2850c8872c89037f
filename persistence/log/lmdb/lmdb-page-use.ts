// Records which pages of an LMDB file are in use, to detect a page in use that LMDB considers free and would overwrite.
// It reads no file itself.
import { LmdbDamaged, wordAt } from './lmdb-meta.js';

/** Number of the first page after those of the heads. */
const FIRST_PAGE = 2;

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
