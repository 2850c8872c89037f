// The segments of a log as a chain: lists them, checks that none is missing between the oldest and the newest, and reads across them.
// Each closed segment names its successor. It changes nothing.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LogUnreadable, type StoredRecord } from '../log.js';
import { firstSeqOf, LmdbSegment, segmentName } from './lmdb-segment.js';

/** First seqs of the segments in a folder, ascending. */
export async function segmentSeqs(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => firstSeqOf(name) ?? []).sort((one, other) => one - other);
}

/** Opens segments for reading; if one cannot be opened, closes those before it. @throws LogUnreadable */
export async function openSegments(folder: string, seqs: readonly number[]): Promise<LmdbSegment[]> {
  const segments: LmdbSegment[] = [];
  try {
    for (const seq of seqs) segments.push(LmdbSegment.open(folder, seq));
    return segments;
  } catch (error) {
    for (const segment of segments) await segment.release();
    throw error;
  }
}

/**
 * Checks that each segment continues the one before it.
 *
 * @returns those that are not closed although another follows: the process that created the successor died before it
 *   closed them
 * @throws LogUnreadable if one is missing, foreign, or overlaps its successor
 */
export function requireChain(folder: string, segments: readonly LmdbSegment[]): LmdbSegment[] {
  const unclosed: LmdbSegment[] = [];
  for (const [index, segment] of segments.entries()) {
    const next = segments[index + 1];
    const { successorSeq } = segment;
    requireWithin(segment, next);
    if (successorSeq === undefined) {
      if (next !== undefined) unclosed.push(segment);
    } else if (next === undefined || successorSeq < next.firstSeq) {
      const missing = join(folder, segmentName(successorSeq));
      throw new LogUnreadable(`the log segment ${missing} is missing: ${segment.path} names it as its successor`);
    } else if (successorSeq > next.firstSeq) {
      const successor = segmentName(successorSeq);
      throw new LogUnreadable(
        `the log segment ${next.path} does not belong there: ${segment.path} names ${successor} as its successor`,
      );
    }
  }
  return unclosed;
}

/**
 * Yields records of the segments from the one that holds `fromSeq` up to the one that begins at `upToSeq`.
 *
 * @throws LogUnreadable
 */
export async function* recordsFrom(
  segments: readonly LmdbSegment[],
  fromSeq: number,
  upToSeq?: number,
): AsyncGenerator<StoredRecord> {
  const holding = segments.findLastIndex(({ firstSeq }) => firstSeq <= fromSeq);
  for (const segment of segments.slice(Math.max(holding, 0))) yield* segment.read(fromSeq, upToSeq);
}

/** The newest record that begins at or before `upToSeq`. @throws LogUnreadable */
export function newestRecord(segments: readonly LmdbSegment[], upToSeq?: number): StoredRecord | undefined {
  for (const segment of segments.toReversed()) {
    const newest = segment.last(upToSeq);
    if (newest !== undefined) return newest;
  }
  return undefined;
}

function requireWithin(segment: LmdbSegment, next: LmdbSegment | undefined): void {
  const first = segment.first();
  if (first === undefined) return;
  if (first.firstSeq !== segment.firstSeq) {
    throw new LogUnreadable(`the log segment ${segment.path} begins at seq ${first.firstSeq}, not as its name says`);
  }
  const lastSeq = segment.last()?.firstSeq ?? 0;
  if (next !== undefined && lastSeq >= next.firstSeq) {
    throw new LogUnreadable(`the log segment ${segment.path} reaches to seq ${lastSeq}, beyond ${next.path}`);
  }
}
