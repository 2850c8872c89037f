// The followers of a log: they read durable records, and wait for more. It does not depend on how a log is stored.
import { lastSeqOf } from './batch-record.js';
import { LogPruned, LogUnreadable, type ReadableLog, type StoredRecord } from './log.js';

export class LogFollowers {
  readonly #pollMs: number | undefined;
  readonly #waiting = new Set<() => void>();
  /** Number of wake-ups, so that a follower that was reading during one looks again. */
  #version = 0;
  #isClosed = false;

  /** @param pollMs how often followers poll without being woken; never by default */
  constructor(pollMs?: number) {
    this.#pollMs = pollMs;
  }

  /** There is more to read. Costs nothing if no follower waits. */
  wake(): void {
    this.#version += 1;
    for (const wake of this.#waiting) wake();
  }

  /** The log is closed: every follower ends. */
  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  /** Implements ReadableLog.follow(). */
  async *follow(
    log: Pick<ReadableLog, 'firstSeq' | 'read' | 'refresh'>,
    afterSeq: number,
    signal: AbortSignal,
  ): AsyncGenerator<StoredRecord> {
    const isOver = (): boolean => this.#isClosed || signal.aborted;
    let nextSeq = afterSeq + 1;
    while (!isOver()) {
      const version = this.#version;
      let firstSeq: number | undefined;
      try {
        await log.refresh();
        firstSeq = log.firstSeq;
        for await (const stored of log.read(nextSeq)) {
          if (stored.firstSeq < nextSeq) continue;
          if (isOver()) return;
          requireNext(log, stored, nextSeq);
          yield stored;
          nextSeq = endOf(stored) + 1;
        }
      } catch (error) {
        if (isOver()) return;
        // Unless a prune removed a part during the read: then read again what is left.
        if (log.firstSeq === firstSeq || firstSeq === undefined) throw error;
        requireReach(log, nextSeq);
        continue;
      }
      requireReach(log, nextSeq);
      await this.#waitForMore(version, signal);
    }
  }

  /** Settles once there is more than at `version`, the signal is aborted, or it is time to poll. */
  #waitForMore(version: number, signal: AbortSignal): Promise<void> {
    if (this.#version !== version || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(alarm);
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const alarm = this.#pollMs === undefined ? undefined : setTimeout(wake, this.#pollMs);
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}

function requireReach({ firstSeq }: Pick<ReadableLog, 'firstSeq'>, nextSeq: number): void {
  if (firstSeq !== undefined && firstSeq > nextSeq) throw new LogPruned(nextSeq, firstSeq);
}

function requireNext(log: Pick<ReadableLog, 'firstSeq'>, { firstSeq }: StoredRecord, nextSeq: number): void {
  if (firstSeq === nextSeq) return;
  requireReach(log, nextSeq);
  throw new LogUnreadable(`no record of the log begins at seq ${nextSeq}; the next one begins at ${firstSeq}`);
}

function endOf({ firstSeq, bytes }: StoredRecord): number {
  const lastSeq = lastSeqOf(bytes);
  if (lastSeq === undefined) throw new LogUnreadable(`the record at seq ${firstSeq} is not sound`);
  return lastSeq;
}
