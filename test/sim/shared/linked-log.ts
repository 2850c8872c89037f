// The log of a shared store as one simulated process reaches it: over its link, on which every call may fail. As on
// PostgreSQL, a process sees the log as it was at its last refresh.
import {
  FOLLOW_POLL_MS,
  OUTCOME_ATTEMPTS_MAX,
  OUTCOME_WAIT_MS,
  POSTGRES_APPEND_MAX_MS,
  POSTGRES_READ_MAX_MS,
} from '../../../persistence/limits.js';
import { lastSeqOf } from '../../../persistence/log/batch-record.js';
import {
  type Append,
  type CommandLog,
  LogUnreadable,
  LogWriteFailed,
  type StoredRecord,
  StoreUnreachable,
  UnknownOutcome,
} from '../../../persistence/log/log.js';
import { LogFollowers } from '../../../persistence/log/log-followers.js';
import type { ProcessLoop } from '../process-loop.js';
import { NoAnswer, type StoreLink } from './link.js';
import type { SharedStore } from './shared-store.js';

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
  /** Records after it are not read until the next refresh(). */
  #lastSeq = 0;
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
      this.#link.call('claim', POSTGRES_APPEND_MAX_MS, () => this.#store.acquire()),
      (cause) => new LogWriteFailed(0, cause),
    );
  }

  currentEpoch(): Promise<number> {
    return this.#read(() => this.#store.log.currentEpoch());
  }

  async append(append: Append): Promise<void> {
    const stored = this.#link.call('append', POSTGRES_APPEND_MAX_MS, () => this.#store.append(append));
    await failAs(stored, (cause) => new UnknownOutcome(append.expectedSeq + 1, cause));
    this.#lastSeq = append.lastSeq;
    this.#followers.wake();
  }

  dropLast(epoch: number, firstSeq: number): Promise<void> {
    return this.#read(() => this.#store.log.dropLast(epoch, firstSeq));
  }

  /** A second cut at the same place changes nothing, so one with an unknown outcome is repeated. */
  async cut(epoch: number, nextSeq: number): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#link.call('cut', POSTGRES_APPEND_MAX_MS, () => this.#store.log.cut(epoch, nextSeq));
        return await this.refresh();
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        if (attempt === OUTCOME_ATTEMPTS_MAX) throw new LogWriteFailed(nextSeq, error);
      }
      await this.#loop.device(OUTCOME_WAIT_MS);
    }
  }

  async prune(epoch: number, keepFromSeq: number): Promise<void> {
    await this.#read(() => this.#store.prune(epoch, keepFromSeq));
    await this.refresh();
  }

  /** Up to where the log ended at the last refresh(). */
  async *read(fromSeq: number): AsyncGenerator<StoredRecord> {
    const endSeq = this.#lastSeq;
    let nextSeq = Math.min(fromSeq, Math.max(endSeq, 1));
    let newestSeq = 0;
    for (;;) {
      const page = await this.#read(() => this.#store.page(nextSeq, RECORDS_PER_READ));
      if (page.firstSeq !== this.#firstSeq && page.firstSeq > nextSeq) {
        await this.refresh();
        throw new LogUnreadable('the log was pruned while it was read');
      }
      for (const record of page.records) {
        if (record.firstSeq <= newestSeq) continue;
        if (record.firstSeq > endSeq) return;
        newestSeq = record.firstSeq;
        nextSeq = (lastSeqOf(record.bytes) ?? newestSeq) + 1;
        yield record;
      }
      if (page.records.length < RECORDS_PER_READ) return;
    }
  }

  last(): Promise<StoredRecord | undefined> {
    const endSeq = this.#lastSeq;
    return this.#read(() => this.#store.content.records.records.findLast(({ firstSeq }) => firstSeq <= endSeq));
  }

  async refresh(): Promise<void> {
    const { firstSeq, lastSeq } = await this.#read(() => ({
      firstSeq: this.#store.log.firstSeq,
      lastSeq: this.#store.lastSeq,
    }));
    this.#firstSeq = firstSeq;
    this.#lastSeq = Math.max(this.#lastSeq, lastSeq);
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
    return failAs(
      this.#link.call('read', POSTGRES_READ_MAX_MS, execute),
      (cause) => new StoreUnreachable(cause.message),
    );
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
