// Copies a world from one store to another, byte for byte, and proves it by a replay. It can follow a running server and
// take over from it: then nothing that the server has acknowledged is missing. It knows no kind of store, and changes
// nothing in the source.

import { setTimeout as delay } from 'node:timers/promises';
import { asBuffer } from '../frame.js';
import { COPY_ATTEMPTS_MAX, COPY_BATCH_BYTES, COPY_BATCH_RECORDS, COPY_FOLLOW_MS } from '../limits.js';
import { decodeRecord, lastSeqOf, NO_PREVIOUS_HASH, previousHashOf, recordHash } from '../log/batch-record.js';
import { type Append, type LogTail, type ReadableLog, type StoredRecord, StoreUnreachable } from '../log/log.js';
import { type RecoveryStep, recover } from '../recovery/recovery.js';
import { replay, requireNext, requireTornTail } from '../recovery/replay.js';
import { frameFault } from '../snapshots/snapshot-codec.js';
import { SnapshotDamaged, type SnapshotSink, type SnapshotStore } from '../snapshots/snapshot-store.js';
import { type HeldWorld, WorldLocked, type WorldParts, type WorldStore } from '../stores/world-store.js';
import { type VerifiedParts, verifyParts } from './verify.js';

/** The copy is not the world that was copied. Nothing is left of it. */
export class CopyDiffers extends Error {
  override readonly name = 'CopyDiffers';
}

/**
 * `stopping`: the server was asked to stop. `in_use`: that is done, and yet a process has the source open.
 * `unreachable`: the source does not answer now; it is asked again.
 */
export type FollowState = 'following' | 'stopping' | 'in_use' | 'unreachable';

/** Where a copy is that follows a server. */
export interface FollowReport {
  /** Last seq that is copied and replayed. */
  readonly seq: number;
  /** Entries that the source has and the copy does not. */
  readonly behindEntries: number;
  readonly state: FollowState;
}

export interface Following {
  /**
   * Stops the server once the copy is verified and has caught up. By default the copy follows until the server is
   * stopped by others.
   */
  readonly stopServer?: () => Promise<void>;
  readonly onReport: (report: FollowReport) => void;
}

export interface CopyOptions {
  readonly from: WorldStore;
  /** Holds nothing yet. */
  readonly to: WorldStore;
  /** If given, the copy ends when nobody serves the source any more. By default it ends with what is durable now. */
  readonly follow?: Following;
  /** Ends the copy, which then leaves nothing behind. */
  readonly signal: AbortSignal;
  readonly onProgress?: CopyProgress;
}

export interface CopiedWorld {
  readonly lastSeq: number;
  readonly lastMs: number;
  readonly stateHash: string;
  /** recordHash() of the last record, 32 hexadecimal digits. */
  readonly recordHash: string;
  readonly snapshotSeqs: readonly number[];
  readonly recordCount: number;
  readonly byteCount: number;
  /** Whether a process had the source open when the copy ended: what it writes after lastSeq is not in the copy. */
  readonly isSourceInUse: boolean;
  /** Time from the request to stop, or from when nobody held the source, until the copy was complete; null without `follow`. */
  readonly switchMs: number | null;
}

/**
 * Copies a world. The copy appears at once, complete and verified.
 *
 * @throws NoWorld, CannotCreate, CopyRefused, CopyDiffers, SnapshotDamaged, RecoveryRefused, LogUnreadable, LogWriteFailed,
 *   NoDiskSpace, WorldLocked
 */
export async function copyWorld(options: CopyOptions): Promise<CopiedWorld> {
  const { from, to } = options;
  await from.requireWorld();
  await to.requireFree();
  const copy = new WorldCopy(options);
  try {
    await to.create({ origin: await from.origin(), write: (parts) => copy.write(parts) });
    return await copy.outcome();
  } finally {
    // Only now: nobody may open the source before the copy is there.
    await copy.release();
  }
}

class WorldCopy {
  readonly #options: CopyOptions;
  readonly #copying: Copying;
  #copied: CopiedParts | undefined;
  /** The copy, as its replay has found it. */
  #verified: VerifiedParts | undefined;
  #held: HeldWorld | undefined;
  #switchBeganAtMs: number | undefined;

  constructor(options: CopyOptions) {
    this.#options = options;
    const { signal, onProgress = () => {} } = options;
    this.#copying = {
      signal,
      onProgress: (...progress) => {
        signal.throwIfAborted();
        onProgress(...progress);
      },
    };
  }

  async write(parts: WorldParts): Promise<void> {
    const { from, follow } = this.#options;
    const copied = new CopiedParts(parts, from.label, this.#copying);
    this.#copied = copied;
    const log = await copied.begin(from);
    try {
      await copied.copyLog(log);
      const source = await this.#stateOf(log, (await copied.tail()).lastSeq);
      const verified = await verifyParts(parts.log, parts.snapshots, this.#copying.onProgress);
      requireSame(source, { ...verified.tail, stateHash: verified.stateHash });
      this.#verified = verified;
      if (follow !== undefined) await this.#follow(parts, log, follow);
    } finally {
      await log.close();
    }
  }

  async outcome(): Promise<CopiedWorld> {
    const { from, follow } = this.#options;
    if (this.#copied === undefined || this.#verified === undefined) throw new Error('the store has written no copy');
    const { engine, tail } = this.#verified;
    const { snapshotSeqs, recordCount, byteCount } = this.#copied;
    return {
      lastSeq: engine.seq,
      lastMs: engine.nowMs,
      stateHash: engine.stateHash(),
      recordHash: Buffer.from(tail.hash).toString('hex'),
      ...{ snapshotSeqs, recordCount, byteCount },
      isSourceInUse: follow === undefined && (await from.isInUse()),
      switchMs: this.#switchBeganAtMs === undefined ? null : performance.now() - this.#switchBeganAtMs,
    };
  }

  async release(): Promise<void> {
    await this.#held?.log.close();
    await this.#held?.release();
  }

  /** The source as it was at a seq, recovered in the way of a start: from its newest snapshot. */
  async #stateOf(log: ReadableLog, seq: number): Promise<State> {
    const { onProgress } = this.#copying;
    const { engine, recovery } = await recover(log, this.#options.from.snapshots, { until: { seq }, onProgress });
    return { lastSeq: engine.seq, hash: recovery.tail.hash, stateHash: engine.stateHash() };
  }

  /** Copies and replays what the server writes, until this process holds the source and has copied all of it. */
  async #follow(parts: WorldParts, log: ReadableLog, follow: Following): Promise<void> {
    const { signal } = this.#options;
    const { copied } = this.#parts();
    let stop: ServerStop | undefined;
    while (this.#held === undefined) {
      const isAnswered = await answers(() => copied.copyLog(log));
      await this.#replayRest(parts, follow, isAnswered ? (stop?.state ?? 'following') : 'unreachable');
      if (isAnswered && stop === undefined && follow.stopServer !== undefined) {
        this.#switchBeganAtMs = performance.now();
        stop = new ServerStop(follow.stopServer);
      }
      stop?.requireNoFailure();
      await answers(() => this.#holdIfFree(stop !== undefined));
      if (this.#held === undefined) await delay(COPY_FOLLOW_MS, undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
    }
    // No other process can write to the source now, so this is its end.
    await copied.copyLog(this.#held.log);
    await this.#replayRest(parts, follow, 'stopping');
  }

  /** @param isAsked whether the switch has begun already, with the request to stop */
  async #holdIfFree(isAsked: boolean): Promise<void> {
    const { from } = this.#options;
    if (await from.isInUse()) return;
    const freeAtMs = performance.now();
    this.#held = await openIfFree(from);
    if (!isAsked && this.#held !== undefined) this.#switchBeganAtMs = freeAtMs;
  }

  /** Replays what was copied since the last time, as it is read from the copy. */
  async #replayRest(parts: WorldParts, { onReport }: Following, state: FollowState): Promise<void> {
    const { copied, verified } = this.#parts();
    const source = await copied.tail();
    const { engine, tail } = verified;
    onReport({ seq: engine.seq, behindEntries: source.lastSeq - engine.seq, state });
    if (source.lastSeq > engine.seq) {
      const replayed = await replay(parts.log, engine, { startHash: tail.hash });
      this.#verified = { ...verified, tail: replayed.tail };
    }
    requireSame(source, this.#parts().verified.tail);
  }

  #parts(): { copied: CopiedParts; verified: VerifiedParts } {
    if (this.#copied === undefined || this.#verified === undefined) throw new Error('nothing is copied yet');
    return { copied: this.#copied, verified: this.#verified };
  }
}

/** The request to stop the server, while the copy goes on following. */
class ServerStop {
  #isDone = false;
  #failure: unknown;

  constructor(stopServer: () => Promise<void>) {
    stopServer().then(
      () => {
        this.#isDone = true;
      },
      (error: unknown) => {
        this.#failure = error;
      },
    );
  }

  get state(): 'stopping' | 'in_use' {
    return this.#isDone ? 'in_use' : 'stopping';
  }

  requireNoFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** @returns false if the store did not answer */
async function answers(ask: () => Promise<void>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof StoreUnreachable) return false;
    throw error;
  }
}

/** @returns undefined if another process was faster */
async function openIfFree(store: WorldStore): Promise<HeldWorld | undefined> {
  try {
    return await store.open();
  } catch (error) {
    if (error instanceof WorldLocked) return undefined;
    throw error;
  }
}

interface State extends LogTail {
  readonly stateHash?: string;
}

/** @throws CopyDiffers */
function requireSame(source: State, copy: State): void {
  const facts = ({ lastSeq, hash, stateHash = '' }: State): string =>
    `seq ${lastSeq}, record hash ${Buffer.from(hash).toString('hex')}${stateHash && `, state hash ${stateHash}`}`;
  if (facts(source) === facts(copy)) return;
  throw new CopyDiffers(
    `the copy is not the world that was copied: it has ${facts(copy)}, its source ${facts(source)}`,
  );
}

/** The world cannot be copied. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

/** The step of a copy: copying a snapshot or the log, or one of a recovery. */
export type CopyStep = RecoveryStep | 'copied bytes' | 'copied entries';

/** Receives the progress of a copy. @param total undefined if unknown */
export type CopyProgress = (step: CopyStep, done: number, total: number | undefined) => void;

interface Copying {
  /** Ends the copy at its next step. */
  readonly signal: AbortSignal;
  readonly onProgress: CopyProgress;
}

class CopiedParts {
  readonly #parts: WorldParts;
  readonly #label: string;
  readonly #copying: Copying;
  /** Snapshots that were copied, ascending. */
  #snapshotSeqs: number[] = [];
  #epoch = 0;
  #lastSeq = 0;
  /** The newest record that was copied. */
  #newestBytes: Uint8Array | undefined;
  #recordCount = 0;
  #byteCount = 0;

  /** @param label of the source */
  constructor(parts: WorldParts, label: string, copying: Copying) {
    this.#parts = parts;
    this.#label = label;
    this.#copying = copying;
  }

  get snapshotSeqs(): readonly number[] {
    return this.#snapshotSeqs;
  }

  get recordCount(): number {
    return this.#recordCount;
  }

  /** Bytes of records and snapshots. */
  get byteCount(): number {
    return this.#byteCount;
  }

  /** The end of what was copied, as the source has it; without a record its hash is that of the snapshot before. */
  async tail(): Promise<LogTail> {
    const bytes = this.#newestBytes;
    if (bytes !== undefined) return { lastSeq: this.#lastSeq, hash: recordHash(bytes) };
    if (this.#lastSeq === 0) return { lastSeq: 0, hash: NO_PREVIOUS_HASH };
    const { logHash } = await this.#parts.snapshots.manifest(this.#lastSeq);
    return { lastSeq: this.#lastSeq, hash: Buffer.from(logHash, 'hex') };
  }

  /**
   * Copies the snapshots, and begins the log where that of the source begins. A running server may take and remove
   * snapshots and prune its log meanwhile.
   *
   * @returns the log of the source, open
   * @throws CopyRefused, SnapshotDamaged, LogUnreadable
   */
  async begin(from: WorldStore): Promise<ReadableLog> {
    for (let attempt = 1; attempt <= COPY_ATTEMPTS_MAX; attempt += 1) {
      await this.#copySnapshots(from.snapshots);
      const log = await from.openLog();
      try {
        if (await this.#beginLog(log)) return log;
      } catch (error) {
        await log.close();
        throw error;
      }
      await log.close();
    }
    throw new CopyRefused(`the log of ${this.#label} does not continue any of its snapshots; galaxyd verify says more`);
  }

  /**
   * Copies the records that are durable now and were not copied yet. The log is cut where a copied snapshot was taken.
   *
   * @throws CopyRefused if the source has pruned its log in the meantime
   * @throws RecoveryRefused if a record is not sound
   */
  async copyLog(log: ReadableLog): Promise<void> {
    await log.refresh();
    const newest = await log.last();
    const endSeq = newest && lastSeqOf(newest.bytes);
    const beginSeq = this.#lastSeq;
    let batch: Append[] = [];
    let batchBytes = 0;
    const store = async (): Promise<void> => {
      await this.#store(batch);
      batch = [];
      batchBytes = 0;
      this.#copying.onProgress('copied entries', this.#lastSeq - beginSeq, endSeq && endSeq - beginSeq);
    };
    let nextSeq = beginSeq + 1;
    for await (const stored of log.read(Math.max(beginSeq, 1))) {
      const { firstSeq, bytes } = stored;
      if (firstSeq <= beginSeq) continue;
      this.#requireNext(log, stored, nextSeq);
      const lastSeq = lastSeqOf(bytes) ?? requireTorn(stored, newest?.firstSeq === firstSeq);
      // An incomplete record was never acknowledged, and the next start of the source drops it.
      if (lastSeq === undefined) break;
      batch.push({ epoch: this.#epoch, expectedSeq: firstSeq - 1, lastSeq, bytes });
      batchBytes += bytes.length;
      nextSeq = lastSeq + 1;
      const isCut = this.#snapshotSeqs.includes(lastSeq);
      if (isCut || batch.length >= COPY_BATCH_RECORDS || batchBytes >= COPY_BATCH_BYTES) await store();
      if (isCut) await this.#parts.log.cut(this.#epoch, nextSeq);
    }
    if (batch.length > 0) await store();
    // A running server may have pruned what was not read yet.
    if (endSeq !== undefined && this.#lastSeq < endSeq) this.#requireReach(log, nextSeq);
  }

  async #store(batch: readonly Append[]): Promise<void> {
    this.#copying.signal.throwIfAborted();
    await this.#parts.requireRoom();
    await this.#parts.log.appendAll(batch);
    const newest = batch.at(-1);
    this.#lastSeq = newest?.lastSeq ?? this.#lastSeq;
    this.#newestBytes = newest?.bytes ?? this.#newestBytes;
    this.#recordCount += batch.length;
    for (const { bytes } of batch) this.#byteCount += bytes.length;
  }

  #requireNext(log: ReadableLog, stored: StoredRecord, nextSeq: number): void {
    if (stored.firstSeq !== nextSeq) this.#requireReach(log, nextSeq);
    requireNext(stored, nextSeq);
  }

  #requireReach({ firstSeq }: ReadableLog, nextSeq: number): void {
    if (firstSeq === undefined || firstSeq <= nextSeq) return;
    throw new CopyRefused(
      `the server of ${this.#label} has deleted its log from seq ${nextSeq} to ${firstSeq - 1} before it was copied; ` +
        'start the copy again, or have the server keep its history meanwhile (--keep-history)',
    );
  }

  async #copySnapshots(from: SnapshotStore): Promise<void> {
    for (const seq of await from.list()) {
      if (this.#snapshotSeqs.includes(seq)) continue;
      try {
        await this.#copySnapshot(from, seq);
      } catch (error) {
        // A running server may have removed it meanwhile.
        if (!(error instanceof SnapshotDamaged) || (await from.list()).includes(seq)) throw error;
      }
    }
  }

  async #copySnapshot(from: SnapshotStore, seq: number): Promise<void> {
    const manifest = await from.manifest(seq);
    const sink: SnapshotSink = await this.#parts.snapshots.begin(seq);
    let byteCount = 0;
    try {
      for await (const bytes of from.chunks(seq)) {
        this.#copying.signal.throwIfAborted();
        byteCount += bytes.length;
        // A file of a few blocks may have a hole of terabytes, which would fill the disk of the copy.
        const fault = byteCount > manifest.byteCount ? 'wrong_counts' : frameFault(asBuffer(bytes));
        if (fault !== undefined) throw new SnapshotDamaged(seq, fault);
        await sink.append(bytes);
        this.#copying.onProgress('copied bytes', byteCount, manifest.byteCount);
      }
      await sink.finish(manifest);
    } catch (error) {
      await sink.abandon();
      throw error;
    }
    this.#byteCount += byteCount;
    this.#snapshotSeqs = [...this.#snapshotSeqs, seq].sort((one, other) => one - other);
  }

  /** @returns false if the log does not continue a copied snapshot, because the source was pruned meanwhile */
  async #beginLog({ firstSeq }: ReadableLog): Promise<boolean> {
    if (firstSeq === undefined) throw new CopyRefused(`there is no log in ${this.#label}`);
    const isJoined = (seq: number): boolean => seq >= firstSeq - 1;
    if (firstSeq > 1 && !this.#snapshotSeqs.some(isJoined)) return false;
    // The source has removed these meanwhile: nothing continues them.
    for (const seq of this.#snapshotSeqs.filter((seq) => !isJoined(seq))) await this.#parts.snapshots.remove(seq);
    this.#snapshotSeqs = this.#snapshotSeqs.filter(isJoined);
    await this.#parts.requireRoom();
    this.#epoch = await this.#parts.log.acquire();
    this.#lastSeq = firstSeq - 1;
    if (firstSeq > 1) await this.#parts.log.cut(this.#epoch, firstSeq);
    return true;
  }
}

/** @throws RecoveryRefused unless it is the newest record and only its beginning is there */
function requireTorn(stored: StoredRecord, isNewest: boolean): undefined {
  const { firstSeq, bytes } = stored;
  const fault = decodeRecord(bytes, { firstSeq, previousHash: previousHashOf(bytes) });
  if (typeof fault === 'string') requireTornTail(stored, fault, isNewest);
}
