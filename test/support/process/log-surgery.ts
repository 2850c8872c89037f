// Damages the log of a data folder on purpose, as bad disks and torn writes do. Only for folders that no process uses.
import { mkdtemp, rename, rm } from 'node:fs/promises';
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
