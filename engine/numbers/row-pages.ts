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
  /** Rows that were taken so far, free again or not. */
  #takenCount = 0;
  /** The last one is taken next. */
  readonly #freeRows: number[] = [];

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

  /** All rows are below. */
  get end(): number {
    return this.#takenCount;
  }

  /** Returns a row for which there is room: the one that was freed last, or else the next one. A freed row still has its values. */
  take(): number {
    const row = this.#freeRows.pop() ?? this.#takenCount;
    if (row === this.#takenCount) {
      this.reserve(row);
      this.#takenCount += 1;
    }
    return row;
  }

  free(row: number): void {
    this.#freeRows.push(row);
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

  /** @param row for which there is room */
  read(row: number, column: number): number {
    return this.pageOf(row)[this.firstOf(row) + column] as number;
  }

  write(row: number, column: number, value: number): void {
    this.pageOf(row)[this.firstOf(row) + column] = value;
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

/** Instead of the first row of an empty list. */
export const NO_ROW = -1;

/**
 * Lists through rows. Each row has the rows before and after it in two columns, and the last one is followed by the first. So rows are
 * added and removed anywhere, and a list is known by its first row.
 */
export class RowLists {
  constructor(
    private readonly pages: RowPages,
    private readonly nextColumn: number,
    private readonly previousColumn: number,
  ) {}

  /** Adds a row at the end of the list that begins with `first`. @returns the first row of the list */
  append(first: number, row: number): number {
    if (first === NO_ROW) {
      this.#link(row, row);
      return row;
    }
    this.#link(this.pages.read(first, this.previousColumn), row);
    this.#link(row, first);
    return first;
  }

  /** Removes a row from the list that begins with `first`. @returns the first row of the list */
  remove(first: number, row: number): number {
    const next = this.pages.read(row, this.nextColumn);
    if (next === row) return NO_ROW;
    this.#link(this.pages.read(row, this.previousColumn), next);
    return row === first ? next : first;
  }

  /** The rows of the list that begins with `first`. */
  rows(first: number): number[] {
    const rows: number[] = [];
    if (first === NO_ROW) return rows;
    let row = first;
    do {
      rows.push(row);
      row = this.pages.read(row, this.nextColumn);
    } while (row !== first);
    return rows;
  }

  #link(row: number, next: number): void {
    this.pages.write(row, this.nextColumn, next);
    this.pages.write(next, this.previousColumn, row);
  }
}

/** A copy of neighbouring columns of a page. */
export function copyOfColumns(page: Float64Array, from: number, length: number): number[] {
  const values: number[] = [];
  for (let column = from; column < from + length; column += 1) values.push(page[column] as number);
  return values;
}
