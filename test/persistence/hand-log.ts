// A log whose appends and cuts settle one after another, when the test calls for it.
import type { Append, StoredRecord } from '../../persistence/log/log.js';
import { MemoryLog } from '../../persistence/log/memory-log.js';

interface PendingWrite {
  readonly happen: () => Promise<void>;
  readonly settle: (error?: Error) => void;
}

export class HandLog extends MemoryLog {
  /** The epoch under which tests write to it: acquired from the beginning. */
  readonly epoch = 1;
  /** Records handed to append(), settled or not, in order. */
  readonly begun: StoredRecord[] = [];
  /** Seqs at which a cut was begun, settled or not. */
  readonly cutsBegun: number[] = [];
  isClosed = false;
  #pending: PendingWrite | undefined;

  constructor() {
    super();
    // It is done when the call returns.
    void this.acquire();
  }

  override append(append: Append): Promise<void> {
    this.begun.push({ firstSeq: append.expectedSeq + 1, bytes: append.bytes });
    return this.#begin(() => super.append(append));
  }

  override cut(epoch: number, nextSeq: number): Promise<void> {
    this.cutsBegun.push(nextSeq);
    return this.#begin(() => super.cut(epoch, nextSeq));
  }

  get isAppending(): boolean {
    return this.#pending !== undefined;
  }

  /** The append or cut in flight reaches the disk. */
  async finish(): Promise<void> {
    const { happen, settle } = this.#takePending();
    await happen();
    settle();
    await turns();
  }

  /** The operation in flight and all that follow it reach the disk. */
  async finishAll(): Promise<void> {
    await turns();
    while (this.isAppending) await this.finish();
  }

  /** The append or cut in flight fails. */
  async fail(error: Error): Promise<void> {
    this.#takePending().settle(error);
    await turns();
  }

  override async close(): Promise<void> {
    this.isClosed = true;
  }

  #begin(happen: () => Promise<void>): Promise<void> {
    if (this.#pending !== undefined) throw new Error('two writes in flight');
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
