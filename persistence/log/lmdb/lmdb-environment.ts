// Writes an LMDB file through lmdb. Only this file uses lmdb. It opens only files that lmdb-file.ts has verified: on a
// damaged file, LMDB ends the process with a signal. One process writes, and only to the newest segment.
import { closeSync, constants, fstatSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
import { requirePlainFileOrNoneSync, requirePlainFolderSync } from '../../files/plain-file.js';
import { LMDB_LOCK_BYTES, LMDB_LOCK_BYTES_MAX, SEGMENT_BYTES_MAX } from '../../limits.js';

/** lmdb's put() takes the options of putSync(), although its types do not say so; the contract suite proves it. */
type Database = RootDatabase<Buffer, Buffer> & {
  put(key: Buffer, value: Buffer, options: { append: true }): Promise<boolean>;
};

/** An entry that must have a certain version when a write is committed. */
export interface Guard {
  readonly key: Buffer;
  /** Null: the entry must not exist. */
  readonly version: number | null;
}

/** `conflict`: an entry at the key or above it exists. `fenced`: the guard's entry has another version. */
export type Written = 'written' | 'conflict' | 'fenced';

/** The value of a guard's entry as lmdb compares it: a little-endian double. */
export function versionValue(version: number): Buffer {
  const value = Buffer.allocUnsafe(8);
  value.writeDoubleLE(version);
  return value;
}

/** Writes of one turn of the event loop may run together; otherwise a write begins only after the one before it settled. */
export class LmdbEnvironment {
  readonly #database: Database;

  /**
   * @param path of the folder; LMDB creates missing files in it
   * @throws UnfitFile, since LMDB follows links, waits for pipes and maps a lock file of any size
   * @throws Error of the operating system, such as EMFILE, if too few descriptors are left: nothing was opened or
   *   created
   */
  constructor(path: string) {
    requirePlainFolderSync(path);
    requirePlainFileOrNoneSync(join(path, 'data.mdb'), SEGMENT_BYTES_MAX);
    requirePlainFileOrNoneSync(join(path, 'lock.mdb'), LMDB_LOCK_BYTES_MAX);
    // If LMDB cannot open its files, lmdb frees memory twice and the process dies of SIGSEGV. So open them first, and give the lock file
    // the length that LMDB would.
    tryFiles(path);
    // lmdb supports the last option, but its types do not.
    const options: RootDatabaseOptionsWithPath & { readonly txnStartThreshold: number } = {
      path,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      compression: false,
      // With batching, a process that crashes with queued puts hangs instead of dying.
      eventTurnBatching: false,
      // With overlapping syncs, lmdb ignores the result of the write that makes a commit durable. Without them it writes
      // the pages, flushes them, then writes the meta page synchronously, and reports a failure of each of the three.
      overlappingSync: false,
      // The writes of a turn are one transaction. By default lmdb begins one after five writes, and the next ones in other
      // threads. A thread that has not quite ended when the environment is closed uses freed memory (decision 6).
      txnStartThreshold: Number.POSITIVE_INFINITY,
    };
    this.#database = open<Buffer, Buffer>(options) as Database;
  }

  /**
   * Puts an entry after all others and waits until it is durable.
   *
   * @param guard checked in the transaction of the write, if given
   * @throws Error the reason for a failed commit. LMDB would accept the next one, so the caller must not write again
   */
  append(key: Buffer, value: Buffer, guard?: Guard): Promise<Written> {
    return this.#write(() => this.#database.put(key, value, { append: true }), guard);
  }

  /** Puts an entry, replacing an existing one, and waits until that is durable. @throws Error like append() */
  put(key: Buffer, value: Buffer, guard: Guard): Promise<Written> {
    return this.#write(() => this.#database.put(key, value), guard);
  }

  /** Removes an entry and waits until that is durable. @throws Error like append() */
  remove(key: Buffer, guard: Guard): Promise<Written> {
    return this.#write(() => this.#database.remove(key), guard);
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async #write(write: () => Promise<boolean>, guard: Guard | undefined): Promise<Written> {
    let isGuardMet: boolean;
    let isWritten: boolean;
    try {
      [isGuardMet, isWritten] =
        guard === undefined ? [true, await write()] : await Promise.all(this.#begin(write, guard));
    } catch (error) {
      throw await commitError(error);
    }
    if (!isGuardMet) return 'fenced';
    return isWritten ? 'written' : 'conflict';
  }

  /** @returns whether the guard was met, and whether the write was made */
  #begin(write: () => Promise<boolean>, { key, version }: Guard): [Promise<boolean>, Promise<boolean>] {
    let written = Promise.resolve(false);
    const begin = (): void => {
      written = write();
    };
    // lmdb calls `begin` at once; its thread checks the guard in the transaction, and skips the write if it is not met.
    const met =
      version === null ? this.#database.ifNoExists(key, begin) : this.#database.ifVersion(key, version, begin);
    return [met, written];
  }
}

/** The files in the order in which LMDB opens them; the second descriptor of the data file is for synchronous writes. */
const OPENED = ['lock.mdb', 'data.mdb', 'data.mdb'] as const;
/** The permissions with which LMDB creates files. */
const FILE_MODE = 0o664;

/** Opens all files as LMDB does, and closes them. @throws Error of the operating system if it refuses one of them */
function tryFiles(path: string): void {
  const files: number[] = [];
  try {
    for (const name of OPENED) files.push(openSync(join(path, name), constants.O_RDWR | constants.O_CREAT, FILE_MODE));
    const [lock = 0] = files;
    if (fstatSync(lock).size < LMDB_LOCK_BYTES) writeFileSync(lock, Buffer.alloc(LMDB_LOCK_BYTES));
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** The true cause of a failed commit. lmdb reports it in a second promise, which must be handled at once. */
async function commitError(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error;
  try {
    await Promise.race([error.commitError, nextTurn()]);
    return error;
  } catch (cause) {
    return cause;
  }
}
