// Tables of what was measured: kept as JSON, and printed as Markdown for a terminal and for docs/performance.md.
import type { Failures } from '../loads/load.js';

/** A pair is a range. What is not known stays blank: null, or a number that is not finite. */
export type Cell = string | number | null | readonly [lower: number, upper: number];
/** Cells, indexed by the title of their column. */
export type Row = Readonly<Record<string, Cell>>;

/** Digits that are shown of a number below a hundred. */
const DIGITS_SMALL = 3;

export class Table {
  readonly notes: string[] = [];
  readonly rows: Row[] = [];
  /** A sentence for each thing that must not be. A run that ends with one fails. */
  readonly faults: string[] = [];

  constructor(readonly name: string) {}

  /** Adds a row with the number of its failures, which are a fault. @param what names the row in a sentence */
  add(row: Row, what: string, failed: Failures): void {
    this.rows.push({ ...row, failures: failed.failures });
    this.addFaults(what, failed);
  }

  addFaults(what: string, { failures, firstFailure }: Failures): void {
    if (failures === 0) return;
    const first = firstFailure === undefined ? '' : `, the first one with: ${firstFailure}`;
    this.faults.push(`${what}: ${failures} requests failed${first}`);
  }
}

/** A Markdown table whose columns are padded, so that it also reads well as plain text. Names stand left, numbers right. */
export function tableText(rows: readonly Row[]): string {
  const head = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [head, ...rows.map((row) => head.map((title) => cellText(row[title] ?? null)))];
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const [titles, ...others] = lines.map((cells) => {
    const padded = cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    return `| ${padded.join(' | ')} |`;
  });
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`));
  return [titles, `|${rule.join('|')}|`, ...others].join('\n');
}

function cellText(cell: Cell): string {
  if (cell === null || typeof cell === 'string') return cell ?? '';
  return typeof cell === 'number' ? number(cell) : cell.map(number).join(' to ');
}

/** Three significant digits, and commas between thousands. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(DIGITS_SMALL)));
}
