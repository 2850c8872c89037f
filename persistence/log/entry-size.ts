// An upper bound of an entry's size on disk, cheap enough to compute for every entry of a batch.

/** Maximum bytes of a number. */
const NUMBER_BYTES = 9;
/** Maximum bytes of a length prefix. */
const PREFIX_BYTES = 5;
/** Maximum UTF-8 bytes of a UTF-16 unit. */
const BYTES_PER_UNIT = 3;

/**
 * @param row numbers, strings, booleans, null and arrays of them
 * @returns maximum bytes of the row, including the entry's time
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
