// Which pages of an LMDB file are in use, to find out whether LMDB takes one for free that is not: it would write over a
// record. It reads nothing itself.
import { LmdbDamaged, wordAt } from './lmdb-meta.js';

export class PageUse {
  readonly #isUsed: Uint8Array;

  /** @param lastPage number of the last page of the file in use */
  constructor(lastPage: number) {
    this.#isUsed = new Uint8Array(lastPage + 1);
  }

  /** Notes pages in a row as used. @throws LmdbDamaged where one is used already, or beyond the last */
  take(firstNumber: number, count: number): void {
    if (firstNumber < 2 || firstNumber > this.#isUsed.length || firstNumber + count > this.#isUsed.length) {
      throw new LmdbDamaged(`its page ${firstNumber} is beyond its end`);
    }
    for (let number = firstNumber; number < firstNumber + count; number += 1) {
      if (this.#isUsed[number] === 1) throw new LmdbDamaged(`its page ${number} would be used twice`);
      this.#isUsed[number] = 1;
    }
  }

  /**
   * Takes the pages of a list of free pages, as lmdb 3 keeps it: how many words follow; then page numbers, empty words, and
   * where pages stand in a row their count below zero in front of the first.
   *
   * @throws LmdbDamaged where it is none, or holds a page that is used or free elsewhere
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
