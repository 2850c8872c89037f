// A log whose appends settle when the test says so, one after another.
import type { StoredRecord } from '../../persistence/log.js';
import { MemoryLog } from '../../persistence/memory-log.js';

interface PendingAppend {
  readonly record: StoredRecord;
  readonly settle: (error?: Error) => void;
}

export class HandLog extends MemoryLog {
  /** Records handed to append(), settled or not, in order. */
  readonly begun: StoredRecord[] = [];
  isClosed = false;
  #pending: PendingAppend | undefined;

  override append(firstSeq: number, bytes: Uint8Array): Promise<void> {
    if (this.#pending !== undefined) throw new Error('two appends in flight');
    const record = { firstSeq, bytes };
    this.begun.push(record);
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => (error === undefined ? resolve() : reject(error));
      this.#pending = { record, settle };
    });
  }

  get isAppending(): boolean {
    return this.#pending !== undefined;
  }

  /** The append in flight reaches the disk. */
  async finish(): Promise<void> {
    const { record, settle } = this.#takePending();
    await super.append(record.firstSeq, record.bytes);
    settle();
    await turns();
  }

  /** This append and all that follow it reach the disk. */
  async finishAll(): Promise<void> {
    await turns();
    while (this.isAppending) await this.finish();
  }

  /** The append in flight fails. */
  async fail(error: Error): Promise<void> {
    this.#takePending().settle(error);
    await turns();
  }

  override async close(): Promise<void> {
    this.isClosed = true;
  }

  #takePending(): PendingAppend {
    const pending = this.#pending;
    if (pending === undefined) throw new Error('no append is in flight');
    this.#pending = undefined;
    return pending;
  }
}

/** Lets everything happen that is on its way: a few turns of the event loop. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
