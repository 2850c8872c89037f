// The system calls of a galaxyd that touch one folder, as watched-calls.c counts, fails and records them. The library is compiled by the C
// compiler of the machine.
import { execFile } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The order of `enum call` in watched-calls.c. */
export const WATCHED_CALLS = [
  ...['openat', 'pwrite64', 'pwritev', 'write', 'fdatasync', 'fsync', 'msync', 'ftruncate', 'rename', 'link', 'unlink'],
  ...['mkdir', 'rmdir', 'send'],
] as const;
export type WatchedCall = (typeof WATCHED_CALLS)[number];

/**
 * `short`: half of the bytes are written, and the call reports that. `left out`: the call is not made and reports success, as if the
 * program ignored its error.
 */
export type CallError = 'EIO' | 'ENOSPC' | 'EACCES' | 'EINTR' | 'short' | 'left out';

export interface FailingCall {
  readonly call: WatchedCall;
  /** The one that fails, from 1. */
  readonly nth: number;
  readonly error: CallError;
  readonly fromThenOn: boolean;
}

/** A call that had an effect, in the order of the effects. */
export interface RecordedCall {
  readonly call: WatchedCall;
  /** The absolute path before the call; of a file that has no name any more it ends with ` (deleted)`. */
  readonly path: string;
  /** The new path of a rename or link. */
  readonly newPath: string;
  /** Where a write begins; the new length of a file. Of an open: 1 if it has emptied the file, else 0. */
  readonly offset: number;
  readonly isSynchronous: boolean;
  /** What was written or sent. */
  readonly bytes: Buffer;
}

const { EIO, ENOSPC, EACCES, EINTR } = constants.errno;
/** The same numbers as in watched-calls.c. */
const CODES: Readonly<Record<CallError, number>> = { EIO, ENOSPC, EACCES, EINTR, short: 1_000, 'left out': 1_001 };
/** The 32-bit fields of `struct control` before the counters of each kind. */
const FIELDS = ['failing', 'nth', 'error', 'fromThenOn', 'counted', 'failed', 'lock'] as const;
type Field = (typeof FIELDS)[number];
const FIELD_BYTES = 4;
const CONTROL_BYTES = 4_096;
/** Bytes of the head of `struct record`. */
const HEAD_BYTES = 40;
/** The value on Linux; O_SYNC has this bit, too. */
const O_DSYNC = 0x1000;
const SOURCE = fileURLToPath(new URL('../../../../test/faults/calls/watched-calls.c', import.meta.url));

const run = promisify(execFile);

/**
 * Compiles the library.
 *
 * @param folder where it is written
 * @returns its path, or the reason why there can be none here
 */
export async function compiledLibrary(folder: string): Promise<{ path: string } | { reason: string }> {
  if (process.platform !== 'linux') return { reason: 'system calls are watched on Linux only' };
  const path = join(folder, 'watched-calls.so');
  if (existsSync(path)) return { path };
  try {
    await run('cc', ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra', '-Werror', '-o', path, SOURCE, '-ldl']);
    return { path };
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { reason: isMissing ? 'there is no C compiler (Debian: apt-get install gcc)' : `cc fails: ${error}` };
  }
}

/** Watches the calls of the processes that are started with its environment. */
export class WatchedCalls {
  /** Environment of the processes to be watched. */
  readonly env: Readonly<Record<string, string>>;
  readonly #controlPath: string;
  readonly #tracePath: string;

  /**
   * @param library path of the compiled library
   * @param folder the folder whose calls are watched; it need not exist
   * @param place a folder for the files by which library and test communicate, outside of the watched one
   * @param isRecorded whether the calls are recorded, too
   */
  constructor(library: string, folder: string, place: string, isRecorded = false) {
    this.#controlPath = join(place, 'control');
    this.#tracePath = join(place, 'trace');
    writeFileSync(this.#controlPath, Buffer.alloc(CONTROL_BYTES));
    if (isRecorded) writeFileSync(this.#tracePath, '');
    this.env = {
      LD_PRELOAD: library,
      // Calls of one thread come in the same order each time.
      UV_THREADPOOL_SIZE: '1',
      WATCHED_FOLDER: folder,
      WATCHED_CONTROL: this.#controlPath,
      ...(isRecorded ? { WATCHED_TRACE: this.#tracePath } : {}),
    };
  }

  /** The calls of one kind fail from now on, as said. Counters begin again. */
  fail({ call, nth, error, fromThenOn }: FailingCall): void {
    this.reset();
    this.#set({ nth, error: CODES[error], fromThenOn: fromThenOn ? 1 : 0 });
    this.#set({ failing: 1 << WATCHED_CALLS.indexOf(call) });
  }

  /** No call fails any more, and all counters are zero. */
  reset(): void {
    const zeros = Buffer.alloc((FIELDS.length + WATCHED_CALLS.length) * FIELD_BYTES);
    const lock = FIELDS.indexOf('lock') * FIELD_BYTES;
    this.#write(zeros.subarray(0, lock), 0);
    this.#write(zeros.subarray(lock + FIELD_BYTES), lock + FIELD_BYTES);
  }

  /** Calls that failed on purpose since the last reset. */
  get failed(): number {
    return this.#read().readUInt32LE(FIELDS.indexOf('failed') * FIELD_BYTES);
  }

  /** Calls of each kind since the last reset. */
  get counts(): Readonly<Record<WatchedCall, number>> {
    const control = this.#read();
    return Object.fromEntries(
      WATCHED_CALLS.map((call, index) => [call, control.readUInt32LE((FIELDS.length + index) * FIELD_BYTES)]),
    ) as Record<WatchedCall, number>;
  }

  /** Everything that was recorded so far. */
  recorded(): RecordedCall[] {
    const trace = readFileSync(this.#tracePath);
    const calls: RecordedCall[] = [];
    for (let start = 0; start < trace.length; start += trace.readUInt32LE(start)) {
      const pathStart = start + HEAD_BYTES;
      const newPathStart = pathStart + trace.readUInt16LE(start + 6);
      const bytesStart = newPathStart + trace.readUInt16LE(start + 8);
      const call = WATCHED_CALLS[trace.readUInt16LE(start + 4)];
      if (call === undefined) throw new Error(`an unknown call is recorded at byte ${start}`);
      calls.push({
        call,
        path: trace.toString('utf8', pathStart, newPathStart),
        newPath: trace.toString('utf8', newPathStart, bytesStart),
        offset: Number(trace.readBigInt64LE(start + 24)),
        isSynchronous: (trace.readUInt32LE(start + 12) & O_DSYNC) !== 0,
        bytes: trace.subarray(bytesStart, start + trace.readUInt32LE(start)),
      });
    }
    return calls;
  }

  #set(fields: Partial<Record<Field, number>>): void {
    for (const [name, value] of Object.entries(fields)) {
      const bytes = Buffer.alloc(FIELD_BYTES);
      bytes.writeUInt32LE(value);
      this.#write(bytes, FIELDS.indexOf(name as Field) * FIELD_BYTES);
    }
  }

  /** The library has mapped the file, so that it sees what is written to it. */
  #write(bytes: Buffer, offset: number): void {
    const file = openSync(this.#controlPath, 'r+');
    writeSync(file, bytes, 0, bytes.length, offset);
    closeSync(file);
  }

  #read(): Buffer {
    const bytes = Buffer.alloc(CONTROL_BYTES);
    const file = openSync(this.#controlPath, 'r');
    readSync(file, bytes, 0, bytes.length, 0);
    closeSync(file);
    return bytes;
  }
}
