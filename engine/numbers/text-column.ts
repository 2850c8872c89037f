// A growing column of texts beside a table, as UTF-16 code units in large arrays, so that the collector has no string to mark. The room of a
// text is never given to another row: rows that lose their texts for good should be few.

import { NumberColumn } from './number-column.js';

const UNITS_PER_PAGE = 0x1_0000;
/** Before each text: how long a text has room there, and how long it is. */
const HEAD_UNITS = 2;
const ABSENT = 0xffff;
/** Longer texts are refused. */
const TEXT_UNITS_MAX = 0x4000;

export class TextColumn {
  readonly #pages: Uint16Array[] = [];
  /** Units of the last page that are in use. */
  #end = UNITS_PER_PAGE;
  /** By row: where the head of its text is, plus 1; 0 if it never had one. */
  readonly #places = new NumberColumn();

  /** Null if the row has no text. */
  get(row: number): string | null {
    const place = this.#placeOf(row);
    if (place < 0) return null;
    const page = this.#pageOf(place);
    const first = (place % UNITS_PER_PAGE) + HEAD_UNITS;
    const length = page[first - 1] as number;
    // apply() takes the array as it is; spreading it would iterate over it.
    return String.fromCharCode.apply(null, page.subarray(first, first + length) as unknown as number[]);
  }

  /** Whether the text of a row begins with another one; null if the row has no text. Makes no string. */
  beginsWith(row: number, beginning: string): boolean | null {
    const place = this.#placeOf(row);
    if (place < 0) return null;
    const page = this.#pageOf(place);
    const first = (place % UNITS_PER_PAGE) + HEAD_UNITS;
    if ((page[first - 1] as number) < beginning.length) return false;
    for (let index = 0; index < beginning.length; index += 1)
      if (page[first + index] !== beginning.charCodeAt(index)) return false;
    return true;
  }

  set(row: number, text: string | null): void {
    const place = this.#places.get(row) - 1;
    if (text === null) {
      if (place >= 0) this.#pageOf(place)[(place % UNITS_PER_PAGE) + 1] = ABSENT;
    } else if (place >= 0 && text.length <= (this.#pageOf(place)[place % UNITS_PER_PAGE] as number)) {
      this.#write(place, text);
    } else {
      const newPlace = this.#reserve(text.length);
      this.#write(newPlace, text);
      this.#places.set(row, newPlace + 1);
    }
  }

  /** Where the head of the text of a row is; -1 if the row has no text. */
  #placeOf(row: number): number {
    const place = this.#places.get(row) - 1;
    return place >= 0 && this.#pageOf(place)[(place % UNITS_PER_PAGE) + 1] === ABSENT ? -1 : place;
  }

  #write(place: number, text: string): void {
    const page = this.#pageOf(place);
    const head = place % UNITS_PER_PAGE;
    page[head + 1] = text.length;
    for (let index = 0; index < text.length; index += 1) page[head + HEAD_UNITS + index] = text.charCodeAt(index);
  }

  /** @returns the place of a text that may have as many units */
  #reserve(length: number): number {
    if (length > TEXT_UNITS_MAX) throw new RangeError(`a text of ${length} units is too long for a column`);
    if (this.#end + HEAD_UNITS + length > UNITS_PER_PAGE) {
      this.#pages.push(new Uint16Array(UNITS_PER_PAGE));
      this.#end = 0;
    }
    const place = (this.#pages.length - 1) * UNITS_PER_PAGE + this.#end;
    this.#pageOf(place)[this.#end] = length;
    this.#end += HEAD_UNITS + length;
    return place;
  }

  #pageOf(place: number): Uint16Array {
    return this.#pages[Math.trunc(place / UNITS_PER_PAGE)] as Uint16Array;
  }
}
