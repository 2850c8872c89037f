// Damages the log of a data folder on purpose, as bad disks and torn writes do. All but rot() are only for folders that no process uses.
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LmdbLog } from '../../../persistence/log/lmdb/lmdb-log.js';
import type { StoredRecord } from '../../../persistence/log/log.js';
import { appendRecords } from '../log-writing.js';
import { storedRecords } from './replayed-log.js';

/**
 * Writes the log anew with its records changed.
 *
 * @param operate gets the records in order and returns those to write
 */
export async function operateOnLog(
  dataFolder: string,
  operate: (records: readonly StoredRecord[]) => readonly StoredRecord[],
): Promise<void> {
  const path = join(dataFolder, 'log');
  const records = operate(await storedRecords(path));
  const anew = await mkdtemp(join(dataFolder, 'log-anew-'));
  const log = await LmdbLog.open(anew);
  await appendRecords(log, records);
  await log.close();
  await rm(path, { recursive: true });
  await rename(anew, path);
}

/** The record with one bit of its last byte flipped. */
export function withFlippedBit({ firstSeq, bytes }: StoredRecord): StoredRecord {
  const flipped = Uint8Array.from(bytes);
  flipped[bytes.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
  return { firstSeq, bytes: flipped };
}

/** The record without its second half. */
export function cutShort({ firstSeq, bytes }: StoredRecord): StoredRecord {
  return { firstSeq, bytes: bytes.slice(0, bytes.length / 2) };
}

/** Changes a byte of a text in a segment, wherever it is: LMDB leaves copies of a page in its file. */
export async function rot(file: string, text: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const bytes = await handle.readFile();
    if (!bytes.includes(text)) throw new Error(`${file} does not hold ${text}`);
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
      await handle.write(Buffer.from([(bytes[at] ?? 0) ^ 1]), 0, 1, at);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
