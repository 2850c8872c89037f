// A log that lives as long as its process: for tests, and for worlds that nobody wants back.
import { type CommandLog, LogConflict, type StoredRecord } from './log.js';

export class MemoryLog implements CommandLog {
  readonly #records: StoredRecord[] = [];

  append(firstSeq: number, bytes: Uint8Array): Promise<void> {
    const newest = this.#records.at(-1);
    if (newest !== undefined && newest.firstSeq >= firstSeq) return Promise.reject(new LogConflict(firstSeq));
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
    this.#records.pop();
  }

  async close(): Promise<void> {}
}
