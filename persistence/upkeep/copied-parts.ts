// The parts of a world that is being copied: writes snapshots chunk by chunk and the log record by record, as they are.
// It decodes nothing but the frames; whether the copy is the same world is proven by replaying it (copy.ts).
import { COPY_ATTEMPTS_MAX, COPY_BATCH_BYTES, COPY_BATCH_RECORDS } from '../limits.js';
import { decodeRecord, lastSeqOf, NO_PREVIOUS_HASH, previousHashOf, recordHash } from '../log/batch-record.js';
import type { Append, LogTail, ReadableLog, StoredRecord } from '../log/log.js';
import type { RecoveryStep } from '../recovery/recovery.js';
import { requireNext, requireTornTail } from '../recovery/replay.js';
import { SnapshotDamaged, type SnapshotSink, type SnapshotStore } from '../snapshots/snapshot-store.js';
import type { WorldParts, WorldStore } from '../stores/world-store.js';

/** The world cannot be copied. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

/** The step of a copy: copying a snapshot or the log, or one of a recovery. */
export type CopyStep = RecoveryStep | 'copied bytes' | 'copied entries';

/** Receives the progress of a copy. @param total undefined if unknown */
export type CopyProgress = (step: CopyStep, done: number, total: number | undefined) => void;

export interface Copying {
  /** Ends the copy at its next step. */
  readonly signal: AbortSignal;
  readonly onProgress: CopyProgress;
}

export class CopiedParts {
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

  /** Of records and snapshots. */
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
        await sink.append(bytes);
        byteCount += bytes.length;
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
