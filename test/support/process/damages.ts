// Ways to damage a world on disk, as bad disks, incomplete copies and mistakes of operators do. Only for folders that
// no process uses.
import { cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keptLog } from './replayed-log.js';
import type { SnapshotWorld } from './snapshot-worlds.js';

/** A damaged copy of a world; `other` is one with another seed and the same history. */
export interface Patient extends SnapshotWorld {
  readonly other: SnapshotWorld;
}

export const segment = ({ folder, segmentSeqs }: SnapshotWorld, index: number): string =>
  join(folder, 'log', `log-${String(segmentSeqs.at(index)).padStart(16, '0')}`);
export const snapshot = ({ folder, snapshotSeqs }: SnapshotWorld, index: number): string =>
  join(folder, 'snapshots', snapshotName(snapshotSeqs.at(index)));
export const snapshotName = (seq = 0): string => `snapshot-${String(seq).padStart(16, '0')}`;

export const dataOf = (world: SnapshotWorld, index: number): string => join(segment(world, index), 'data.mdb');
export const rowsIn = (world: SnapshotWorld, index: number): string => join(snapshot(world, index), 'rows');
export const manifestOf = (world: SnapshotWorld): string => join(snapshot(world, -1), 'manifest.json');

/** Flips a bit of a record in every copy of its bytes, because pages are copied when they change. */
export async function flipRecord(
  { folder }: Patient,
  choose: (firstSeqs: number[]) => number | undefined,
): Promise<void> {
  const { records } = await keptLog(folder);
  const chosen = choose(records.map(({ firstSeq }) => firstSeq));
  const record = records.find(({ firstSeq }) => firstSeq === chosen);
  if (record === undefined) throw new Error(`there is no record at seq ${chosen}`);
  let count = 0;
  for (const name of await readdir(join(folder, 'log'))) {
    const path = join(folder, 'log', name, 'data.mdb');
    const bytes = await readFile(path);
    for (let at = bytes.indexOf(record.bytes); at >= 0; at = bytes.indexOf(record.bytes, at)) {
      const last = at + record.bytes.length - 1;
      bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last);
      count += 1;
    }
    await writeFile(path, bytes);
  }
  if (count === 0) throw new Error(`the record at seq ${chosen} was not found in any file`);
}

export async function flipMiddle(path: string): Promise<void> {
  const bytes = await readFile(path);
  const at = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
  await writeFile(path, bytes);
}

export async function cutToHalf(path: string): Promise<void> {
  await truncate(path, Math.floor((await readFile(path)).length / 2));
}

/**
 * Keeps only the first two pages of a segment's file and a part of the third. Half of the file might still contain all
 * used pages.
 */
export async function cutBehindHeads(path: string): Promise<void> {
  const pageBytes = (await readFile(path)).readUInt32LE(48);
  await truncate(path, 2 * pageBytes + pageBytes / 2);
}

export async function overwrite(path: string, byte: number): Promise<void> {
  await writeFile(path, Buffer.alloc((await readFile(path)).length, byte));
}

export async function emptied(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
}

export async function copyOver(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
}

/** Replaces a path by the same path of the other world. */
export async function graft(place: typeof segment, patient: Patient, index: number): Promise<void> {
  await copyOver(place(patient.other, index), place(patient, index));
}

/** Changes the key of a record of a segment, in every copy of its page. */
export async function changeKey(
  patient: Patient,
  index: number,
  choose: (firstSeqs: number[]) => number | undefined,
  by: bigint,
): Promise<void> {
  const begin = patient.segmentSeqs.at(index) ?? 0;
  const { records } = await keptLog(patient.folder);
  const seqs = records.map(({ firstSeq }) => firstSeq).filter((firstSeq) => firstSeq >= begin);
  const chosen = BigInt(choose(seqs) ?? 0);
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(chosen);
  const path = dataOf(patient, index);
  const bytes = await readFile(path);
  let count = 0;
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + 1)) {
    // Its length precedes it.
    if (bytes.readUInt16LE(at - 2) !== key.length) continue;
    bytes.writeBigUInt64BE(chosen + by, at);
    count += 1;
  }
  if (count === 0) throw new Error(`the key ${chosen} was not found`);
  await writeFile(path, bytes);
}
