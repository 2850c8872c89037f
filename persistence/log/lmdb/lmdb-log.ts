// The embedded log: one LMDB environment per segment under <data>/log, one LMDB record per batch. Reads cover all
// segments, writes go only to the newest; the others are closed and never change. The newest segment holds the epoch,
// and LMDB compares it in the transaction of each write.
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { LostFile } from '../../files/disk-space.js';
import { makeFolder, syncFolder } from '../../files/folder-sync.js';
import { lastSeqOf } from '../batch-record.js';
import {
  type Append,
  CutRefused,
  Fenced,
  LogConflict,
  LogUnreadable,
  LogWriteFailed,
  Misplaced,
  type NewLog,
  type StoredRecord,
} from '../log.js';
import { LogFollowers } from '../log-followers.js';
import { newestRecord, openSegments, recordsFrom, requireChain, segmentSeqs } from './lmdb-chain.js';
import type { Written } from './lmdb-environment.js';
import { LmdbLogReader } from './lmdb-log-reader.js';
import { BEGUN_PREFIX, LmdbSegment, SegmentExists, SegmentRefused, type Sync } from './lmdb-segment.js';

/** Prefix of a segment that is being removed. */
const PRUNED_PREFIX = '.pruned-';

/**
 * An append never has an UnknownOutcome here: LMDB commits and flushes within this process. A commit that fails is a
 * LogWriteFailed, and one that does not settle is a LogStalled. Both end the process, and recovery reads what is on disk.
 */
export class LmdbLog implements NewLog {
  readonly #folder: string;
  readonly #segments: LmdbSegment[];
  readonly #sync: Sync;
  /** Folders of segments that are to be pruned, the oldest first. They still have their names. */
  readonly #leaving: string[] = [];
  /** Folders of pruned segments that may still exist. */
  readonly #pruned: string[] = [];
  readonly #followers = new LogFollowers();
  /** The result of the last acquire(); 0 before. */
  #epoch = 0;
  #newestSeq = 0;
  /** Last seq in the log; undefined while the newest record is damaged, until it is dropped. */
  #lastSeq: number | undefined;
  #isWriting = false;
  #failure: Error | undefined;

  private constructor(folder: string, segments: LmdbSegment[], sync: Sync) {
    this.#folder = folder;
    this.#sync = sync;
    this.#segments = segments;
    this.#findEnd();
  }

  /**
   * Opens the log for the one process that writes it, and completes a cut or prune during which a process died.
   *
   * @param folder holds the segments; created if missing
   * @param sync makes the names in a folder durable; replaced in tests
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
   * Opens the log for a process that only reads, beside the one that writes or after it. Creates, changes and locks
   * nothing.
   *
   * @throws LogUnreadable
   */
  static openReadOnly(folder: string): Promise<LmdbLogReader> {
    return LmdbLogReader.open(folder);
  }

  get firstSeq(): number | undefined {
    return this.#segments[0]?.firstSeq;
  }

  /**
   * Looks for the file of a segment that was removed, moved or replaced while it is open: a restart would not find it.
   *
   * @returns the newest of them; null if all are in their places
   */
  async lostFile(): Promise<LostFile | null> {
    for (const segment of this.#segments.toReversed()) {
      const lost = await segment.lostFile();
      if (lost !== null) return lost;
    }
    return null;
  }

  /** Begins an epoch. In an empty log it is stored with the first segment, which only one of two writers can create. */
  async acquire(): Promise<number> {
    const newest = this.#segments.at(-1);
    const before = newest?.epoch ?? this.#epoch;
    const epoch = before + 1;
    const nextSeq = this.#newestSeq + 1;
    await this.#writeAlone(nextSeq, async () => {
      const isRaised =
        newest === undefined
          ? (await segmentSeqs(this.#folder)).length === 0
          : (await newest.raiseEpoch(before, epoch)) === 'written';
      // If the segment was cut meanwhile, its epoch does not fence the writer of its successor.
      if (!isRaised || newest?.successorSeq !== undefined) throw new LogConflict(nextSeq);
    });
    this.#epoch = epoch;
    this.#findEnd();
    return epoch;
  }

  async currentEpoch(): Promise<number> {
    return this.#segments.at(-1)?.epoch ?? this.#epoch;
  }

  append(append: Append): Promise<void> {
    return this.appendAll([append]);
  }

  /** LMDB's thread commits what is queued in one turn of the event loop together. */
  async appendAll(appends: readonly Append[]): Promise<void> {
    const [first] = appends;
    const last = appends.at(-1);
    if (first === undefined || last === undefined) return;
    const firstSeq = first.expectedSeq + 1;
    await this.#writeAlone(firstSeq, async () => {
      let lastSeq = this.#lastSeq;
      for (const { epoch, expectedSeq, lastSeq: endSeq } of appends) {
        this.#requireEpoch(epoch);
        if (expectedSeq !== lastSeq) throw new LogConflict(expectedSeq + 1);
        lastSeq = endSeq;
      }
      const newest = this.#segments.at(-1) ?? (await this.#begin(firstSeq));
      const written = await Promise.all(
        appends.map(({ epoch, expectedSeq, bytes }) => newest.append(epoch, expectedSeq + 1, bytes)),
      );
      for (const outcome of written) requireWritten(outcome, first.epoch, firstSeq);
      this.#newestSeq = last.expectedSeq + 1;
      this.#lastSeq = last.lastSeq;
      this.#followers.wake();
    });
  }

  read(fromSeq: number): AsyncGenerator<StoredRecord> {
    return recordsFrom(this.#segments, fromSeq);
  }

  follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<StoredRecord> {
    return this.#followers.follow(this, afterSeq, signal);
  }

  async last(): Promise<StoredRecord | undefined> {
    return newestRecord(this.#segments);
  }

  async dropLast(epoch: number, firstSeq: number): Promise<void> {
    this.#requireEpoch(epoch);
    const newest = this.#segments.at(-1);
    if (newestRecord(this.#segments)?.firstSeq !== firstSeq)
      throw new Misplaced(`seq ${firstSeq} is not the newest record`);
    if (newest?.last() === undefined) throw new Misplaced(`the record at seq ${firstSeq} comes before a cut`);
    await this.#writeAlone(firstSeq, async () => {
      requireWritten(await newest.remove(epoch, firstSeq), epoch, firstSeq);
    });
    this.#findEnd();
    this.#lastSeq = firstSeq - 1;
  }

  cut(epoch: number, nextSeq: number): Promise<void> {
    return this.#writeAlone(nextSeq, async () => {
      this.#requireEpoch(epoch);
      const newest = this.#segments.at(-1);
      const isEmpty = newest !== undefined && this.#newestSeq < newest.firstSeq;
      if (isEmpty && nextSeq === newest.firstSeq) return;
      if (isEmpty || nextSeq < 1 || (newest !== undefined && nextSeq !== (this.#lastSeq ?? 0) + 1)) {
        throw new Misplaced(`the log cannot be cut at seq ${nextSeq}`);
      }
      this.#requireNotFenced(epoch);
      // The successor is created first: a closed segment without one means that the newest part of the log is lost.
      await this.#begin(nextSeq).catch((error: unknown) => {
        throw error instanceof SegmentRefused ? new CutRefused(nextSeq, error.cause) : error;
      });
      this.#lastSeq = nextSeq - 1;
      if (newest === undefined) return;
      // The steps below open no file, so a lack of descriptors cannot stop them halfway.
      const closed = await newest.close(epoch, nextSeq);
      if (closed === 'fenced') await this.#discardNewest();
      requireWritten(closed, epoch, nextSeq);
      if (newest.last()?.firstSeq !== this.#newestSeq) throw new LogConflict(nextSeq);
      await newest.endWriting();
    });
  }

  async prune(epoch: number, keepFromSeq: number): Promise<void> {
    this.#requireEpoch(epoch);
    this.#requireNotFenced(epoch);
    for (;;) {
      await this.#removePruned();
      const [oldest, next] = this.#segments;
      if (oldest === undefined || next === undefined || next.firstSeq > keepFromSeq) return;
      // Closed first: some systems cannot rename an open file.
      this.#segments.shift();
      this.#leaving.push(oldest.path);
      await oldest.release();
    }
  }

  /**
   * A failed step, for example for lack of a permission, is retried by the next prune. The order stays: if a newer
   * segment went first, the log would have a gap.
   */
  async #removePruned(): Promise<void> {
    for (let path = this.#leaving[0]; path !== undefined; path = this.#leaving[0]) {
      const pruned = join(this.#folder, PRUNED_PREFIX + basename(path));
      await rename(path, pruned);
      this.#leaving.shift();
      this.#pruned.push(pruned);
    }
    for (let path = this.#pruned[0]; path !== undefined; path = this.#pruned[0]) {
      await this.#sync(this.#folder);
      await rm(path, { recursive: true, force: true });
      this.#pruned.shift();
    }
  }

  async refresh(): Promise<void> {}

  async close(): Promise<void> {
    // After a failed write nothing may touch the disk; the process is about to end anyway.
    if (this.#failure instanceof LogWriteFailed) return;
    this.#failure ??= new Error('the log is closed');
    this.#followers.close();
    for (const segment of this.#segments.splice(0)) await segment.release();
  }

  #findEnd(): void {
    const newest = newestRecord(this.#segments);
    const beginSeq = this.#segments.at(-1)?.firstSeq ?? 1;
    this.#newestSeq = newest?.firstSeq ?? 0;
    this.#lastSeq = newest === undefined || newest.firstSeq < beginSeq ? beginSeq - 1 : lastSeqOf(newest.bytes);
  }

  /** @throws Fenced if a later acquire() of this process has taken the log */
  #requireEpoch(epoch: number): void {
    if (epoch !== this.#epoch) throw new Fenced(epoch);
  }

  /** @throws Fenced if another process has taken the log; for steps that are not LMDB transactions */
  #requireNotFenced(epoch: number): void {
    if ((this.#segments.at(-1)?.epoch ?? epoch) !== epoch) throw new Fenced(epoch);
  }

  async #begin(firstSeq: number): Promise<LmdbSegment> {
    const segment = await LmdbSegment.create(this.#folder, firstSeq, this.#epoch, this.#sync).catch(
      (error: unknown) => {
        throw error instanceof SegmentExists ? new LogConflict(firstSeq) : error;
      },
    );
    this.#segments.push(segment);
    return segment;
  }

  /**
   * Another process took the log between the epoch check and the rename of a cut: its next start must not find the
   * successor.
   */
  async #discardNewest(): Promise<void> {
    const newest = this.#segments.pop();
    if (newest === undefined) return;
    await newest.release();
    await rename(newest.path, join(this.#folder, PRUNED_PREFIX + basename(newest.path)));
    await this.#sync(this.#folder);
  }

  /** Allows one write at a time, and none after a failed one. */
  async #writeAlone(seq: number, write: () => Promise<void>): Promise<void> {
    if (this.#isWriting) throw new Error('an append is in flight already');
    if (this.#failure !== undefined) throw this.#failure;
    this.#isWriting = true;
    try {
      await write();
    } catch (error) {
      // Nothing was written.
      if (error instanceof Misplaced || error instanceof CutRefused || error instanceof Fenced) throw error;
      this.#failure = error instanceof LogConflict ? error : new LogWriteFailed(seq, error);
      throw this.#failure;
    } finally {
      this.#isWriting = false;
    }
  }
}

function requireWritten(written: Written, epoch: number, firstSeq: number): void {
  if (written === 'fenced') throw new Fenced(epoch);
  if (written === 'conflict') throw new LogConflict(firstSeq);
}

/** Removes leftovers of a process that died during a prune or while it created a segment. */
async function sweep(folder: string): Promise<void> {
  const leftovers = (await readdir(folder)).filter(
    (name) => name.startsWith(PRUNED_PREFIX) || name.startsWith(BEGUN_PREFIX),
  );
  for (const name of leftovers) await rm(join(folder, name), { recursive: true });
}

/** Closes a segment whose successor exists already, if its records end right before the successor. */
async function closeLate(segment: LmdbSegment, segments: readonly LmdbSegment[]): Promise<void> {
  const successor = segments[segments.indexOf(segment) + 1];
  const newest = segment.last();
  if (successor === undefined) throw new Error(`${segment.path} has no successor`);
  const endSeq = newest === undefined ? segment.firstSeq - 1 : lastSeqOf(newest.bytes);
  if (endSeq !== successor.firstSeq - 1) {
    const end = endSeq === undefined ? 'with a damaged record' : `at seq ${endSeq}`;
    throw new LogUnreadable(
      `the log segment ${segment.path} is not closed and ends ${end}, not right before ${successor.path}`,
    );
  }
  await segment.openForWriting();
  if ((await segment.close(undefined, successor.firstSeq)) !== 'written') throw new LogConflict(successor.firstSeq);
  await segment.endWriting();
}
