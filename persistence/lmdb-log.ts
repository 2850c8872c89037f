// The embedded log: one LMDB environment a segment under <data>/log, one LMDB record a batch. Reading goes through all
// segments, writing to the newest alone; the others are closed and never change any more.
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { lastSeqOf } from './batch-record.js';
import { makeFolder, syncFolder } from './folder-sync.js';
import { openSegments, requireChain, segmentSeqs } from './lmdb-chain.js';
import { LmdbLogReader } from './lmdb-log-reader.js';
import { BEGUN_PREFIX, LmdbSegment, SegmentRefused, type Sync } from './lmdb-segment.js';
import { type CommandLog, CutRefused, LogConflict, LogUnreadable, LogWriteFailed, type StoredRecord } from './log.js';

/** In front of the name of a segment that is on its way out. */
const PRUNED_PREFIX = '.pruned-';

export class LmdbLog implements CommandLog {
  readonly #folder: string;
  readonly #segments: LmdbSegment[];
  readonly #sync: Sync;
  /** Folders of segments that were let go and may still be there. */
  readonly #pruned: string[] = [];
  #newestSeq = 0;
  #isWriting = false;
  #failure: Error | undefined;

  private constructor(folder: string, segments: LmdbSegment[], sync: Sync) {
    this.#folder = folder;
    this.#sync = sync;
    this.#segments = segments;
    this.#newestSeq = this.#last()?.firstSeq ?? 0;
  }

  /**
   * Opens the log for the one process that writes it, and finishes what a process that died in a cut or a prune left undone.
   *
   * @param folder holds the segments; made where it is missing
   * @param sync what makes the names in a folder durable; tests put their own in place
   * @throws LogUnreadable
   */
  static async open(folder: string, sync: Sync = syncFolder): Promise<LmdbLog> {
    await makeFolder(folder);
    await sweep(folder);
    const segments = await openSegments(folder, await segmentSeqs(folder));
    try {
      const unclosed = requireChain(folder, segments);
      const newest = segments.at(-1);
      await newest?.openForWriting(sync);
      for (const segment of unclosed) await closeLate(segment, segments);
      return new LmdbLog(folder, segments, sync);
    } catch (error) {
      for (const segment of segments) await segment.release();
      throw error;
    }
  }

  /**
   * Opens it for a process that only reads, beside the one that writes or after it. Nothing is made, changed or locked.
   *
   * @throws LogUnreadable
   */
  static openReadOnly(folder: string): Promise<LmdbLogReader> {
    return LmdbLogReader.open(folder);
  }

  get firstSeq(): number | undefined {
    return this.#segments[0]?.firstSeq;
  }

  append(firstSeq: number, bytes: Uint8Array): Promise<void> {
    return this.#writeAlone(firstSeq, async () => {
      const newest = this.#segments.at(-1) ?? (await this.#begin(firstSeq));
      // The first record of a segment stands where the segment begins.
      const isInPlace = this.#newestSeq >= newest.firstSeq || firstSeq === newest.firstSeq;
      if (!isInPlace || !(await newest.append(firstSeq, bytes))) throw new LogConflict(firstSeq);
      this.#newestSeq = firstSeq;
    });
  }

  async *read(fromSeq: number): AsyncGenerator<StoredRecord> {
    const beyond = this.#segments.findIndex((segment) => segment.firstSeq > fromSeq);
    const after = beyond === -1 ? this.#segments.length : beyond;
    for (const segment of this.#segments.slice(Math.max(after - 1, 0))) {
      yield* segment.read(fromSeq, Number.MAX_SAFE_INTEGER);
    }
  }

  async last(): Promise<StoredRecord | undefined> {
    return this.#last();
  }

  async dropLast(firstSeq: number): Promise<void> {
    const newest = this.#segments.at(-1);
    if (this.#last()?.firstSeq !== firstSeq) throw new RangeError(`seq ${firstSeq} is not the newest record`);
    if (newest?.last() === undefined) throw new RangeError(`the record at seq ${firstSeq} stands before a cut`);
    await this.#writeAlone(firstSeq, () => newest.remove(firstSeq));
    this.#newestSeq = this.#last()?.firstSeq ?? 0;
  }

  cut(nextSeq: number): Promise<void> {
    return this.#writeAlone(nextSeq, async () => {
      const newest = this.#segments.at(-1);
      const isEmpty = newest !== undefined && this.#newestSeq < newest.firstSeq;
      if (isEmpty && nextSeq === newest.firstSeq) return;
      if (isEmpty || nextSeq <= this.#newestSeq) throw new RangeError(`the log cannot be cut at seq ${nextSeq}`);
      // The successor comes first: a closed segment without one is a log whose newest part is lost.
      await this.#begin(nextSeq).catch((error: unknown) => {
        throw error instanceof SegmentRefused ? new CutRefused(nextSeq, error.cause) : error;
      });
      if (newest === undefined) return;
      // What follows opens no file, so a lack of descriptors cannot stop it halfway.
      const isClosed = await newest.close(nextSeq);
      if (!isClosed || newest.last()?.firstSeq !== this.#newestSeq) throw new LogConflict(nextSeq);
      await newest.endWriting();
    });
  }

  async prune(keepFromSeq: number): Promise<void> {
    for (;;) {
      await this.#removePruned();
      const [oldest, next] = this.#segments;
      if (oldest === undefined || next === undefined || next.firstSeq > keepFromSeq) return;
      // Closed first: an open file cannot be renamed everywhere.
      this.#segments.shift();
      await oldest.release();
      const pruned = join(this.#folder, PRUNED_PREFIX + basename(oldest.path));
      await rename(oldest.path, pruned);
      this.#pruned.push(pruned);
    }
  }

  /** A removal that fails, for want of a descriptor for example, is tried again by the next prune, or by the next start. */
  async #removePruned(): Promise<void> {
    for (let path = this.#pruned[0]; path !== undefined; path = this.#pruned[0]) {
      await this.#sync(this.#folder);
      await rm(path, { recursive: true, force: true });
      this.#pruned.shift();
    }
  }

  async refresh(): Promise<void> {}

  async close(): Promise<void> {
    // After a failed commit lmdb waits for its flush for ever; the process is about to die then anyway.
    if (this.#failure instanceof LogWriteFailed) return;
    this.#failure ??= new Error('the log is closed');
    for (const segment of this.#segments.splice(0)) await segment.release();
  }

  #last(): StoredRecord | undefined {
    for (const segment of this.#segments.toReversed()) {
      const newest = segment.last();
      if (newest !== undefined) return newest;
    }
    return undefined;
  }

  async #begin(firstSeq: number): Promise<LmdbSegment> {
    const segment = await LmdbSegment.create(this.#folder, firstSeq, this.#sync);
    this.#segments.push(segment);
    return segment;
  }

  /** One write at a time, and none after one that has failed. */
  async #writeAlone(seq: number, write: () => Promise<void>): Promise<void> {
    if (this.#isWriting) throw new Error('an append is in flight already');
    if (this.#failure !== undefined) throw this.#failure;
    this.#isWriting = true;
    try {
      await write();
    } catch (error) {
      // Nothing was written.
      if (error instanceof RangeError || error instanceof CutRefused) throw error;
      this.#failure = error instanceof LogConflict ? error : new LogWriteFailed(seq, error);
      throw this.#failure;
    } finally {
      this.#isWriting = false;
    }
  }
}

/** Removes what a process that died in a prune, or while it made a segment, left behind. */
async function sweep(folder: string): Promise<void> {
  const leftovers = (await readdir(folder)).filter(
    (name) => name.startsWith(PRUNED_PREFIX) || name.startsWith(BEGUN_PREFIX),
  );
  for (const name of leftovers) await rm(join(folder, name), { recursive: true });
}

/** Closes a segment whose successor is there already, where its records end right before the successor. */
async function closeLate(segment: LmdbSegment, segments: readonly LmdbSegment[]): Promise<void> {
  const successor = segments[segments.indexOf(segment) + 1];
  const newest = segment.last();
  if (successor === undefined) throw new Error(`${segment.path} has no successor`);
  const endSeq = newest === undefined ? segment.firstSeq - 1 : lastSeqOf(newest.bytes);
  if (endSeq !== successor.firstSeq - 1) {
    const end = endSeq === undefined ? 'with a record that is not sound' : `at seq ${endSeq}`;
    throw new LogUnreadable(
      `the log segment ${segment.path} is not closed and ends ${end}, not right before ${successor.path}`,
    );
  }
  await segment.openForWriting();
  if (!(await segment.close(successor.firstSeq))) throw new LogConflict(successor.firstSeq);
  await segment.endWriting();
}
