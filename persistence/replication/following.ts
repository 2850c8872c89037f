// How a standby follows the log: it checks every record that the leader has stored, and applies its entries. It never continues
// past damage, and never guesses: a standby that differs from the store ends.
import { asError } from '../fatal.js';
import { FOLLOW_RETRY_MS } from '../limits.js';
import {
  decodeRecord,
  entriesOf,
  lastSeqOf,
  RECORD_FAULTS,
  type RecordFault,
  recordHash,
} from '../log/batch-record.js';
import { LogPruned, type LogTail, type ReadableLog, type StoredRecord, StoreUnreachable } from '../log/log.js';
import { type ReplayableEngine, replayEntry } from '../recovery/replay.js';
import { pause, type Scheduler } from '../time/scheduler.js';

/** A standby cannot go on from what it has applied. It has to start again, from what the store holds now. */
export class CannotFollow extends Error {
  override readonly name = 'CannotFollow';

  /** @param seq of the next entry that it needs */
  constructor(
    readonly seq: number,
    sentence: string,
    cause?: unknown,
  ) {
    super(`this standby cannot continue at seq ${seq}: ${sentence}`, { cause });
  }
}

export interface FollowingParts {
  readonly log: ReadableLog;
  readonly engine: ReplayableEngine;
  /** Where the engine stands. */
  readonly tail: LogTail;
  readonly scheduler: Scheduler;
  /** A record was applied. @param receivers of its events; @param atMs world time of its last entry */
  readonly onApplied: (receivers: readonly number[], atMs: number) => void;
  /** It has ended by an error; nothing of the record that caused it is applied any further. */
  readonly onFatal: (error: Error) => void;
}

export class Following {
  readonly #parts: FollowingParts;
  #hash: Uint8Array;
  #byteCount = 0;
  #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(parts: FollowingParts) {
    this.#parts = parts;
    this.#hash = parts.tail.hash;
  }

  /** Where the engine stands. */
  get tail(): LogTail {
    return { lastSeq: this.#parts.engine.seq, hash: this.#hash };
  }

  /** Bytes of the records that were applied. */
  get byteCount(): number {
    return this.#byteCount;
  }

  /** Begins to follow. */
  start(): void {
    this.#stopping = new AbortController();
    this.#running = this.#follow(this.#stopping.signal);
  }

  /** Settles once no record is read or applied any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /**
   * Applies the rest of the log, after a claim: nobody else can write to it any more. It must not be following.
   *
   * @param isOver whether the claim was lost meanwhile, which ends it
   * @returns false if the claim was lost
   * @throws CannotFollow, or what damage to the log leads to
   */
  async catchUp(isOver: () => boolean): Promise<boolean> {
    while (!isOver()) {
      try {
        await this.#readToEnd(isOver);
        return !isOver();
      } catch (error) {
        if (!(error instanceof StoreUnreachable)) throw this.#explained(error);
      }
      await pause(this.#parts.scheduler, FOLLOW_RETRY_MS);
    }
    return false;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const stored of this.#parts.log.follow(this.#parts.engine.seq, signal)) {
          if (signal.aborted) return;
          this.#apply(stored);
        }
        // The signal or close() has ended it.
        return;
      } catch (error) {
        // The next read of the log finds the fault again.
        if (signal.aborted) return;
        if (!(error instanceof StoreUnreachable)) {
          this.#parts.onFatal(this.#explained(error));
          return;
        }
      }
      await pause(this.#parts.scheduler, FOLLOW_RETRY_MS);
    }
  }

  async #readToEnd(isOver: () => boolean): Promise<void> {
    const { log, engine } = this.#parts;
    await log.refresh();
    if (log.firstSeq !== undefined && log.firstSeq > engine.seq + 1) throw new LogPruned(engine.seq + 1, log.firstSeq);
    for await (const stored of log.read(Math.max(engine.seq, 1))) {
      if (isOver()) return;
      if (stored.firstSeq > engine.seq) this.#apply(stored);
    }
    const newest = await log.last();
    if (newest !== undefined) this.#requireSame(newest);
  }

  /** The newest record of the log must be the one that was applied last. */
  #requireSame({ firstSeq, bytes }: StoredRecord): void {
    const { engine } = this.#parts;
    const lastSeq = lastSeqOf(bytes) ?? firstSeq;
    if (lastSeq === engine.seq && recordHash(bytes).equals(this.#hash)) return;
    const sentence =
      lastSeq < engine.seq
        ? `the store ends at seq ${lastSeq}; it has lost records that it had shown`
        : 'the store holds another record there than the one that was applied';
    throw new CannotFollow(engine.seq + 1, sentence);
  }

  /** Synchronous, so that no read sees a part of a record. */
  #apply(stored: StoredRecord): void {
    const { engine, onApplied } = this.#parts;
    const place = { firstSeq: engine.seq + 1, previousHash: this.#hash };
    const record = decodeRecord(stored.bytes, place);
    if (typeof record === 'string') throw new CannotFollow(place.firstSeq, sentenceOf(record));
    const receivers: number[] = [];
    let lastMs = 0;
    for (const [atMs, row] of entriesOf(record)) {
      replayEntry(engine, atMs, row);
      for (const receiver of engine.eventReceivers) receivers.push(receiver);
      lastMs = atMs;
    }
    this.#hash = recordHash(stored.bytes);
    this.#byteCount += stored.bytes.length;
    onApplied(receivers, lastMs);
  }

  #explained(error: unknown): Error {
    if (!(error instanceof LogPruned)) return asError(error);
    return new CannotFollow(error.nextSeq, `the log begins at seq ${error.firstSeq} now; it was too far behind`, error);
  }
}

function sentenceOf(fault: RecordFault): string {
  if (fault === 'wrong_previous_hash') {
    return 'the record there continues another one than the one that was applied; the store has lost or replaced a record that it had shown';
  }
  return `the record there is not sound (${fault}): ${RECORD_FAULTS[fault].sentence}`;
}
