// Looks at the disk at intervals: measures its free space, so that writes are refused before one of them fails, and
// whether the files of the world are still in their places. It stops nothing itself; it only answers.

import { fstatSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { DISK_FLOOR_BYTES, DISK_POLL_MS, OPENING_BYTES_MIN } from '../limits.js';

export interface FreeSpace {
  /** Whether free space is below the floor, or unknown. */
  readonly isLow: boolean;
  /** An open file that was not in its place at the last look; undefined if there is none. */
  readonly lostFile?: LostFile | undefined;
  /** Bytes that were free at the last measurement; undefined if there was none, or if it failed. */
  readonly freeBytes?: number | undefined;
}

/** The operations that need free space before they begin. */
export type Purpose = 'open a world' | 'take a snapshot' | 'restore a world';

/** The disk is too full to create a log or a part of one. */
export class NoDiskSpace extends Error {
  override readonly name = 'NoDiskSpace';

  constructor(
    readonly folder: string,
    readonly freeBytes: number,
    purpose: Purpose,
  ) {
    const otherwise = purpose === 'open a world' ? ', or choose another folder with --data' : '';
    super(
      `the disk of ${folder} has ${freeBytes} bytes left, and ${OPENING_BYTES_MIN} are needed to ${purpose}; ` +
        `make room${otherwise}`,
    );
  }
}

/** The free space of a world without a disk. */
export const AMPLE_SPACE: FreeSpace = Object.freeze({ isLow: false });

export interface DiskSpaceOptions {
  readonly floorBytes?: number | undefined;
  readonly pollMs?: number;
  readonly freeBytes?: FreeBytes | undefined;
  /** Returns an open file of the world that is not in its place; null if there is none. */
  readonly findLostFile?: () => Promise<LostFile | null>;
  readonly onDiskEvent?: ((event: DiskEvent) => void) | undefined;
}

/** What has changed since the last look. The first look reports a disk that is low, and a file that is lost. */
export type DiskEvent =
  | {
      readonly type: 'disk_low' | 'disk_has_room';
      /** Undefined if it could not be measured. */
      readonly freeBytes: number | undefined;
      readonly floorBytes: number;
    }
  | { readonly type: 'log_file_lost'; readonly lost: LostFile }
  | { readonly type: 'log_files_found' };

/** Returns the bytes free for this process at a path. By default, it asks the file system. */
export type FreeBytes = (path: string) => Promise<number>;

export class DiskSpace implements FreeSpace {
  readonly #path: string;
  readonly #floorBytes: number;
  readonly #pollMs: number;
  readonly #measure: FreeBytes;
  readonly #findLostFile: () => Promise<LostFile | null>;
  readonly #onDiskEvent: (event: DiskEvent) => void;
  #timer: NodeJS.Timeout | undefined;
  #isWatching = false;
  #isLow = true;
  #isReportedLow = false;
  #freeBytes: number | undefined;
  #lostFile: LostFile | undefined;

  /** @param path any path on the disk to watch */
  constructor(path: string, options: DiskSpaceOptions = {}) {
    this.#path = path;
    this.#floorBytes = options.floorBytes ?? DISK_FLOOR_BYTES;
    this.#pollMs = options.pollMs ?? DISK_POLL_MS;
    this.#measure = options.freeBytes ?? bytesAvailable;
    this.#findLostFile = options.findLostFile ?? (async () => null);
    this.#onDiskEvent = options.onDiskEvent ?? (() => {});
  }

  get isLow(): boolean {
    return this.#isLow;
  }

  get freeBytes(): number | undefined {
    return this.#freeBytes;
  }

  get lostFile(): LostFile | undefined {
    return this.#lostFile;
  }

  /** Settles after the first measurement, then keeps measuring until stop(). */
  async watch(): Promise<void> {
    this.#isWatching = true;
    await this.#update();
  }

  stop(): void {
    this.#isWatching = false;
    clearTimeout(this.#timer);
  }

  async #update(): Promise<void> {
    const freeBytes = await this.#measure(this.#path).catch(() => undefined);
    const floorBytes = this.#floorBytes;
    this.#freeBytes = freeBytes;
    this.#isLow = freeBytes === undefined || freeBytes < floorBytes;
    if (this.#isLow !== this.#isReportedLow) {
      this.#isReportedLow = this.#isLow;
      this.#onDiskEvent({ type: this.#isLow ? 'disk_low' : 'disk_has_room', freeBytes, floorBytes });
    }
    await this.#lookForFiles();
    if (!this.#isWatching) return;
    this.#timer = setTimeout(() => this.#update(), this.#pollMs);
    this.#timer.unref();
  }

  async #lookForFiles(): Promise<void> {
    const lost = await this.#findLostFile();
    const isKnown = lost?.path === this.#lostFile?.path && lost?.isRemoved === this.#lostFile?.isRemoved;
    this.#lostFile = lost ?? undefined;
    if (!isKnown) this.#onDiskEvent(lost === null ? { type: 'log_files_found' } : { type: 'log_file_lost', lost });
  }
}

/** @throws NoDiskSpace */
export async function requireSpace(
  folder: string,
  purpose: Purpose,
  freeBytes: FreeBytes = bytesAvailable,
): Promise<void> {
  const free = await freeBytes(folder);
  if (free < OPENING_BYTES_MIN) throw new NoDiskSpace(folder, free, purpose);
}

async function bytesAvailable(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** A file that this process has open, and that its name does not lead to. */
export interface LostFile {
  readonly path: string;
  /** Its descriptor in this process. */
  readonly descriptor: number;
  /** Whether it has no name at all any more: it goes with the process. Else it was moved. */
  readonly isRemoved: boolean;
}

/** @returns null if the name leads to the file, or if that cannot be found out */
export async function lostFileAt(path: string, descriptor: number): Promise<LostFile | null> {
  const open = fstatSync(descriptor, { bigint: true });
  try {
    const named = await stat(path, { bigint: true });
    if (named.dev === open.dev && named.ino === open.ino) return null;
  } catch (error) {
    // Without a permission to look nothing is known.
    if (!(error instanceof Error && 'code' in error && MISSING.has(error.code))) return null;
  }
  return { path, descriptor, isRemoved: open.nlink === 0n };
}

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/** What the operator should know, as a sentence without a full stop. */
export function lostFileSentence({ path, descriptor, isRemoved }: LostFile): string {
  return isRemoved
    ? `${path} was removed; it is lost with this process, so do not stop it before you have copied /proc/${process.pid}/fd/${descriptor}`
    : `${path} was moved, or another file has its name; put it back`;
}
