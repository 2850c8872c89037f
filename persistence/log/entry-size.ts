// An upper bound of what an entry takes on disk, cheap enough to be taken for every entry while a batch gathers.

/** A number at its widest. */
const NUMBER_BYTES = 9;
/** Length prefix at its widest. */
const PREFIX_BYTES = 5;
/** UTF-8 bytes of a UTF-16 unit at its widest. */
const BYTES_PER_UNIT = 3;

/**
 * @param row numbers, strings, booleans, null and arrays of them
 * @returns bytes that the row takes at most, the entry's time included
 */
export function entryBytesBound(row: readonly unknown[]): number {
  return NUMBER_BYTES + arrayBytesBound(row);
}

function arrayBytesBound(values: readonly unknown[]): number {
  let bytes = PREFIX_BYTES;
  for (const value of values) {
    if (typeof value === 'string') bytes += PREFIX_BYTES + BYTES_PER_UNIT * value.length;
    else if (Array.isArray(value)) bytes += arrayBytesBound(value);
    else bytes += NUMBER_BYTES;
  }
  return bytes;
}
