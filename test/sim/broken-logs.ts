// Logs that are broken on purpose: each is a sound one with one thing broken. Used only by the breakages.
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
  type WriterLog,
} from '../../persistence/log/log.js';
import { altered } from '../support/altered.js';

export type Misread = (record: StoredRecord, newest: StoredRecord) => StoredRecord | undefined;

/**
 * Changes each record that comes from disk, as a broken reader would.
 *
 * @param misread returns the changed record; undefined if it is skipped
 */
export function misreadLog(log: CommandLog, misread: Misread): CommandLog {
  return altered(log, {
    async *read(fromSeq) {
      const newest = await log.last();
      for await (const record of log.read(fromSeq)) {
        const changed = newest && misread(record, newest);
        if (changed !== undefined) yield changed;
      }
    },
  });
}

/** Acts as if checksums were not checked. */
export function withoutChecksum({ firstSeq, bytes }: StoredRecord): StoredRecord {
  const mended = Buffer.from(bytes);
  if (mended.length >= 8) mended.writeUInt32BE(crc32(mended.subarray(8)), 4);
  return { firstSeq, bytes: mended };
}

/** Acts as if any damage to the newest record were a torn write. */
export function withForgivenTail(record: StoredRecord, newest: StoredRecord): StoredRecord {
  const isDamaged = record.firstSeq === newest.firstSeq && lastSeqOf(record.bytes) === undefined;
  return isDamaged ? { ...record, bytes: record.bytes.subarray(0, 1) } : record;
}

/**
 * Writes other entries than it was given, in records that are sound and continue each other.
 *
 * @param change turns the entries of a record into records, each with its entries
 */
export function miswrittenLog(log: CommandLog, change: (entries: EntryList) => EntryList[]): CommandLog {
  let previousHash: Uint8Array | undefined;
  return altered(log, {
    async append(append) {
      const record = decoded(append);
      let seq = append.expectedSeq + 1;
      const records = change([...record.entries]);
      for (const [index, entries] of records.entries()) {
        const count = entries.length / 2;
        const lastSeq = index === records.length - 1 ? append.lastSeq : seq + count - 1;
        const hash = previousHash ?? record.previousHash;
        const bytes = encodeRecord({ ...record, firstSeq: seq, count, entries, previousHash: hash });
        previousHash = recordHash(bytes);
        await log.append({ ...append, expectedSeq: seq - 1, lastSeq, bytes });
        seq += count;
      }
    },
  });
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
export function greedyLog(log: CommandLog): CommandLog {
  return altered(log, { prune: (epoch) => log.prune(epoch, Number.MAX_SAFE_INTEGER) });
}

/** Does something else after a failed append. */
function afterFailure<Log extends Pick<CommandLog, 'append'>>(
  log: Log,
  next: (error: unknown, append: Append) => Promise<void>,
): Log {
  const append: Log['append'] = (append) => log.append(append).catch((error: unknown) => next(error, append));
  return altered<Log>(log, { append } as Partial<Log>);
}

/** Writes a record once more if the write failed. */
export function stubbornLog(log: CommandLog): CommandLog {
  return afterFailure(log, (_, append) => log.append(append));
}

/** Writes a record once more if its outcome is unknown. */
export function blindLog(log: WriterLog): WriterLog {
  return afterFailure(log, async (error, append) => {
    if (!(error instanceof UnknownOutcome)) throw error;
    await log.append(append);
  });
}

/** Counts a record as written if its outcome is unknown. */
export function trustingLog(log: WriterLog): WriterLog {
  return afterFailure(log, async (error) => {
    if (!(error instanceof UnknownOutcome)) throw error;
  });
}

/** Acquires the log again if another process has acquired it. */
export function jealousLog(log: CommandLog): CommandLog {
  return afterFailure(log, async (error, append) => {
    if (!(error instanceof Fenced)) throw error;
    await log.append({ ...append, epoch: await log.acquire() });
  });
}

/** Treats a refused cut as a failed write. */
export function touchyLog(log: CommandLog): CommandLog {
  return altered(log, {
    cut: (epoch, nextSeq) =>
      log.cut(epoch, nextSeq).catch((error: unknown) => Promise.reject(new LogWriteFailed(nextSeq, error))),
  });
}

/** Counts a record as written as soon as it is handed over. */
export function hastyLog(log: CommandLog): CommandLog {
  let writing: Promise<void> = Promise.resolve();
  return altered(log, {
    async append(append) {
      writing = writing.then(() => log.append(append)).catch(() => {});
    },
  });
}

/** Passes over each fifth record that it follows. */
export function skippingLog(log: CommandLog): CommandLog {
  let count = 0;
  return altered(log, {
    async *follow(afterSeq, signal) {
      for await (const record of log.follow(afterSeq, signal)) {
        count += 1;
        if (count % 5 !== 0) yield record;
      }
    },
  });
}

/** Ends right after the first record that it reads, while it is short; an append makes it whole again. */
export function shortLog(log: CommandLog, view: { isShort: boolean }): CommandLog {
  let last: StoredRecord | undefined;
  return altered(log, {
    async *read(fromSeq) {
      for await (const record of log.read(fromSeq)) {
        last = record;
        yield record;
        if (view.isShort) return;
      }
    },
    last: async () => (view.isShort ? last : await log.last()),
    append(append) {
      view.isShort = false;
      return log.append(append);
    },
  });
}

function decoded({ expectedSeq, bytes }: Append): BatchRecord {
  const firstSeq = expectedSeq + 1;
  const previousHash = bytes.subarray(28, 44);
  const record = decodeRecord(bytes, { firstSeq, previousHash });
  if (typeof record === 'string') throw new Error(`an append of a record that is not sound: ${record}`);
  return record;
}
