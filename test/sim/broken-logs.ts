// Logs that are broken on purpose: each wraps a sound one and breaks one thing. Used only by the breakages.
import { crc32 } from 'node:zlib';
import {
  type BatchRecord,
  decodeRecord,
  type EntryList,
  encodeRecord,
  lastSeqOf,
  recordHash,
} from '../../persistence/log/batch-record.js';
import {
  type Append,
  type CommandLog,
  Fenced,
  LogWriteFailed,
  type StoredRecord,
  UnknownOutcome,
} from '../../persistence/log/log.js';

/** Passes every call on. */
export class LogBefore implements CommandLog {
  constructor(protected readonly log: CommandLog) {}

  acquire(): Promise<number> {
    return this.log.acquire();
  }

  currentEpoch(): Promise<number> {
    return this.log.currentEpoch();
  }

  append(append: Append): Promise<void> {
    return this.log.append(append);
  }

  follow(afterSeq: number, signal: AbortSignal): AsyncIterable<StoredRecord> {
    return this.log.follow(afterSeq, signal);
  }

  read(fromSeq: number): AsyncIterable<StoredRecord> {
    return this.log.read(fromSeq);
  }

  last(): Promise<StoredRecord | undefined> {
    return this.log.last();
  }

  dropLast(epoch: number, firstSeq: number): Promise<void> {
    return this.log.dropLast(epoch, firstSeq);
  }

  refresh(): Promise<void> {
    return this.log.refresh();
  }

  get firstSeq(): number | undefined {
    return this.log.firstSeq;
  }

  cut(epoch: number, nextSeq: number): Promise<void> {
    return this.log.cut(epoch, nextSeq);
  }

  prune(epoch: number, keepFromSeq: number): Promise<void> {
    return this.log.prune(epoch, keepFromSeq);
  }

  close(): Promise<void> {
    return this.log.close();
  }
}

/** Changes each record that comes from disk, as a broken reader would. */
export class MisreadLog extends LogBefore {
  /** @param misread returns the changed record; undefined if it is skipped */
  constructor(
    log: CommandLog,
    private readonly misread: (record: StoredRecord, newest: StoredRecord) => StoredRecord | undefined,
  ) {
    super(log);
  }

  override async *read(fromSeq: number): AsyncGenerator<StoredRecord> {
    const newest = await this.log.last();
    for await (const record of this.log.read(fromSeq)) {
      const misread = newest && this.misread(record, newest);
      if (misread !== undefined) yield misread;
    }
  }
}

/** As if checksums were not checked. */
export function withoutChecksum({ firstSeq, bytes }: StoredRecord): StoredRecord {
  const mended = Buffer.from(bytes);
  if (mended.length >= 8) mended.writeUInt32BE(crc32(mended.subarray(8)), 4);
  return { firstSeq, bytes: mended };
}

/** As if any damage to the newest record were a torn write. */
export function withForgivenTail(record: StoredRecord, newest: StoredRecord): StoredRecord {
  const isDamaged = record.firstSeq === newest.firstSeq && lastSeqOf(record.bytes) === undefined;
  return isDamaged ? { ...record, bytes: record.bytes.subarray(0, 1) } : record;
}

/** Writes other entries than it was given, in records that are sound and continue each other. */
export class MiswrittenLog extends LogBefore {
  #previousHash: Uint8Array | undefined;

  /** @param change turns the entries of a record into records, each with its entries */
  constructor(
    log: CommandLog,
    private readonly change: (entries: EntryList) => EntryList[],
  ) {
    super(log);
  }

  override async append(append: Append): Promise<void> {
    const record = decoded(append);
    let seq = append.expectedSeq + 1;
    const records = this.change([...record.entries]);
    for (const [index, entries] of records.entries()) {
      const count = entries.length / 2;
      const lastSeq = index === records.length - 1 ? append.lastSeq : seq + count - 1;
      const previousHash = this.#previousHash ?? record.previousHash;
      const changed = encodeRecord({ ...record, firstSeq: seq, count, entries, previousHash });
      this.#previousHash = recordHash(changed);
      await this.log.append({ ...append, expectedSeq: seq - 1, lastSeq, bytes: changed });
      seq += count;
    }
  }
}

/** Each entry in a record of its own. */
export function oneByOne(entries: EntryList): EntryList[] {
  let atMs = 0;
  return Array.from({ length: entries.length / 2 }, (_, index) => {
    // Numbers and rows alternate in a list of entries.
    atMs += entries[2 * index] as number;
    return [atMs, entries[2 * index + 1] as EntryList[number]];
  });
}

/** All but the second entry. */
export function withoutSecond(entries: EntryList): EntryList[] {
  return [entries.length > 4 ? entries.toSpliced(2, 2) : entries];
}

/** The first two entries in reverse order. */
export function swapped(entries: EntryList): EntryList[] {
  const [firstMs, first, secondMs, second, ...rest] = entries;
  if (firstMs === undefined || first === undefined || secondMs === undefined || second === undefined) return [entries];
  return [[firstMs, second, secondMs, first, ...rest]];
}

/** Prunes as much as it can. */
export class GreedyLog extends LogBefore {
  override prune(epoch: number): Promise<void> {
    return this.log.prune(epoch, Number.MAX_SAFE_INTEGER);
  }
}

/** Writes a record once more if the write failed. */
export class StubbornLog extends LogBefore {
  override append(append: Append): Promise<void> {
    return this.log.append(append).catch(() => this.log.append(append));
  }
}

/** Writes a record once more if its outcome is unknown. */
export class BlindLog extends LogBefore {
  override append(append: Append): Promise<void> {
    return this.log.append(append).catch((error: unknown) => {
      if (error instanceof UnknownOutcome) return this.log.append(append);
      throw error;
    });
  }
}

/** Counts a record as written if its outcome is unknown. */
export class TrustingLog extends LogBefore {
  override append(append: Append): Promise<void> {
    return this.log.append(append).catch((error: unknown) => {
      if (!(error instanceof UnknownOutcome)) throw error;
    });
  }
}

/** Acquires the log again if another process has acquired it. */
export class JealousLog extends LogBefore {
  override append(append: Append): Promise<void> {
    return this.log.append(append).catch(async (error: unknown) => {
      if (!(error instanceof Fenced)) throw error;
      await this.log.append({ ...append, epoch: await this.log.acquire() });
    });
  }
}

/** Treats a refused cut as a failed write. */
export class TouchyLog extends LogBefore {
  override cut(epoch: number, nextSeq: number): Promise<void> {
    return this.log.cut(epoch, nextSeq).catch((error: unknown) => Promise.reject(new LogWriteFailed(nextSeq, error)));
  }
}

/** Counts a record as written as soon as it is handed over. */
export class HastyLog extends LogBefore {
  #writing: Promise<void> = Promise.resolve();

  override async append(append: Append): Promise<void> {
    this.#writing = this.#writing.then(() => this.log.append(append)).catch(() => {});
  }
}

function decoded({ expectedSeq, bytes }: Append): BatchRecord {
  const firstSeq = expectedSeq + 1;
  const previousHash = bytes.subarray(28, 44);
  const record = decodeRecord(bytes, { firstSeq, previousHash });
  if (typeof record === 'string') throw new Error(`an append of a record that is not sound: ${record}`);
  return record;
}
