// Looks at the free space of the disk ahead of need, so that writes are turned away before one of them fails.
// It never stops anything itself; it only answers when asked.
import { statfs } from 'node:fs/promises';
import { DISK_FLOOR_BYTES, DISK_POLL_MS, OPENING_BYTES_MIN } from '../limits.js';

export interface FreeSpace {
  /** Whether less is free than the floor, or nobody can tell. */
  readonly isLow: boolean;
  /** Bytes that were free at the last look; undefined where nobody looks, or nobody could tell. */
  readonly freeBytes?: number | undefined;
}

/** What takes room on the disk before it can begin. */
export type Purpose = 'open a world' | 'take a snapshot' | 'restore a world';

/** The disk is too full to make a log on it, or a part of one. */
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

/** For a world without a disk. */
export const AMPLE_SPACE: FreeSpace = Object.freeze({ isLow: false });

export interface DiskSpaceOptions {
  readonly floorBytes?: number;
  readonly pollMs?: number;
  readonly freeBytes?: FreeBytes;
}

/** Bytes free for this process at a path; the file system is asked by default. */
export type FreeBytes = (path: string) => Promise<number>;

export class DiskSpace implements FreeSpace {
  readonly #path: string;
  readonly #floorBytes: number;
  readonly #pollMs: number;
  readonly #measure: FreeBytes;
  #timer: NodeJS.Timeout | undefined;
  #isWatching = false;
  #isLow = true;
  #freeBytes: number | undefined;

  /** @param path any path on the disk that is watched */
  constructor(path: string, options: DiskSpaceOptions = {}) {
    this.#path = path;
    this.#floorBytes = options.floorBytes ?? DISK_FLOOR_BYTES;
    this.#pollMs = options.pollMs ?? DISK_POLL_MS;
    this.#measure = options.freeBytes ?? bytesAvailable;
  }

  get isLow(): boolean {
    return this.#isLow;
  }

  get freeBytes(): number | undefined {
    return this.#freeBytes;
  }

  /** Settles after the first look, then goes on looking until stop(). */
  async watch(): Promise<void> {
    this.#isWatching = true;
    await this.#look();
  }

  stop(): void {
    this.#isWatching = false;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      this.#freeBytes = await this.#measure(this.#path);
      this.#isLow = this.#freeBytes < this.#floorBytes;
    } catch {
      this.#freeBytes = undefined;
      this.#isLow = true;
    }
    if (!this.#isWatching) return;
    this.#timer = setTimeout(() => this.#look(), this.#pollMs);
    this.#timer.unref();
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
