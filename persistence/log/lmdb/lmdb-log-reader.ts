// The embedded log for processes that only read it: beside a running server, or without one. It creates, changes and
// locks nothing, and returns only durable records.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FOLLOW_POLL_MS, RELISTS_MAX } from '../../limits.js';
import { LogUnreadable, type ReadableLog, type StoredRecord } from '../log.js';
import { LogFollowers } from '../log-followers.js';
import { newestRecord, openSegments, recordsFrom, requireChain, segmentSeqs } from './lmdb-chain.js';
import type { LmdbSegment } from './lmdb-segment.js';

export class LmdbLogReader implements ReadableLog {
  readonly #folder: string;
  readonly #followers = new LogFollowers(FOLLOW_POLL_MS);
  #segments: LmdbSegment[] = [];
  /** Records after this seq are not read until the next refresh(). */
  #newestSeq = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws LogUnreadable */
  static async open(folder: string): Promise<LmdbLogReader> {
    const reader = new LmdbLogReader(folder);
    await reader.refresh();
    return reader;
  }

  get firstSeq(): number | undefined {
    return this.#segments[0]?.firstSeq;
  }

  async refresh(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const seqs = await this.#seqs();
      try {
        await this.#openListed(seqs);
        return;
      } catch (error) {
        // The writer may have pruned or cut between listing and opening.
        const isSame = String(await this.#seqs()) === String(seqs);
        if (isSame || attempt === RELISTS_MAX) throw error;
        await nextTurn();
      }
    }
  }

  read(fromSeq: number): AsyncGenerator<StoredRecord> {
    return recordsFrom(this.#segments, fromSeq, this.#newestSeq);
  }

  follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<StoredRecord> {
    return this.#followers.follow(this, afterSeq, signal);
  }

  async last(): Promise<StoredRecord | undefined> {
    return newestRecord(this.#segments, this.#newestSeq);
  }

  async close(): Promise<void> {
    this.#followers.close();
    for (const segment of this.#segments.splice(0)) await segment.release();
  }

  async #seqs(): Promise<number[]> {
    try {
      return await segmentSeqs(this.#folder);
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      const sentence = isMissing ? 'is missing' : `cannot be read: ${String(error)}`;
      throw new LogUnreadable(`the log ${this.#folder} ${sentence}`, { cause: error });
    }
  }

  async #openListed(seqs: readonly number[]): Promise<void> {
    const known = new Set(this.#segments.map(seqOf));
    const appeared = await openSegments(
      this.#folder,
      seqs.filter((seq) => !known.has(seq)),
    );
    const isKept = ({ firstSeq }: LmdbSegment): boolean => known.has(firstSeq) && seqs.includes(firstSeq);
    const kept = this.#segments.filter(isKept);
    const gone = this.#segments.filter((segment) => !isKept(segment));
    this.#segments = [...kept, ...appeared].sort((one, other) => one.firstSeq - other.firstSeq);
    for (const segment of gone) await segment.release();
    requireChain(this.#folder, this.#segments);
    for (const segment of this.#segments.toReversed()) {
      const newest = segment.last();
      if (newest === undefined) continue;
      if (newest.firstSeq !== this.#newestSeq) segment.flush();
      this.#newestSeq = newest.firstSeq;
      return;
    }
    this.#newestSeq = 0;
  }
}

function seqOf({ firstSeq }: LmdbSegment): number {
  return firstSeq;
}
