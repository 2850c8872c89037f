// Reads the entries of a log one after the other, and knows the next one before it is applied: the present of a replay must not pass
// it. It checks each record's frame, and that the record continues the previous one.
import { decodeCommand } from '../../engine/commands/table.js';
import { decodeRecord, forEachEntry, previousHashOf, RECORD_FAULTS, recordHash } from '../log/batch-record.js';
import type { ReadableLog, StoredRecord } from '../log/log.js';
import type { LogEntry } from '../recovery/log-entries.js';
import { RecoveryRefused } from '../recovery/replay.js';

export class EntryCursor {
  readonly #log: ReadableLog;
  /** Null before the first record, and at the end of the log. */
  #records: AsyncIterator<StoredRecord> | null = null;
  /** Hash of the record before; null before the first. */
  #hash: Uint8Array | null = null;
  /** Entries of the last record that was read, from #place on. */
  #entries: LogEntry[] = [];
  #place = 0;
  #nextSeq: number;
  /** What fill() does now: playing and a movement may ask at the same time. */
  #filling: Promise<boolean> | null = null;

  /** @param log only the cursor reads it, and closes it @param afterSeq seq before the first entry */
  constructor(log: ReadableLog, afterSeq: number) {
    this.#log = log;
    this.#nextSeq = afterSeq + 1;
  }

  /** The next entry; null if it is not read yet, or at the end of the log. */
  get next(): LogEntry | null {
    return this.#entries[this.#place] ?? null;
  }

  /** Moves past the next entry. */
  take(): void {
    this.#place += 1;
    this.#nextSeq += 1;
  }

  /**
   * Reads on until the next entry is known. At the end of the log, it looks for what another process has appended.
   *
   * @returns false if there is no next entry
   * @throws RecoveryRefused, LogUnreadable
   */
  fill(): Promise<boolean> {
    this.#filling ??= this.#fillNow().finally(() => {
      this.#filling = null;
    });
    return this.#filling;
  }

  /** Ends reading. */
  async close(): Promise<void> {
    await this.#filling?.catch(() => {});
    await this.#records?.return?.();
    this.#records = null;
    await this.#log.close();
  }

  async #fillNow(): Promise<boolean> {
    await this.#readOn();
    if (this.next !== null) return true;
    await this.#log.refresh();
    this.#hash = null;
    this.#records = this.#log.read(Math.max(this.#nextSeq, 1))[Symbol.asyncIterator]();
    await this.#readOn();
    return this.next !== null;
  }

  /** Reads on until the next entry is known, or to the end of the log. */
  async #readOn(): Promise<void> {
    while (this.next === null && this.#records !== null) {
      const { done, value } = await this.#records.next();
      if (done === true || !(await this.#read(value))) this.#records = null;
    }
  }

  /** @returns false if it is the newest record, and incomplete: the process that wrote it has died */
  async #read({ firstSeq, bytes }: StoredRecord): Promise<boolean> {
    const record = decodeRecord(bytes, { firstSeq, previousHash: this.#hash ?? previousHashOf(bytes) });
    if (typeof record === 'string') {
      const { torn, sentence } = RECORD_FAULTS[record];
      if (torn && (await this.#log.last())?.firstSeq === firstSeq) return false;
      throw new RecoveryRefused(firstSeq, `the record there is not sound (${record}): ${sentence}`);
    }
    this.#hash = recordHash(bytes);
    this.#entries = [];
    this.#place = 0;
    let seq = firstSeq;
    forEachEntry(record, (atMs, row) => {
      if (seq >= this.#nextSeq) this.#entries.push({ seq, atMs, command: decodeCommand(row) });
      seq += 1;
    });
    const [first] = this.#entries;
    if (first !== undefined && first.seq !== this.#nextSeq) {
      throw new RecoveryRefused(this.#nextSeq, `an entry must be there, but the next one has seq ${first.seq}`);
    }
    return true;
  }
}
