// Dense rows of numbers in pages. A table in rows costs no object for each row, so that the collector has nothing to mark, and a command
// on one of a million rows costs a few cache misses. Rows are read through views, which are made on demand and die young. All views of a
// row are equivalent: never compare them by identity. Classes of views have no common base class: V8 removes the allocation of fewer views
// then, and commands take a tenth longer in a small world.

const ROWS_PER_PAGE = 4_096;
/** Rows are padded to whole cache lines of 64 bytes. */
const COLUMNS_PER_LINE = 8;

/** Columns that keep their values when rows get wider. */
export interface KeptColumns {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

export class RowPages {
  #pages: Float64Array[] = [];
  /** Columns of one row, including the padding. */
  #columnCount = 0;

  /** Rebuilds all rows with other columns; all that are not kept become 0. Views from before the call must not be used afterwards. */
  widen(columnCount: number, kept: readonly KeptColumns[]): void {
    const before = this.#columnCount;
    this.#columnCount = Math.ceil(columnCount / COLUMNS_PER_LINE) * COLUMNS_PER_LINE;
    this.#pages = this.#pages.map((page) => {
      const wider = this.#newPage();
      for (let row = 0; row < ROWS_PER_PAGE; row += 1) {
        const source = row * before;
        const target = row * this.#columnCount;
        for (const { from, to, length } of kept) {
          wider.set(page.subarray(source + from, source + from + length), target + to);
        }
      }
      return wider;
    });
  }

  /** Makes room for the row after the last one. */
  reserve(row: number): void {
    if (row >= this.#pages.length * ROWS_PER_PAGE) this.#pages.push(this.#newPage());
  }

  /** @param row for which there is room */
  pageOf(row: number): Float64Array {
    return this.#pages[Math.trunc(row / ROWS_PER_PAGE)] as Float64Array;
  }

  /** Position of the first column of a row in its page. */
  firstOf(row: number): number {
    return (row % ROWS_PER_PAGE) * this.#columnCount;
  }

  /** Sets all columns of a row to 0. */
  clear(row: number): void {
    const first = this.firstOf(row);
    this.pageOf(row).fill(0, first, first + this.#columnCount);
  }

  #newPage(): Float64Array {
    return new Float64Array(ROWS_PER_PAGE * this.#columnCount);
  }
}

/** A copy of neighbouring columns of a page. */
export function copyOfColumns(page: Float64Array, from: number, length: number): number[] {
  const values: number[] = [];
  for (let column = from; column < from + length; column += 1) values.push(page[column] as number);
  return values;
}
