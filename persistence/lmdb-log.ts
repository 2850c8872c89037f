// The embedded log: one LMDB environment a segment under <data>/log, one LMDB record a batch. The only file that knows LMDB.
// A segment is a folder named after the seq it begins with; reading goes through all of them, writing to the newest.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { open, type RootDatabase } from 'lmdb';
import { makeFolder, syncFolder } from './folder-sync.js';
import { BYTES_PER_READ, RECORDS_PER_READ } from './limits.js';
import { requireLmdbFile } from './lmdb-header.js';
import { type CommandLog, LogConflict, LogUnreadable, LogWriteFailed, type StoredRecord } from './log.js';

/** lmdb's put() takes the options of its putSync(), which its types leave out; the contract suite proves that it does. */
type Environment = RootDatabase<Buffer, Buffer> & {
  put(key: Buffer, value: Buffer, options: { append: true }): Promise<boolean>;
};

interface Segment {
  readonly firstSeq: number;
  readonly path: string;
  readonly environment: Environment;
}

type SyncFolder = typeof syncFolder;

const SEGMENT_NAME = /^log-(\d{16})$/;

export class LmdbLog implements CommandLog {
  readonly #folder: string;
  readonly #segments: Segment[];
  readonly #sync: SyncFolder;
  #isAppending = false;
  #failure: Error | undefined;

  private constructor(folder: string, segments: Segment[], sync: SyncFolder) {
    this.#folder = folder;
    this.#sync = sync;
    this.#segments = segments;
  }

  /**
   * @param folder holds the segments; made where it is missing
   * @param sync what makes the names in a folder durable; tests put their own in place
   * @throws LogUnreadable
   */
  static async open(folder: string, sync: SyncFolder = syncFolder): Promise<LmdbLog> {
    await makeFolder(folder);
    const names = (await readdir(folder)).filter((name) => SEGMENT_NAME.test(name)).sort();
    const segments: Segment[] = [];
    try {
      for (const name of names) segments.push(openSegment(folder, Number(SEGMENT_NAME.exec(name)?.[1])));
      // Whoever made the newest one may have died before its names were on disk.
      const newest = segments.at(-1);
      if (newest !== undefined) await syncNames(newest, folder, sync);
    } catch (error) {
      for (const { environment } of segments) await environment.close();
      throw error;
    }
    return new LmdbLog(folder, segments, sync);
  }

  async append(firstSeq: number, bytes: Uint8Array): Promise<void> {
    if (this.#isAppending) throw new Error('an append is in flight already');
    if (this.#failure !== undefined) throw this.#failure;
    this.#isAppending = true;
    try {
      const environment = this.#segments.at(-1)?.environment ?? (await this.#beginSegment(firstSeq));
      await this.#write(environment, firstSeq, bytes);
    } catch (error) {
      this.#failure = error instanceof LogConflict ? error : new LogWriteFailed(firstSeq, error);
      throw this.#failure;
    } finally {
      this.#isAppending = false;
    }
  }

  async *read(fromSeq: number): AsyncGenerator<StoredRecord> {
    const beyond = this.#segments.findIndex((segment) => segment.firstSeq > fromSeq);
    const after = beyond === -1 ? this.#segments.length : beyond;
    for (const segment of this.#segments.slice(Math.max(after - 1, 0))) {
      yield* readSegment(segment, fromSeq);
    }
  }

  async last(): Promise<StoredRecord | undefined> {
    for (const segment of this.#segments.toReversed()) {
      const newest = newestOf(segment);
      if (newest !== undefined) return newest;
    }
    return undefined;
  }

  async dropLast(firstSeq: number): Promise<void> {
    const segment = this.#segments.findLast((candidate) => newestOf(candidate) !== undefined);
    if (segment === undefined || newestOf(segment)?.firstSeq !== firstSeq) {
      throw new RangeError(`seq ${firstSeq} is not the newest record`);
    }
    try {
      await segment.environment.remove(keyOf(firstSeq));
    } catch (error) {
      this.#failure = new LogWriteFailed(firstSeq, await commitError(error));
      throw this.#failure;
    }
    await segment.environment.flushed;
  }

  async close(): Promise<void> {
    // After a failed commit lmdb waits for its flush for ever; the process is about to die then anyway.
    if (this.#failure instanceof LogWriteFailed) return;
    for (const { environment } of this.#segments) {
      await environment.flushed;
      await environment.close();
    }
    this.#segments.length = 0;
    this.#failure ??= new Error('the log is closed');
  }

  async #beginSegment(firstSeq: number): Promise<Environment> {
    const segment = openSegment(this.#folder, firstSeq);
    this.#segments.push(segment);
    await syncNames(segment, this.#folder, this.#sync);
    return segment.environment;
  }

  async #write(environment: Environment, firstSeq: number, bytes: Uint8Array): Promise<void> {
    let isNewest: boolean;
    try {
      // The append flag makes LMDB refuse a key that is not above all others: what fences off a second writer.
      isNewest = await environment.put(keyOf(firstSeq), asBuffer(bytes), { append: true });
    } catch (error) {
      throw await commitError(error);
    }
    if (!isNewest) throw new LogConflict(firstSeq);
    // Committed is only visible; flushed is durable. After a failed commit this never settles: the writer watches the time.
    await environment.flushed;
  }
}

function openSegment(folder: string, firstSeq: number): Segment {
  const path = join(folder, `log-${String(firstSeq).padStart(16, '0')}`);
  try {
    requireLmdbFile(join(path, 'data.mdb'));
    const environment = open<Buffer, Buffer>({
      path,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      compression: false,
      // With batching, a process that crashes with puts queued hangs instead of dying.
      eventTurnBatching: false,
    });
    return { firstSeq, path, environment: environment as Environment };
  } catch (error) {
    throw new LogUnreadable(`the log segment ${path} cannot be opened: ${String(error)}`, { cause: error });
  }
}

/** Until then a record on disk may be lost with the name of its file, or of the segment. */
async function syncNames(segment: Segment, folder: string, sync: SyncFolder): Promise<void> {
  await sync(segment.path);
  await sync(folder);
}

async function* readSegment(segment: Segment, fromSeq: number): AsyncGenerator<StoredRecord> {
  const [holding] = rangeOf(segment, { start: keyOf(fromSeq), reverse: true, limit: 1 });
  let startSeq = holding?.firstSeq ?? fromSeq;
  for (;;) {
    const records = rangeOf(segment, { start: keyOf(startSeq), limit: RECORDS_PER_READ });
    yield* records;
    const newest = records.at(-1);
    if (newest === undefined) return;
    startSeq = newest.firstSeq + 1;
    await nextTurn();
  }
}

function newestOf(segment: Segment): StoredRecord | undefined {
  return rangeOf(segment, { reverse: true, limit: 1 })[0];
}

/** What one look finds: records of BYTES_PER_READ at most, or one record. */
function rangeOf(segment: Segment, range: { start?: Buffer; reverse?: boolean; limit: number }): StoredRecord[] {
  try {
    const records: StoredRecord[] = [];
    let byteCount = 0;
    for (const { key, value } of segment.environment.getRange(range)) {
      records.push({ firstSeq: seqOf(key), bytes: value });
      byteCount += value.length;
      if (byteCount >= BYTES_PER_READ) break;
    }
    return records;
  } catch (error) {
    throw new LogUnreadable(`the log segment ${segment.path} cannot be read: ${String(error)}`, { cause: error });
  }
}

/** Eight bytes, most significant first, so that the order of keys is the order of seqs. LMDB's own integers wrap at 2^32. */
function keyOf(seq: number): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeBigUInt64BE(BigInt(seq));
  return key;
}

function seqOf(key: Buffer): number {
  if (key.length !== 8) throw new Error(`a key of ${key.length} bytes is not a seq`);
  return Number(key.readBigUInt64BE());
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** What really went wrong in a failed commit: lmdb tells it in a second promise, which must be handled at once. */
async function commitError(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error;
  try {
    await Promise.race([error.commitError, nextTurn()]);
    return error;
  } catch (cause) {
    return cause;
  }
}
