// One segment of the log: a folder named after its first seq, which holds one LMDB file of records and, once the
// segment is closed, the closing mark that names its successor. It reads through lmdb-file.ts and writes through
// lmdb-environment.ts.
import { mkdir, rename, rmdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LostFile } from '../../files/disk-space.js';
import { syncFolder } from '../../files/folder-sync.js';
import { requirePlainFolderSync, UnfitFile } from '../../files/plain-file.js';
import { SpareFiles } from '../../files/spare-files.js';
import { BLANK_BYTES_MAX, BYTES_PER_READ, LMDB_FILES, RECORDS_PER_READ } from '../../limits.js';
import { LogUnreadable, type StoredRecord } from '../log.js';
import { type Guard, LmdbEnvironment, versionValue, type Written } from './lmdb-environment.js';
import { type LmdbEntry, LmdbFile } from './lmdb-file.js';
import { LmdbDamaged } from './lmdb-format.js';

/** Makes the names in a folder durable, or the bytes of a file. */
export type Sync = (path: string) => Promise<void>;

const FILE_NAME = 'data.mdb';
const FILE_NAMES = [FILE_NAME, 'lock.mdb'];
/** Descriptors of a segment that is open for reading and writing. */
const SEGMENT_FILES = LMDB_FILES + 1;
/** Error codes of the operating system, unlike those of Node. */
const SYSTEM_CODE = /^E[A-Z0-9]+$/;
/** Error codes of a rename if there is a folder of the new name. */
const TAKEN: ReadonlySet<unknown> = new Set(['EEXIST', 'ENOTEMPTY']);
/** No seq has sixteen digits (NUMBER_MAX). */
const SEGMENT_NAME = /^log-0(\d{15})$/;
/** Prefix of a segment that is being created. */
export const BEGUN_PREFIX = '.begun-';
/** Above every seq, so that nothing can be appended after it. */
const MARK_KEY = Buffer.alloc(8, 0xff);
const MARK_KEY_NUMBER = 2 ** 64;
/** Below every seq: the epoch of the segment's writer. */
const EPOCH_KEY = Buffer.alloc(8);
const FIRST_SEQ = 1;

export function segmentName(firstSeq: number): string {
  return `log-${String(firstSeq).padStart(16, '0')}`;
}

/** The first seq of a segment; undefined if the name is not that of a segment. */
export function firstSeqOf(name: string): number | undefined {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A segment could not be created, for the reason in its cause. Nothing that a reader or a start sees has changed. */
export class SegmentRefused extends Error {
  override readonly name = 'SegmentRefused';

  constructor(cause: unknown) {
    super('the log segment could not be created', { cause });
  }
}

/** There is a segment of this name: another process has created it. */
export class SegmentExists extends Error {
  override readonly name = 'SegmentExists';

  constructor(path: string) {
    super(`there is a log segment ${path} already`);
  }
}

/** The disk failed while a segment got its name: only a start shows whether it has it. */
class UnknownName extends Error {
  override readonly name = 'UnknownName';

  constructor(path: string, cause: unknown) {
    super(`the disk failed while the log segment ${path} got its name`, { cause });
  }
}

export class LmdbSegment {
  readonly firstSeq: number;
  readonly path: string;
  readonly #file: LmdbFile;
  #environment: LmdbEnvironment | undefined;

  private constructor(folder: string, firstSeq: number) {
    this.firstSeq = firstSeq;
    this.path = join(folder, segmentName(firstSeq));
    this.#file = this.#reading(() => {
      requirePlainFolderSync(this.path);
      return LmdbFile.open(join(this.path, FILE_NAME));
    });
  }

  /** Opens it for reading. @throws LogUnreadable; if there is no such file, its cause has the code ENOENT */
  static open(folder: string, firstSeq: number): LmdbSegment {
    return new LmdbSegment(folder, firstSeq);
  }

  /**
   * Creates an empty segment, which gets its name only when all of it is durable, and opens it for reading and writing.
   *
   * Until it has its name, it is invisible: it can be abandoned at any step, and the next start removes what a crash
   * leaves. Once it has its name, it cannot be abandoned. If its predecessor were appended to and a power failure then
   * brought the name back, the next start would find a predecessor that overlaps its successor, and refuse. So what can
   * be foreseen must not stop the steps after the rename: the descriptors that they need are reserved from the
   * beginning, and the folder has been opened and flushed before. Any failure there must end the process before another
   * append. The next start then finds the segment with or without its name, and continues.
   *
   * @throws SegmentRefused if the operating system refuses a step before it has its name
   * @throws SegmentExists
   */
  static async create(folder: string, firstSeq: number, epoch: number, sync: Sync = syncFolder): Promise<LmdbSegment> {
    const spare = await orRefused(() => SpareFiles.hold(SEGMENT_FILES));
    try {
      const path = join(folder, segmentName(firstSeq));
      const blank = blankPath(folder, firstSeq);
      await orRefused(async () => {
        await makeBlank(blank, sync, epoch);
        await sync(folder);
      }, blank);
      await orRefused(() => name(blank, path), blank);
      spare.give(1);
      await sync(folder);
      // sync() closed the folder in this same turn of the event loop, so there are descriptors for all files.
      spare.give();
      const segment = new LmdbSegment(folder, firstSeq);
      segment.#environment = new LmdbEnvironment(path);
      return segment;
    } finally {
      spare.give();
    }
  }

  /**
   * Prepares it for append(), and makes its names durable: its creator may have died before they were.
   *
   * @throws LogUnreadable if it is damaged in a way that would mislead LMDB
   */
  async openForWriting(sync: Sync = syncFolder): Promise<void> {
    this.#reading(() => this.#file.verifyWritable());
    try {
      this.#environment = new LmdbEnvironment(this.path);
    } catch (error) {
      if (error instanceof UnfitFile) throw new LogUnreadable(`the log segment's ${error.message}`, { cause: error });
      throw new LogUnreadable(`the log segment ${this.path} cannot be opened: ${String(error)}`, { cause: error });
    }
    await sync(this.path);
    await sync(dirname(this.path));
  }

  /** Stores a record after all others, durable when it settles. `conflict`: a record at its seq or above exists. */
  append(epoch: number, firstSeq: number, bytes: Uint8Array): Promise<Written> {
    const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return this.#writable.append(keyOf(firstSeq), value, guardOf(epoch));
  }

  /**
   * Writes the closing mark, durable when it settles. `conflict`: one exists. Any writer may finish a dead writer's
   * cut.
   */
  close(epoch: number | undefined, successorSeq: number): Promise<Written> {
    return this.#writable.append(MARK_KEY, keyOf(successorSeq), epoch === undefined ? undefined : guardOf(epoch));
  }

  /** Removes a record and settles once that is durable. */
  remove(epoch: number, firstSeq: number): Promise<Written> {
    return this.#writable.remove(keyOf(firstSeq), guardOf(epoch));
  }

  /** Replaces an epoch with another, durable when it settles. `fenced`: the epoch is no longer `fromEpoch`. */
  raiseEpoch(fromEpoch: number, toEpoch: number): Promise<Written> {
    return this.#writable.put(EPOCH_KEY, versionValue(toEpoch), guardOf(fromEpoch));
  }

  /** The epoch of its writer. @throws LogUnreadable */
  get epoch(): number {
    return this.#reading(() => {
      const value = this.#file.lastUpTo(0)?.value();
      const epoch = value?.length === 8 ? value.readDoubleLE() : Number.NaN;
      if (!Number.isSafeInteger(epoch) || epoch < 1) throw new LmdbDamaged('its epoch is damaged');
      return epoch;
    });
  }

  /**
   * The first seq of its successor, from the closing mark. Undefined while the segment is open.
   *
   * @throws LogUnreadable
   */
  get successorSeq(): number | undefined {
    return this.#reading(() => {
      const entry = this.#file.lastUpTo(MARK_KEY_NUMBER);
      if (entry?.key !== MARK_KEY_NUMBER) return undefined;
      const value = entry.value();
      if (value.length !== 8) throw new LmdbDamaged('its closing mark is damaged');
      return Number(value.readBigUInt64BE());
    });
  }

  /** @throws LogUnreadable */
  first(): StoredRecord | undefined {
    return this.#reading(() => this.#file.entriesFrom(FIRST_SEQ).filter(isRecord).slice(0, 1).map(recordOf)[0]);
  }

  /** @throws LogUnreadable */
  last(upToSeq: number = Number.MAX_SAFE_INTEGER): StoredRecord | undefined {
    return this.#reading(() => {
      const entry = this.#file.lastUpTo(upToSeq);
      return entry === undefined || entry.key < FIRST_SEQ ? undefined : recordOf(entry);
    });
  }

  /**
   * Yields records from the one that holds `fromSeq` up to the one that begins at `upToSeq`. Yields to the event loop.
   *
   * @throws LogUnreadable
   */
  async *read(fromSeq: number, upToSeq: number = Number.MAX_SAFE_INTEGER): AsyncGenerator<StoredRecord> {
    let nextSeq = Math.max(this.#reading(() => this.#file.lastUpTo(fromSeq))?.key ?? fromSeq, FIRST_SEQ);
    let recordCount = 0;
    let byteCount = 0;
    for (;;) {
      const entries = this.#reading(() => this.#file.entriesFrom(nextSeq));
      for (const entry of entries) {
        if (!isRecord(entry) || entry.key > upToSeq) return;
        const record = this.#reading(() => {
          if (entry.key < nextSeq) throw new LmdbDamaged('its records are not in order');
          return recordOf(entry);
        });
        yield record;
        nextSeq = record.firstSeq + 1;
        recordCount += 1;
        byteCount += record.bytes.length;
        if (recordCount < RECORDS_PER_READ && byteCount < BYTES_PER_READ) continue;
        recordCount = 0;
        byteCount = 0;
        await nextTurn();
      }
      if (entries.length === 0) return;
    }
  }

  /** Waits until what was read of it is durable, even if another process wrote it. @throws LogUnreadable */
  flush(): void {
    this.#reading(() => this.#file.flush());
  }

  /** @returns its file, if it is not in its place any more; else null */
  lostFile(): Promise<LostFile | null> {
    return this.#file.lostFrom(join(this.path, FILE_NAME));
  }

  /** Ends writing. */
  async endWriting(): Promise<void> {
    await this.#environment?.close();
    this.#environment = undefined;
  }

  /** Closes it. */
  async release(): Promise<void> {
    await this.endWriting();
    this.#file.close();
  }

  get #writable(): LmdbEnvironment {
    if (this.#environment === undefined) throw new Error(`the log segment ${this.path} is open for reading only`);
    return this.#environment;
  }

  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof UnfitFile) throw new LogUnreadable(`the log segment ${error.message}`, { cause: error });
      const file = join(this.path, FILE_NAME);
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (isMissing) throw new LogUnreadable(`the log segment ${file} is missing`, { cause: error });
      const sentence =
        error instanceof LmdbDamaged ? `is damaged: ${error.message}` : `cannot be read: ${String(error)}`;
      throw new LogUnreadable(`the log segment ${file} ${sentence}`, { cause: error });
    }
  }
}

/** Creates the durable folder of a segment without records, under a temporary name. */
async function makeBlank(path: string, sync: Sync, epoch: number): Promise<void> {
  await removeBlank(path);
  await mkdir(path, { mode: 0o700 });
  // Without disk space for its files LMDB ends the process with a signal, not an error. So check that there is space
  // first.
  await writeFile(join(path, FILE_NAME), Buffer.alloc(BLANK_BYTES_MAX));
  await unlink(join(path, FILE_NAME));
  const environment = new LmdbEnvironment(path);
  try {
    await environment.put(EPOCH_KEY, versionValue(epoch), { key: EPOCH_KEY, version: null });
  } finally {
    await environment.close();
  }
  await sync(join(path, FILE_NAME));
  await sync(path);
}

/**
 * Gives a blank segment its name.
 *
 * @throws SegmentExists
 * @throws UnknownName if the disk failed: the segment may have its name, now or after a restart
 */
async function name(blank: string, path: string): Promise<void> {
  try {
    await rename(blank, path);
  } catch (error) {
    if (TAKEN.has(codeOf(error))) throw new SegmentExists(path);
    throw codeOf(error) === 'EIO' ? new UnknownName(path, error) : error;
  }
}

function blankPath(folder: string, firstSeq: number): string {
  return join(folder, BEGUN_PREFIX + segmentName(firstSeq));
}

/** Removes a complete or partial blank segment. It needs no descriptor; listing the folder would. */
async function removeBlank(path: string): Promise<void> {
  for (const name of FILE_NAMES) await unlink(join(path, name)).catch(ignoreMissing);
  await rmdir(path).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error;
}

/**
 * Runs a step of creating a segment.
 *
 * @param blank folder to remove if the step is refused
 * @throws SegmentRefused for an error of the operating system or of LMDB; any other error unchanged
 */
async function orRefused<T>(step: () => T | Promise<T>, blank?: string): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    // That may fail as well, for lack of space or of a permission. A leftover does no harm: it is invisible, and a
    // start removes it.
    if (blank !== undefined) await removeBlank(blank).catch(() => {});
    throw new SegmentRefused(error);
  }
}

/** LMDB's errors have the number of an error as their code. */
function isOfSystem(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === 'number' || (typeof code === 'string' && SYSTEM_CODE.test(code));
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Met as long as the segment belongs to a writer of this epoch. */
function guardOf(epoch: number): Guard {
  return { key: EPOCH_KEY, version: epoch };
}

function isRecord({ key }: LmdbEntry): boolean {
  return key !== MARK_KEY_NUMBER;
}

function recordOf(entry: LmdbEntry): StoredRecord {
  if (entry.key > Number.MAX_SAFE_INTEGER) throw new LmdbDamaged(`it holds a key, ${entry.key}, that is not a seq`);
  return { firstSeq: entry.key, bytes: entry.value() };
}

/** Eight bytes, big-endian, so that keys sort like seqs. LMDB's own integers wrap at 2^32. */
function keyOf(seq: number): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeBigUInt64BE(BigInt(seq));
  return key;
}
