// Reads the entries of a log one by one, without applying them. It checks each record's frame, and that the record
// continues the previous one.
import { type Command, decodeCommand } from '../../engine/commands/table.js';
import { decodeRecord, entriesOf, lastSeqOf, previousHashOf, recordHash } from '../log/batch-record.js';
import type { ReadableLog } from '../log/log.js';
import { RecoveryRefused, requireTornTail } from './replay.js';

export interface LogEntry {
  readonly seq: number;
  /** World time in milliseconds. */
  readonly atMs: number;
  readonly command: Command;
}

/**
 * Yields the entries from `fromSeq` to the end of the log.
 *
 * @throws RecoveryRefused at the first damaged record
 */
export async function* logEntries(log: ReadableLog, fromSeq: number): AsyncGenerator<LogEntry> {
  const newest = await log.last();
  let seenSeq = 0;
  for await (const entries of entriesByRecord(log, fromSeq, false)) {
    yield* entries;
    seenSeq = entries.at(-1)?.seq ?? seenSeq;
  }
  // After the newest entry there is nothing to read.
  const lastSeq = newest && (lastSeqOf(newest.bytes) ?? newest.firstSeq);
  if (newest !== undefined && lastSeq !== undefined && lastSeq >= fromSeq && seenSeq < newest.firstSeq) {
    throw new RecoveryRefused(
      seenSeq + 1,
      `records are missing, since the newest one begins at seq ${newest.firstSeq}`,
    );
  }
}

/**
 * Yields the entries from `fromSeq` on, those of each record together.
 *
 * @param endsAtTorn whether it ends before the newest record if that is incomplete: the process that wrote it has died
 * @throws RecoveryRefused at the first damaged record
 */
async function* entriesByRecord(log: ReadableLog, fromSeq: number, endsAtTorn: boolean): AsyncGenerator<LogEntry[]> {
  let hash: Uint8Array | undefined;
  for await (const stored of log.read(fromSeq)) {
    const { firstSeq, bytes } = stored;
    const record = decodeRecord(bytes, { firstSeq, previousHash: hash ?? previousHashOf(bytes) });
    if (typeof record === 'string') {
      requireTornTail(stored, record, endsAtTorn && (await log.last())?.firstSeq === firstSeq);
      return;
    }
    hash = recordHash(bytes);
    const entries: LogEntry[] = [];
    let seq = firstSeq;
    for (const [atMs, row] of entriesOf(record)) {
      if (seq >= fromSeq) entries.push({ seq, atMs, command: decodeCommand(row) });
      seq += 1;
    }
    yield entries;
  }
}

/** Knows the next entry of a log before it is applied: the present of a replay must not pass it. */
export class EntryCursor {
  readonly #log: ReadableLog;
  /** Null before the first record, and at the end of the log. */
  #records: AsyncIterator<LogEntry[]> | null = null;
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
    this.#records = entriesByRecord(this.#log, Math.max(this.#nextSeq, 1), true);
    await this.#readOn();
    return this.next !== null;
  }

  /** Reads on until the next entry is known, or to the end of the log. */
  async #readOn(): Promise<void> {
    while (this.next === null && this.#records !== null) {
      const { done, value } = await this.#records.next();
      if (done === true) this.#records = null;
      else this.#begin(value);
    }
  }

  #begin(entries: LogEntry[]): void {
    this.#entries = entries;
    this.#place = 0;
    const [first] = entries;
    if (first !== undefined && first.seq !== this.#nextSeq) {
      throw new RecoveryRefused(this.#nextSeq, `an entry must be there, but the next one has seq ${first.seq}`);
    }
  }
}
