// How much of a world's history its store still holds: the seqs that can be restored. It reads only the two ends, and
// proves nothing about what lies between.
import { lastSeqOf } from '../log/batch-record.js';
import type { ReadableLog } from '../log/log.js';
import { logEntries } from '../recovery/log-entries.js';
import { RecoveryRefused, type ReplayEnd } from '../recovery/replay.js';
import { SnapshotDamaged, type SnapshotStore } from '../snapshots/snapshot-store.js';

export interface Coverage {
  readonly firstSeq: number;
  /** World time at that seq in milliseconds; undefined if it cannot be read. */
  readonly firstMs: number | undefined;
  /** Undefined if the newest record cannot be read. */
  readonly lastSeq: number | undefined;
  readonly lastMs: number | undefined;
}

/**
 * Returns what a log covers together with the snapshots that it continues.
 *
 * @param seqs seqs of the snapshots to consider
 * @returns null if no seq can be restored
 * @throws LogUnreadable
 */
export async function coverageOf(
  log: ReadableLog,
  snapshots: SnapshotStore,
  seqs: readonly number[],
): Promise<Coverage | null> {
  const first = beginsWithGenesis(log) ? await genesis(log) : await firstJoined(log, snapshots, seqs);
  if (first === null) return null;
  const newest = await log.last();
  if (newest === undefined) return { ...first, lastSeq: first.firstSeq, lastMs: first.firstMs };
  return { ...first, lastSeq: lastSeqOf(newest.bytes), lastMs: await timeAt(log, newest.firstSeq) };
}

/**
 * Returns the first seq that a log covers together with the snapshots that it continues. It reads no records, so the
 * log may be open for writing.
 *
 * @param seqs seqs of the snapshots to consider
 * @returns null if no seq can be restored
 */
export async function coveredFrom(
  log: LogBeginning,
  snapshots: SnapshotStore,
  seqs: readonly number[],
): Promise<number | null> {
  if (beginsWithGenesis(log)) return 1;
  return (await firstJoined(log, snapshots, seqs))?.firstSeq ?? null;
}

/** Whether a replay can end there. An instant after the last entry gives the world as of that entry. */
export function covers({ firstSeq, firstMs, lastSeq }: Coverage, { seq, atMs }: ReplayEnd): boolean {
  if (seq !== undefined && (seq < firstSeq || seq > (lastSeq ?? Number.POSITIVE_INFINITY))) return false;
  return atMs === undefined || atMs >= (firstMs ?? Number.NEGATIVE_INFINITY);
}

/** A sentence for operators, with seqs and world times. */
export function coverageSentence({ firstSeq, firstMs, lastSeq, lastMs }: Coverage): string {
  const first = `seq ${firstSeq}${timeWords(firstMs)}`;
  return lastSeq === undefined ? `${first} onwards` : `${first} to seq ${lastSeq}${timeWords(lastMs)}`;
}

type Beginning = Pick<Coverage, 'firstSeq' | 'firstMs'>;
type LogBeginning = Pick<ReadableLog, 'firstSeq'>;

function beginsWithGenesis({ firstSeq }: LogBeginning): boolean {
  return firstSeq === 1;
}

async function genesis(log: ReadableLog): Promise<Beginning> {
  return { firstSeq: 1, firstMs: await timeAt(log, 1, 1) };
}

/** The oldest snapshot that the log continues without a gap. */
async function firstJoined(
  { firstSeq: logFirstSeq }: LogBeginning,
  snapshots: SnapshotStore,
  seqs: readonly number[],
): Promise<Beginning | null> {
  for (const seq of seqs) {
    if (logFirstSeq === undefined || seq < logFirstSeq - 1) continue;
    try {
      return { firstSeq: seq, firstMs: (await snapshots.manifest(seq)).worldTimeMs };
    } catch (error) {
      if (!(error instanceof SnapshotDamaged)) throw error;
    }
  }
  return null;
}

/** World time of the last entry, or of the one with the seq `untilSeq`. */
async function timeAt(log: ReadableLog, fromSeq: number, untilSeq?: number): Promise<number | undefined> {
  let foundMs: number | undefined;
  try {
    for await (const { seq, atMs } of logEntries(log, fromSeq)) {
      foundMs = atMs;
      if (seq === untilSeq) break;
    }
  } catch (error) {
    if (!(error instanceof RecoveryRefused)) throw error;
  }
  return foundMs;
}

function timeWords(atMs: number | undefined): string {
  return atMs === undefined ? '' : ` (${new Date(atMs).toISOString()})`;
}
