// A log that lives as long as its process: for tests, and for worlds that nobody wants back.
import { type CommandLog, LogConflict, type StoredRecord } from './log.js';

export class MemoryLog implements CommandLog {
  #records: StoredRecord[] = [];
  /** Seqs at which it was cut, ascending. */
  #cuts: number[] = [];

  get firstSeq(): number | undefined {
    return this.#cuts[0] ?? this.#records[0]?.firstSeq;
  }

  append(firstSeq: number, bytes: Uint8Array): Promise<void> {
    const newestCut = this.#cuts.at(-1) ?? 0;
    const newest = this.#records.at(-1)?.firstSeq ?? 0;
    const isAtCut = newest >= newestCut || firstSeq === newestCut;
    if (newest >= firstSeq || !isAtCut) return Promise.reject(new LogConflict(firstSeq));
    // A log begins where its first record does, and can be pruned up to there.
    if (this.#cuts.length === 0) this.#cuts.push(firstSeq);
    this.#records.push({ firstSeq, bytes });
    return Promise.resolve();
  }

  async *read(fromSeq: number): AsyncGenerator<StoredRecord> {
    const next = this.#records.findIndex((record) => record.firstSeq > fromSeq);
    const after = next === -1 ? this.#records.length : next;
    yield* this.#records.slice(Math.max(after - 1, 0));
  }

  async last(): Promise<StoredRecord | undefined> {
    return this.#records.at(-1);
  }

  async dropLast(firstSeq: number): Promise<void> {
    if (this.#records.at(-1)?.firstSeq !== firstSeq) throw new RangeError(`seq ${firstSeq} is not the newest record`);
    if (firstSeq < (this.#cuts.at(-1) ?? 0)) throw new RangeError(`the record at seq ${firstSeq} stands before a cut`);
    this.#records.pop();
  }

  async cut(nextSeq: number): Promise<void> {
    const newestCut = this.#cuts.at(-1) ?? 0;
    const newest = this.#records.at(-1)?.firstSeq ?? 0;
    if (nextSeq === newestCut && newest < nextSeq) return;
    if (nextSeq <= newest || newestCut > newest) throw new RangeError(`the log cannot be cut at seq ${nextSeq}`);
    this.#cuts.push(nextSeq);
  }

  async prune(keepFromSeq: number): Promise<void> {
    const from = this.#cuts.findLast((seq) => seq <= keepFromSeq);
    if (from === undefined) return;
    this.#cuts = this.#cuts.filter((seq) => seq >= from);
    this.#records = this.#records.filter(({ firstSeq }) => firstSeq >= from);
  }

  async refresh(): Promise<void> {}

  async close(): Promise<void> {}
}
