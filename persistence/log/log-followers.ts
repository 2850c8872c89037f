// Those who follow a log: they read what is durable, and wait for more. It never looks at how a log is stored.
import { lastSeqOf } from './batch-record.js';
import { LogPruned, LogUnreadable, type ReadableLog, type StoredRecord } from './log.js';

export class LogFollowers {
  readonly #pollMs: number | undefined;
  readonly #waiting = new Set<() => void>();
  /** How often there was more, so that a follower that was reading meanwhile looks again. */
  #version = 0;
  #isClosed = false;

  /** @param pollMs how often followers look without being woken; never by default */
  constructor(pollMs?: number) {
    this.#pollMs = pollMs;
  }

  /** There is more to read. Costs nothing if nobody waits. */
  wake(): void {
    this.#version += 1;
    for (const go of this.#waiting) go();
  }

  /** The log is closed: every follower ends. */
  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  /** What ReadableLog.follow() does. */
  async *follow(
    log: Pick<ReadableLog, 'firstSeq' | 'read' | 'refresh'>,
    afterSeq: number,
    signal: AbortSignal,
  ): AsyncGenerator<StoredRecord> {
    const isOver = (): boolean => this.#isClosed || signal.aborted;
    let nextSeq = afterSeq + 1;
    while (!isOver()) {
      const version = this.#version;
      await log.refresh();
      const { firstSeq } = log;
      try {
        for await (const stored of log.read(nextSeq)) {
          if (stored.firstSeq < nextSeq) continue;
          if (isOver()) return;
          requireNext(log, stored, nextSeq);
          yield stored;
          nextSeq = endOf(stored) + 1;
        }
      } catch (error) {
        if (isOver()) return;
        // A prune takes files away from under a read. What is left is read anew.
        if (log.firstSeq === firstSeq) throw error;
        requireReach(log, nextSeq);
        continue;
      }
      requireReach(log, nextSeq);
      await this.#moreThan(version, signal);
    }
  }

  /** Settles once there is more than at `version`, the signal is aborted, or it is time to look again. */
  #moreThan(version: number, signal: AbortSignal): Promise<void> {
    if (this.#version !== version || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(alarm);
        this.#waiting.delete(go);
        signal.removeEventListener('abort', go);
        resolve();
      };
      const alarm = this.#pollMs === undefined ? undefined : setTimeout(go, this.#pollMs);
      this.#waiting.add(go);
      signal.addEventListener('abort', go);
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
