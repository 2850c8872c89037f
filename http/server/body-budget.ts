// Memory for request bodies that are incomplete or queued, shared between clients. Each client may hold at most as much
// as is still free, so one client leaves half to the others and none can take everything (Choudhury and Hahne, "Dynamic
// Queue Length Thresholds for Shared-Memory Packet Switches", 1998). A client at its limit loses its slowest upload
// rather than its newest, so that stalled uploads do not block others from a shared address.
import type { Owner } from '../admission/owner-queue.js';
import { BODY_GRACE_MS, GATHERED_BODY_BYTES_MAX, UNSENT_REPLY_BYTES_MAX } from '../limits.js';

/** A body that is being received. */
export interface Upload {
  readonly owner: Owner;
  /** By the clock of the budget. */
  readonly startedAtMs: number;
  /** Bytes received so far. */
  readonly receivedBytes: number;
  /** True once the body is complete; it can then no longer be evicted. */
  readonly isWhole: boolean;
  /** Releases its memory, and answers its client with 503. */
  evict(): void;
}

interface Share {
  usedBytes: number;
  readonly uploads: Set<Upload>;
}

export class BodyBudget {
  readonly #shares = new Map<Owner, Share>();
  #usedBytes = 0;

  /** @param nowMs the clock by which upload rates are measured, in milliseconds */
  constructor(
    readonly bytesMax: number,
    readonly nowMs: () => number = () => performance.now(),
  ) {}

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** @returns false if the upload must be refused; nothing is taken then */
  take(upload: Upload, bytes: number): boolean {
    const share = this.#shareOf(upload.owner);
    while (share.usedBytes + bytes > this.bytesMax - this.#usedBytes) {
      const slowest = this.#slowestOf(share, upload);
      if (slowest === null) {
        this.#forgetIfUnused(upload.owner, share);
        return false;
      }
      slowest.evict();
    }
    share.usedBytes += bytes;
    share.uploads.add(upload);
    this.#shares.set(upload.owner, share);
    this.#usedBytes += bytes;
    return true;
  }

  /** Releases all that an upload took. */
  give(upload: Upload, bytes: number): void {
    const share = this.#shareOf(upload.owner);
    share.usedBytes -= bytes;
    share.uploads.delete(upload);
    this.#usedBytes -= bytes;
    this.#forgetIfUnused(upload.owner, share);
  }

  #shareOf(owner: Owner): Share {
    return this.#shares.get(owner) ?? { usedBytes: 0, uploads: new Set() };
  }

  #forgetIfUnused(owner: Owner, { uploads }: Share): void {
    if (uploads.size === 0) this.#shares.delete(owner);
  }

  /** The slowest upload older than BODY_GRACE_MS; null if none is slower than this one. */
  #slowestOf({ uploads }: Share, newcomer: Upload): Upload | null {
    const nowMs = this.nowMs();
    let slowest: Upload | null = null;
    let leastRate = rateOf(newcomer, nowMs);
    for (const upload of uploads) {
      if (upload === newcomer || upload.isWhole || nowMs - upload.startedAtMs < BODY_GRACE_MS) continue;
      const rate = rateOf(upload, nowMs);
      if (rate < leastRate) [slowest, leastRate] = [upload, rate];
    }
    return slowest;
  }
}

/** Bytes per millisecond; an upload that has just begun counts as fast. */
function rateOf({ startedAtMs, receivedBytes }: Upload, nowMs: number): number {
  const ageMs = nowMs - startedAtMs;
  return ageMs < BODY_GRACE_MS ? Number.POSITIVE_INFINITY : receivedBytes / ageMs;
}

/** Incomplete or queued request bodies of the process. */
export const GATHERED_BODIES: BodyBudget = new BodyBudget(GATHERED_BODY_BYTES_MAX);

export class ByteBudget {
  /** Bytes by client. */
  readonly #shares = new Map<Owner, number>();
  #usedBytes = 0;

  constructor(readonly bytesMax: number) {}

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** @returns false if the share of the client would be exceeded; nothing is taken then */
  take(owner: Owner, bytes: number): boolean {
    if (this.#shareOf(owner) + bytes > this.bytesMax - this.#usedBytes) return false;
    this.#change(owner, bytes);
    return true;
  }

  /** Releases bytes that a client took. */
  give(owner: Owner, bytes: number): void {
    this.#change(owner, -bytes);
  }

  /** What one client took belongs to another one from now on, even beyond its share. */
  move(from: Owner, to: Owner, bytes: number): void {
    this.#change(from, -bytes);
    this.#change(to, bytes);
  }

  #shareOf(owner: Owner): number {
    return this.#shares.get(owner) ?? 0;
  }

  #change(owner: Owner, bytes: number): void {
    if (bytes === 0) return;
    this.#usedBytes += bytes;
    const share = this.#shareOf(owner) + bytes;
    if (share > 0) this.#shares.set(owner, share);
    else this.#shares.delete(owner);
  }
}

/** Replies, or parts of them, that are not sent yet. */
export const UNSENT_REPLIES: ByteBudget = new ByteBudget(UNSENT_REPLY_BYTES_MAX);
