// A log that lives as long as its process: for tests, and for worlds that nobody wants back.

import { type Append, type CommandLog, Fenced, LogConflict, type StoredRecord } from './log.js';
import { LogFollowers } from './log-followers.js';

export class MemoryLog implements CommandLog {
  readonly #followers = new LogFollowers();
  #records: StoredRecord[] = [];
  /** Seqs at which it was cut, ascending. */
  #cuts: number[] = [];
  #epoch = 0;
  #lastSeq = 0;

  get firstSeq(): number | undefined {
    return this.#cuts[0] ?? this.#records[0]?.firstSeq;
  }

  async acquire(): Promise<number> {
    this.#epoch += 1;
    return this.#epoch;
  }

  async currentEpoch(): Promise<number> {
    return this.#epoch;
  }

  append({ epoch, expectedSeq, lastSeq, bytes }: Append): Promise<void> {
    const firstSeq = expectedSeq + 1;
    if (epoch !== this.#epoch) return Promise.reject(new Fenced(epoch));
    if (expectedSeq !== this.#lastSeq) return Promise.reject(new LogConflict(firstSeq));
    // A log begins where its first record does, and can be pruned up to there.
    if (this.#cuts.length === 0) this.#cuts.push(firstSeq);
    this.#records.push({ firstSeq, bytes });
    this.#lastSeq = lastSeq;
    this.#followers.wake();
    return Promise.resolve();
  }

  async *read(fromSeq: number): AsyncGenerator<StoredRecord> {
    const next = this.#records.findIndex((record) => record.firstSeq > fromSeq);
    const after = next === -1 ? this.#records.length : next;
    yield* this.#records.slice(Math.max(after - 1, 0));
  }

  follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<StoredRecord> {
    return this.#followers.follow(this, afterSeq, signal);
  }

  async last(): Promise<StoredRecord | undefined> {
    return this.#records.at(-1);
  }

  async dropLast(epoch: number, firstSeq: number): Promise<void> {
    this.#requireEpoch(epoch);
    if (this.#records.at(-1)?.firstSeq !== firstSeq) throw new RangeError(`seq ${firstSeq} is not the newest record`);
    if (firstSeq < (this.#cuts.at(-1) ?? 0)) throw new RangeError(`the record at seq ${firstSeq} stands before a cut`);
    this.#records.pop();
    this.#lastSeq = firstSeq - 1;
  }

  async cut(epoch: number, nextSeq: number): Promise<void> {
    this.#requireEpoch(epoch);
    const newestCut = this.#cuts.at(-1);
    const newest = this.#records.at(-1)?.firstSeq ?? 0;
    if (nextSeq === newestCut && newest < nextSeq) return;
    const isEmpty = newestCut === undefined;
    if (isEmpty ? nextSeq < 1 : newestCut > newest || nextSeq !== this.#lastSeq + 1) {
      throw new RangeError(`the log cannot be cut at seq ${nextSeq}`);
    }
    this.#cuts.push(nextSeq);
    this.#lastSeq = nextSeq - 1;
  }

  async prune(epoch: number, keepFromSeq: number): Promise<void> {
    this.#requireEpoch(epoch);
    const from = this.#cuts.findLast((seq) => seq <= keepFromSeq);
    if (from === undefined) return;
    this.#cuts = this.#cuts.filter((seq) => seq >= from);
    this.#records = this.#records.filter(({ firstSeq }) => firstSeq >= from);
  }

  async refresh(): Promise<void> {}

  async close(): Promise<void> {
    this.#followers.close();
  }

  #requireEpoch(epoch: number): void {
    if (epoch !== this.#epoch) throw new Fenced(epoch);
  }
}
