// A look at the first bytes of an LMDB file before LMDB takes it: on a file that is none, LMDB ends the process with a
// memory fault instead of an error. It knows no more of the format than that.
import { closeSync, openSync, readSync } from 'node:fs';

/** Stands in the first page of every LMDB file, in the byte order of its machine. */
const MAGIC = 0xbe_ef_c0_de;
/** After a page header of the second or the first version of the format. */
const MAGIC_OFFSETS = [24, 16];
const BYTES_NEEDED = 28;

/**
 * @param path of a file that LMDB is to open; missing or empty, LMDB makes it anew
 * @throws Error where it is something else than an LMDB file, or cannot be read
 */
export function requireLmdbFile(path: string): void {
  const bytes = firstBytes(path);
  if (bytes.length === 0) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isMagicAt = (offset: number): boolean =>
    bytes.length >= offset + 4 && [true, false].some((isLittle) => view.getUint32(offset, isLittle) === MAGIC);
  if (!MAGIC_OFFSETS.some(isMagicAt)) throw new Error(`${path} is damaged: it does not begin like an LMDB file`);
}

function firstBytes(path: string): Uint8Array {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Uint8Array(0);
    throw error;
  }
  try {
    const bytes = new Uint8Array(BYTES_NEEDED);
    return bytes.subarray(0, readSync(file, bytes, 0, BYTES_NEEDED, 0));
  } finally {
    closeSync(file);
  }
}
