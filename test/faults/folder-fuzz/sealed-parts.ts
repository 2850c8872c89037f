// Takes the records and the snapshot of a data folder apart, lets them be changed, and writes them with checksums, hashes and counts that
// are right for what they hold now.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StateHash } from '../../../engine/rows/state-hash.js';
import { isState, type Row } from '../../../engine/rows/world-rows.js';
import {
  type BatchRecord,
  decodeRecord,
  type EntryList,
  encodeRecord,
  previousHashOf,
  recordHash,
} from '../../../persistence/log/batch-record.js';
import type { StoredRecord } from '../../../persistence/log/log.js';
import {
  decodeChunk,
  decodeManifest,
  encodeChunk,
  encodeManifest,
} from '../../../persistence/snapshots/snapshot-codec.js';
import { SnapshotFolder } from '../../../persistence/snapshots/snapshot-files.js';
import type { SnapshotManifest } from '../../../persistence/snapshots/snapshot-store.js';
import { manifestOf, rowsIn } from '../../support/process/damages.js';
import { operateOnLog } from '../../support/process/log-surgery.js';
import type { SoundFolder } from './sound-folders.js';

/** A record that is taken apart. Seqs, counts and hashes follow from the entries, except those that are set. */
export interface OpenRecord {
  readonly rulesVersion: number;
  entries: EntryList;
  set: Partial<Omit<BatchRecord, 'entries'>>;
}

/** Changes the log. If the log begins with the genesis, the snapshots go: they would be another world's. */
export async function changeRecords(
  { folder, kind }: SoundFolder,
  operate: (records: OpenRecord[]) => void,
): Promise<void> {
  if (kind === 'whole') await rm(join(folder, 'snapshots'), { recursive: true });
  await operateOnLog(folder, (stored) => {
    const [first] = stored;
    if (first === undefined) return [];
    const records = stored.map(opened);
    operate(records);
    return sealed(records, first);
  });
}

function opened({ firstSeq, bytes }: StoredRecord): OpenRecord {
  const record = decodeRecord(bytes, { firstSeq, previousHash: previousHashOf(bytes) });
  if (typeof record === 'string') throw new Error(`the record at seq ${firstSeq}: ${record}`);
  return { rulesVersion: record.rulesVersion, entries: record.entries, set: {} };
}

function sealed(records: readonly OpenRecord[], first: StoredRecord): StoredRecord[] {
  let { firstSeq } = first;
  let previousHash = previousHashOf(first.bytes);
  return records.map(({ rulesVersion, entries, set }) => {
    const count = Math.floor(entries.length / 2);
    const bytes = encodeRecord({ rulesVersion, firstSeq, count, previousHash, entries, ...set });
    const record = { firstSeq, bytes };
    firstSeq += Math.max(count, 1);
    previousHash = recordHash(bytes);
    return record;
  });
}

/** The newest snapshot, taken apart. Counts and the state hash follow from the rows, except those that are set. */
export interface OpenSnapshot {
  rows: Row[];
  /** The header of the only chunk. */
  chunk: Partial<{ index: number; rulesVersion: number; seq: number; logHash: string }>;
  manifest: Partial<SnapshotManifest>;
}

export async function readRows(world: SoundFolder): Promise<Row[]> {
  const manifest = decodeManifest(await readFile(manifestOf(world)), world.snapshotSeqs.at(-1) ?? 0);
  if (typeof manifest === 'string') throw new Error(`the manifest: ${manifest}`);
  const rows: Row[] = [];
  let index = 0;
  for await (const bytes of new SnapshotFolder(join(world.folder, 'snapshots')).chunks(manifest.seq)) {
    const chunk = decodeChunk(bytes, index, manifest);
    if (typeof chunk === 'string') throw new Error(`chunk ${index}: ${chunk}`);
    rows.push(...chunk);
    index += 1;
  }
  return rows;
}

/** Changes the newest snapshot. */
export async function changeSnapshot(world: SoundFolder, operate: (snapshot: OpenSnapshot) => void): Promise<void> {
  const manifest = JSON.parse(await readFile(manifestOf(world), 'utf8')) as SnapshotManifest;
  const snapshot: OpenSnapshot = { rows: await readRows(world), chunk: {}, manifest: {} };
  operate(snapshot);
  const { index = 0, ...identity } = snapshot.chunk;
  const bytes = encodeChunk(snapshot.rows, index, { ...manifest, ...identity });
  const counts = { rowCount: snapshot.rows.length, chunkCount: 1, byteCount: bytes.length };
  const stateHash = hashOf(snapshot.rows) ?? manifest.stateHash;
  await writeFile(rowsIn(world, -1), bytes);
  await writeFile(manifestOf(world), encodeManifest({ ...manifest, ...counts, stateHash, ...snapshot.manifest }));
}

/** Null if they hold what cannot be hashed. */
function hashOf(rows: readonly Row[]): string | null {
  const hash = new StateHash();
  try {
    for (const row of rows) if (isState(row)) hash.add(row);
    return hash.toString();
  } catch {
    return null;
  }
}
