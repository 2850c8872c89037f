// A table with a caption for screen readers and numbers that stand below each other. On a narrow screen it scrolls by itself.
import type { ComponentChildren } from 'preact';
import { Count } from './values.js';

export interface Column<Row> {
  readonly title: string;
  /** Shown above the column instead of its title. */
  readonly head?: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  /** Aligns it to the right, with digits of equal width. */
  readonly isNumber?: boolean;
  /** Leaves it out on a phone. */
  readonly isMinor?: boolean;
  /** Whether the cell names the row. It takes the width that is left. */
  readonly isHeading?: boolean;
}

/** A column of numbers. */
export function counts<Row>(title: string, numberOf: (row: Row) => number, isMinor = false): Column<Row> {
  return { title, isNumber: true, isMinor, cell: (row) => <Count value={numberOf(row)} /> };
}

interface TableProps<Row> {
  /** What the table shows; read by screen readers only. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Whether a row stands out. */
  readonly isMarked?: (row: Row) => boolean;
  /** Shown if there are no rows. */
  readonly empty?: ComponentChildren;
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, isMarked, empty = 'There is nothing here yet.' } = props;
  return (
    // The container scrolls, so it must be reachable with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the focus
    <section class="table-scroll" aria-label={caption} tabIndex={0}>
      <table class="table">
        <caption class="for-readers">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.head ?? column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={isMarked?.(row) === true ? 'is-marked' : undefined}>
              {columns.map((column) => {
                const Cell = column.isHeading === true ? 'th' : 'td';
                return (
                  <Cell key={column.title} scope={Cell === 'th' ? 'row' : undefined} class={classOf(column)}>
                    {column.cell(row)}
                  </Cell>
                );
              })}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td class="table-empty" colSpan={columns.length}>
                {empty}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

function classOf<Row>({ isNumber = false, isMinor = false, isHeading = false }: Column<Row>): string {
  return [isNumber ? 'is-number' : '', isMinor ? 'is-minor' : '', isHeading ? 'is-heading' : ''].join(' ').trim();
}
