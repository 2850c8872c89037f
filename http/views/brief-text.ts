// Text for language models within a length: lists are cut with a count of what is left out, and each line stays one line.
import { shownText } from '../../text/foreign-text.js';

/** Joins items with commas up to a length. @returns '' for none; what does not fit is counted */
export function listed(items: readonly string[], lengthMax: number): string {
  let text = '';
  for (const [index, item] of items.entries()) {
    const next = index === 0 ? item : `${text}, ${item}`;
    if (next.length > lengthMax)
      return index === 0 ? `${items.length} left out` : `${text} and ${items.length - index} more`;
    text = next;
  }
  return text;
}

/** Lines of a document that must not exceed a length. */
export class BoundedLines {
  readonly #lines: string[] = [];
  #length = 0;

  constructor(private readonly lengthMax: number) {}

  /** Adds lines that belong together, all or none. @returns false if they do not fit */
  add(lines: readonly string[]): boolean {
    const shown = lines.map(shownText);
    const length = shown.reduce((total, line) => total + line.length + 1, 0);
    if (this.#length + length > this.lengthMax) return false;
    this.#lines.push(...shown);
    this.#length += length;
    return true;
  }

  /** Adds a short line for which the caller has kept room beyond the length. */
  addShort(line: string): void {
    this.#lines.push(shownText(line));
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}
