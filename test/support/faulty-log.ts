// The log of tests that need one with faults: in memory, and acquired from the beginning. It fails, loses answers, waits or misreads
// as a test chooses.
import {
  type Append,
  LogUnreadable,
  LogWriteFailed,
  type StoredRecord,
  UnknownOutcome,
} from '../../persistence/log/log.js';
import { MemoryLog } from '../../persistence/log/memory-log.js';

/** The outcome of an append: before it settles, the record is stored or not. */
export type Fate = 'stored' | 'unknown: stored' | 'unknown: lost' | 'failed';

export interface LogFaults {
  /** Appends and cuts wait for the test; as after hold(). */
  readonly isHeld?: boolean;
  /** Fates of the next appends; those after them are stored. */
  readonly fates?: readonly Fate[];
  /** Changes what is read; undefined skips the record. */
  readonly misread?: (record: StoredRecord, fromSeq: number) => StoredRecord | undefined;
}

interface PendingWrite {
  readonly happen: () => Promise<void>;
  readonly settle: (error?: Error) => void;
}

export class FaultyLog extends MemoryLog {
  /** The epoch under which tests write to it. */
  readonly epoch = 1;
  /** Records handed to append(), settled or not, in order. */
  readonly begun: StoredRecord[] = [];
  /** Seqs at which a cut was begun, settled or not. */
  readonly cutsBegun: number[] = [];
  isClosed = false;
  /** Reads that fail before one succeeds. */
  readsToFail = 0;
  /** Called after each read: what other writers do meanwhile. */
  meanwhile: (() => Promise<unknown>) | undefined;
  readonly #fates: Fate[];
  readonly #misread: NonNullable<LogFaults['misread']>;
  #isHeld: boolean;
  #pending: PendingWrite | undefined;

  constructor({ isHeld = false, fates = [], misread = (record) => record }: LogFaults = {}) {
    super();
    this.#isHeld = isHeld;
    this.#fates = [...fates];
    this.#misread = misread;
    // It is done when the call returns.
    void this.acquire();
  }

  override append(append: Append): Promise<void> {
    this.begun.push({ firstSeq: append.expectedSeq + 1, bytes: append.bytes });
    return this.#begin(() => this.#append(append));
  }

  override cut(epoch: number, nextSeq: number): Promise<void> {
    this.cutsBegun.push(nextSeq);
    return this.#begin(() => super.cut(epoch, nextSeq));
  }

  override async *read(fromSeq: number): AsyncGenerator<StoredRecord> {
    if (this.readsToFail > 0) {
      this.readsToFail -= 1;
      throw new LogUnreadable('no connection');
    }
    try {
      for await (const record of super.read(fromSeq)) {
        const misread = this.#misread(record, fromSeq);
        if (misread !== undefined) yield misread;
      }
    } finally {
      await this.meanwhile?.();
    }
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    await super.close();
  }

  /** Another writer appends a record, which meets no fault. */
  appendElsewhere(append: Append): Promise<void> {
    return super.append(append);
  }

  /** Whether an append or a cut has begun and waits. */
  get isWaiting(): boolean {
    return this.#pending !== undefined;
  }

  /** Appends and cuts from now on wait for finish(), fail() or release(). */
  hold(): void {
    this.#isHeld = true;
  }

  /** The write that waits reaches the disk, and none waits any more. */
  release(): void {
    this.#isHeld = false;
    if (this.isWaiting) void this.finish();
  }

  /** The write that waits reaches the disk. */
  async finish(): Promise<void> {
    const { happen, settle } = this.#takePending();
    await happen().then(() => settle(), settle);
    await turns();
  }

  /** The write that waits and all that follow it reach the disk. */
  async finishAll(): Promise<void> {
    await turns();
    while (this.isWaiting) await this.finish();
  }

  /** The write that waits fails. */
  async fail(error: Error): Promise<void> {
    this.#takePending().settle(error);
    await turns();
  }

  async #append(append: Append): Promise<void> {
    const firstSeq = append.expectedSeq + 1;
    const fate = this.#fates.shift() ?? 'stored';
    if (fate === 'failed') throw new LogWriteFailed(firstSeq, new Error('no space'));
    if (fate !== 'unknown: lost') await super.append(append);
    if (fate !== 'stored') throw new UnknownOutcome(firstSeq, new Error('the connection is lost'));
  }

  #begin(happen: () => Promise<void>): Promise<void> {
    if (this.#pending !== undefined) throw new Error('two writes in flight');
    if (!this.#isHeld) return happen();
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => (error === undefined ? resolve() : reject(error));
      this.#pending = { happen, settle };
    });
  }

  #takePending(): PendingWrite {
    const pending = this.#pending;
    if (pending === undefined) throw new Error('nothing is in flight');
    this.#pending = undefined;
    return pending;
  }
}

/** Lets all pending work happen: a few turns of the event loop. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
