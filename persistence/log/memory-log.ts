// A log that lives as long as its process: for tests, and for worlds that need not survive.
import { type Append, Fenced, LogConflict, Misplaced, type NewLog, type StoredRecord } from './log.js';
import { LogFollowers } from './log-followers.js';

/** The contents of a log in memory. */
export interface MemoryRecords {
  records: StoredRecord[];
  /** Seqs at which it was cut, ascending. */
  cuts: number[];
  epoch: number;
  lastSeq: number;
  /** Whether only the newest record is kept. */
  readonly isForgetful: boolean;
  /** Those of all logs that are open on these contents. */
  readonly followers: Set<LogFollowers>;
}

export function noRecords(isForgetful: boolean = false): MemoryRecords {
  return { records: [], cuts: [], epoch: 0, lastSeq: 0, isForgetful, followers: new Set() };
}

export class MemoryLog implements NewLog {
  readonly #stored: MemoryRecords;
  readonly #followers = new LogFollowers();

  /** @param stored may be shared by several logs: one writes, the others read */
  constructor(stored: MemoryRecords = noRecords()) {
    this.#stored = stored;
    stored.followers.add(this.#followers);
  }

  get firstSeq(): number | undefined {
    return this.#stored.cuts[0] ?? this.#stored.records[0]?.firstSeq;
  }

  async acquire(): Promise<number> {
    this.#stored.epoch += 1;
    return this.#stored.epoch;
  }

  async currentEpoch(): Promise<number> {
    return this.#stored.epoch;
  }

  append({ epoch, expectedSeq, lastSeq, bytes }: Append): Promise<void> {
    const firstSeq = expectedSeq + 1;
    if (epoch !== this.#stored.epoch) return Promise.reject(new Fenced(epoch));
    if (expectedSeq !== this.#stored.lastSeq) return Promise.reject(new LogConflict(firstSeq));
    if (this.#stored.isForgetful) {
      this.#stored.records = [];
      this.#stored.cuts = [];
    }
    // A log begins with its first record, and can be pruned up to there.
    if (this.#stored.cuts.length === 0) this.#stored.cuts.push(firstSeq);
    this.#stored.records.push({ firstSeq, bytes });
    this.#stored.lastSeq = lastSeq;
    for (const followers of this.#stored.followers) followers.wake();
    return Promise.resolve();
  }

  async appendAll(appends: readonly Append[]): Promise<void> {
    for (const append of appends) await this.append(append);
  }

  async *read(fromSeq: number): AsyncGenerator<StoredRecord> {
    const { records } = this.#stored;
    const holding = records.findLastIndex(({ firstSeq }) => firstSeq <= fromSeq);
    yield* records.slice(Math.max(holding, 0));
  }

  follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<StoredRecord> {
    return this.#followers.follow(this, afterSeq, signal);
  }

  async last(): Promise<StoredRecord | undefined> {
    return this.#stored.records.at(-1);
  }

  async dropLast(epoch: number, firstSeq: number): Promise<void> {
    this.#requireEpoch(epoch);
    if (this.#stored.records.at(-1)?.firstSeq !== firstSeq)
      throw new Misplaced(`seq ${firstSeq} is not the newest record`);
    if (firstSeq < (this.#stored.cuts.at(-1) ?? 0))
      throw new Misplaced(`the record at seq ${firstSeq} comes before a cut`);
    this.#stored.records.pop();
    this.#stored.lastSeq = firstSeq - 1;
  }

  async cut(epoch: number, nextSeq: number): Promise<void> {
    this.#requireEpoch(epoch);
    const newestCut = this.#stored.cuts.at(-1);
    const newest = this.#stored.records.at(-1)?.firstSeq ?? 0;
    if (nextSeq === newestCut && newest < nextSeq) return;
    const isEmpty = newestCut === undefined;
    if (isEmpty ? nextSeq < 1 : newestCut > newest || nextSeq !== this.#stored.lastSeq + 1) {
      throw new Misplaced(`the log cannot be cut at seq ${nextSeq}`);
    }
    this.#stored.cuts.push(nextSeq);
    this.#stored.lastSeq = nextSeq - 1;
  }

  async prune(epoch: number, keepFromSeq: number): Promise<void> {
    this.#requireEpoch(epoch);
    const from = this.#stored.cuts.findLast((seq) => seq <= keepFromSeq);
    if (from === undefined) return;
    this.#stored.cuts = this.#stored.cuts.filter((seq) => seq >= from);
    this.#stored.records = this.#stored.records.filter(({ firstSeq }) => firstSeq >= from);
  }

  async refresh(): Promise<void> {}

  async close(): Promise<void> {
    this.#stored.followers.delete(this.#followers);
    this.#followers.close();
  }

  #requireEpoch(epoch: number): void {
    if (epoch !== this.#stored.epoch) throw new Fenced(epoch);
  }
}
