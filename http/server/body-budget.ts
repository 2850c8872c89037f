// Request bodies as they arrive, and the memory that clients share for them and for unsent replies. Of both, each client may hold at
// most as much as is still free (see SharedBudget). A client at its limit of bodies loses its slowest upload rather than its newest, so that
// stalled uploads do not block others from a shared address.
import { type Owner, SharedBudget } from '../admission/owners.js';
import { BODY_GRACE_MS, GATHERED_BODY_BYTES_MAX, UNSENT_REPLY_BYTES_MAX } from '../limits.js';

/** A body that is being received. */
export interface Upload {
  readonly owner: Owner;
  /** An instant of the clock of the budget. */
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

/** Replies, or parts of them, that are not sent yet. */
export const UNSENT_REPLIES: SharedBudget = new SharedBudget(UNSENT_REPLY_BYTES_MAX);

/**
 * The whole body after the last piece, null before it, 'too_large' once it is longer than allowed, and 'overloaded' if
 * the incomplete bodies of this client, or of all, would take too much.
 */
export type TakenBody = Buffer | null | 'too_large' | 'overloaded';

/**
 * Assembles a request body from the pieces that arrive. It never keeps a piece, since the server reclaims that memory when the callback
 * returns, and never grows past its limit or its client's share.
 */
export class BodyReader implements Upload {
  readonly startedAtMs: number;
  isWhole = false;
  #gathered: Buffer | null = null;
  #length = 0;

  /** @param onEvicted called when the body is evicted in favour of another one of its client */
  constructor(
    readonly owner: Owner,
    private readonly bytesMax: number,
    private readonly onEvicted: () => void,
    private readonly budget: BodyBudget = GATHERED_BODIES,
  ) {
    this.startedAtMs = budget.nowMs();
  }

  get receivedBytes(): number {
    return this.#length;
  }

  /** Takes the next piece. @param piece only valid during the call */
  take(piece: ArrayBuffer | Uint8Array, isLast: boolean): TakenBody {
    if (this.#length + piece.byteLength > this.bytesMax) return 'too_large';
    if (!this.#append(asBuffer(piece), isLast)) return 'overloaded';
    this.isWhole = isLast;
    return isLast ? this.#whole() : null;
  }

  evict(): void {
    this.release();
    this.onEvicted();
  }

  /** Releases the memory: the body has been used, or never will be. */
  release(): void {
    if (this.#gathered !== null) this.budget.give(this, this.#gathered.length);
    this.#gathered = null;
  }

  #append(bytes: Uint8Array, isLast: boolean): boolean {
    const needed = this.#length + bytes.length;
    const capacity = this.#gathered?.length ?? 0;
    if (this.#gathered === null || needed > capacity) {
      const grownCapacity = isLast ? needed : Math.min(this.bytesMax, Math.max(needed, 2 * this.#length));
      if (!this.budget.take(this, grownCapacity - capacity)) return false;
      const grown = Buffer.allocUnsafe(grownCapacity);
      this.#gathered?.copy(grown, 0, 0, this.#length);
      this.#gathered = grown;
    }
    this.#gathered.set(bytes, this.#length);
    this.#length = needed;
    return true;
  }

  #whole(): Buffer {
    return this.#gathered === null ? NOTHING : this.#gathered.subarray(0, this.#length);
  }
}

/** The bytes of a piece, without a copy; valid only as long as the piece. */
export function asBuffer(piece: ArrayBuffer | Uint8Array): Buffer {
  return piece instanceof Uint8Array
    ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    : Buffer.from(piece);
}

const NOTHING = Buffer.alloc(0);
