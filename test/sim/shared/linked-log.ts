// The log of a shared store as one simulated process reaches it: over its link, on which every call may fail.
import { FOLLOW_POLL_MS } from '../../../persistence/limits.js';
import { lastSeqOf } from '../../../persistence/log/batch-record.js';
import {
  type Append,
  type CommandLog,
  LogWriteFailed,
  type StoredRecord,
  UnknownOutcome,
} from '../../../persistence/log/log.js';
import { LogFollowers } from '../../../persistence/log/log-followers.js';
import { StoreUnreachable } from '../../../persistence/replication/leadership.js';
import type { ProcessLoop } from './process-loop.js';
import type { SharedStore } from './shared-store.js';
import { NoAnswer, type StoreLink } from './store-link.js';

/** How long a call may take. */
const APPEND_MS = 2_000;
const READ_MS = 1_000;
/** Number of records per read. */
const RECORDS_PER_READ = 8;
/** Maximum time until a follower learns of a record, if the link is up. */
const NEWS_MS = 5;

export class LinkedLog implements CommandLog {
  readonly #store: SharedStore;
  readonly #link: StoreLink;
  readonly #loop: ProcessLoop;
  readonly #followers = new LogFollowers();
  readonly #forget: () => void;
  #firstSeq: number | undefined;
  #isClosed = false;

  constructor(store: SharedStore, link: StoreLink, loop: ProcessLoop) {
    this.#store = store;
    this.#link = link;
    this.#loop = loop;
    this.#forget = store.onStored(() => link.tellNews(NEWS_MS, () => this.#followers.wake()));
    this.#poll();
  }

  get firstSeq(): number | undefined {
    return this.#firstSeq;
  }

  acquire(): Promise<number> {
    return failAs(
      this.#link.call('claim', APPEND_MS, () => this.#store.acquire()),
      (cause) => new LogWriteFailed(0, cause),
    );
  }

  currentEpoch(): Promise<number> {
    return this.#read(() => this.#store.log.currentEpoch());
  }

  async append(append: Append): Promise<void> {
    const stored = this.#link.call('append', APPEND_MS, () => this.#store.append(append));
    await failAs(stored, (cause) => new UnknownOutcome(append.expectedSeq + 1, cause));
    this.#followers.wake();
  }

  dropLast(epoch: number, firstSeq: number): Promise<void> {
    return this.#read(() => this.#store.log.dropLast(epoch, firstSeq));
  }

  cut(epoch: number, nextSeq: number): Promise<void> {
    const done = this.#link.call('cut', APPEND_MS, () => this.#store.log.cut(epoch, nextSeq));
    return failAs(done, (cause) => new LogWriteFailed(nextSeq, cause));
  }

  async prune(epoch: number, keepFromSeq: number): Promise<void> {
    await this.#read(() => this.#store.prune(epoch, keepFromSeq));
    await this.refresh();
  }

  async *read(fromSeq: number): AsyncGenerator<StoredRecord> {
    let nextSeq = fromSeq;
    let newestSeq = 0;
    for (;;) {
      const records = await this.#read(() => this.#store.records(nextSeq, RECORDS_PER_READ));
      for (const record of records) {
        if (record.firstSeq <= newestSeq) continue;
        newestSeq = record.firstSeq;
        nextSeq = (lastSeqOf(record.bytes) ?? newestSeq) + 1;
        yield record;
      }
      if (records.length < RECORDS_PER_READ) return;
    }
  }

  last(): Promise<StoredRecord | undefined> {
    return this.#read(() => this.#store.log.last());
  }

  async refresh(): Promise<void> {
    this.#firstSeq = await this.#read(() => this.#store.log.firstSeq);
  }

  follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<StoredRecord> {
    return this.#followers.follow(this, afterSeq, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#forget();
    this.#followers.close();
  }

  /** A follower looks for the records of other processes by itself. */
  #poll(): void {
    if (this.#isClosed) return;
    this.#loop.after(FOLLOW_POLL_MS, () => {
      this.#followers.wake();
      this.#poll();
    });
  }

  #read<T>(execute: () => T | Promise<T>): Promise<T> {
    return failAs(this.#link.call('read', READ_MS, execute), (cause) => new StoreUnreachable(cause.message));
  }
}

/** Reports in the words of the contract that the store did not answer. */
export async function failAs<T>(called: Promise<T>, failure: (cause: NoAnswer) => Error): Promise<T> {
  try {
    return await called;
  } catch (error) {
    throw error instanceof NoAnswer ? failure(error) : error;
  }
}
