// Writes golden logs and snapshots, and reads them from a copy.
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Batch, NO_PREVIOUS_HASH, recordHash } from '../../../persistence/log/batch-record.js';
import { LmdbLog } from '../../../persistence/log/lmdb/lmdb-log.js';
import type { CommandLog, StoredRecord } from '../../../persistence/log/log.js';
import { SnapshotFolder } from '../../../persistence/snapshots/snapshot-files.js';
import type { SnapshotOrder } from '../../../persistence/snapshots/snapshot-writer.js';
import { writeSnapshot } from '../../../persistence/snapshots/snapshot-writer.js';
import { appendRecords, epochOf } from '../../support/log-writing.js';
import type { WorldStory } from '../../support/world-story.js';

/** Entries per record, and records per segment: several of each. */
const BATCH_ENTRIES = 7;
const SEGMENT_RECORDS = 3;
const LOG_HASH = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const CREATED_AT_MS = 1_800_000_000_000;

/** The records of a story. */
export function recordsOfStory({ entries, world }: WorldStory): StoredRecord[] {
  const records: StoredRecord[] = [];
  let previousHash: Uint8Array = NO_PREVIOUS_HASH;
  for (let first = 0; first < entries.length; first += BATCH_ENTRIES) {
    const batch = new Batch(first + 1);
    for (const { atMs, row } of entries.slice(first, first + BATCH_ENTRIES)) batch.tryAdd(atMs, row);
    const bytes = batch.encode(world.settings.rulesVersion, previousHash);
    previousHash = recordHash(bytes);
    records.push({ firstSeq: batch.firstSeq, bytes });
  }
  return records;
}

/** Replaces a golden log. */
export async function writeGoldenLog(folder: string, records: readonly StoredRecord[]): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const log = await LmdbLog.open(folder);
  for (const [index, record] of records.entries()) {
    if (index > 0 && index % SEGMENT_RECORDS === 0) await log.cut(await epochOf(log), record.firstSeq);
    await appendRecords(log, [record]);
  }
  await log.close();
  // The lock file belongs to the process that writes.
  for (const name of await readdir(folder)) await rm(join(folder, name, 'lock.mdb'));
}

/** @param copy folder that the golden log is copied to */
export async function withGoldenLog<T>(
  golden: string,
  copy: string,
  look: (log: CommandLog) => Promise<T>,
): Promise<T> {
  await cp(golden, copy, { recursive: true });
  const log = await LmdbLog.open(copy);
  try {
    return await look(log);
  } finally {
    await log.close();
  }
}

/** Writes the snapshot of a world as the golden ones are. @returns its name */
export async function writeGoldenSnapshot(folder: string, engine: SnapshotOrder['engine']): Promise<string> {
  await writeSnapshot({ engine, logHash: LOG_HASH, store: new SnapshotFolder(folder), createdAtMs: CREATED_AT_MS });
  return `snapshot-${String(engine.seq).padStart(16, '0')}`;
}
