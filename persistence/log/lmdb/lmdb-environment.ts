// Writes an LMDB file through lmdb, which nothing else uses. It opens only files that lmdb-file.ts has found sound: LMDB ends
// the process with a signal where it is led astray. One process writes, and only to what is the newest.
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
import { requirePlainFileOrNoneSync, requirePlainFolderSync } from '../../files/plain-file.js';
import { SpareFiles } from '../../files/spare-files.js';
import { LMDB_FILES, LMDB_LOCK_BYTES_MAX, SEGMENT_BYTES_MAX } from '../../limits.js';

/** lmdb's put() takes the options of its putSync(), which its types leave out; the contract suite proves that it does. */
type Database = RootDatabase<Buffer, Buffer> & {
  put(key: Buffer, value: Buffer, options: { append: true }): Promise<boolean>;
};

/** An entry that must have a version when a write is committed. */
export interface Guard {
  readonly key: Buffer;
  /** Null: there must be no such entry. */
  readonly version: number | null;
}

/** `conflict`: an entry is at the key or above it already. `fenced`: the guard's entry has another version. */
export type Written = 'written' | 'conflict' | 'fenced';

/** The value of a guard's entry, as lmdb compares it: a double, least significant byte first. */
export function versionValue(version: number): Buffer {
  const value = Buffer.allocUnsafe(8);
  value.writeDoubleLE(version);
  return value;
}

export class LmdbEnvironment {
  readonly #database: Database;

  /**
   * @param path of the folder; LMDB makes its files where they are missing
   * @throws UnfitFile, since LMDB follows links, waits for pipes and maps a lock file of any size
   * @throws Error of the operating system, such as EMFILE, if it has too few descriptors left: nothing has been opened or made
   */
  constructor(path: string) {
    requirePlainFolderSync(path);
    requirePlainFileOrNoneSync(join(path, 'data.mdb'), SEGMENT_BYTES_MAX);
    requirePlainFileOrNoneSync(join(path, 'lock.mdb'), LMDB_LOCK_BYTES_MAX);
    // If LMDB can open only some of its files, lmdb frees memory twice and the process dies of SIGSEGV. So try first.
    SpareFiles.hold(LMDB_FILES).give();
    // lmdb knows safeRestore, but its types do not.
    const options: RootDatabaseOptionsWithPath & { readonly safeRestore: true } = {
      path,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      compression: false,
      // With batching, a process that crashes with puts queued hangs instead of dying.
      eventTurnBatching: false,
      // Goes on from what is on disk for good: what a process committed, and died before it flushed it, was promised to nobody.
      safeRestore: true,
    };
    this.#database = open<Buffer, Buffer>(options) as Database;
  }

  /**
   * Puts an entry behind all others and waits until it is durable.
   *
   * @param guard looked at in the transaction of the write; without one, nothing is
   * @throws Error why it could not be committed; close() then never settles
   */
  append(key: Buffer, value: Buffer, guard?: Guard): Promise<Written> {
    return this.#write(() => this.#database.put(key, value, { append: true }), guard);
  }

  /** Puts an entry at its place, over one that is there, and waits until that is durable. @throws Error like append() */
  put(key: Buffer, value: Buffer, guard: Guard): Promise<Written> {
    return this.#write(() => this.#database.put(key, value), guard);
  }

  /** Removes an entry and waits until that is durable. @throws Error like append() */
  remove(key: Buffer, guard: Guard): Promise<Written> {
    return this.#write(() => this.#database.remove(key), guard);
  }

  async close(): Promise<void> {
    await this.#database.flushed;
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
    if (!isWritten) return 'conflict';
    // Committed is only visible; flushed is durable. After a failed commit this never settles: the writer watches the time.
    await this.#database.flushed;
    return 'written';
  }

  /** @returns whether the guard was met, and whether the write was made */
  #begin(write: () => Promise<boolean>, { key, version }: Guard): [Promise<boolean>, Promise<boolean>] {
    let written = Promise.resolve(false);
    const begin = (): void => {
      written = write();
    };
    // lmdb calls it at once; its thread looks at the guard in the transaction, and passes over the write.
    const met =
      version === null ? this.#database.ifNoExists(key, begin) : this.#database.ifVersion(key, version, begin);
    return [met, written];
  }
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
