// Assembles a request body from the pieces that arrive. It never keeps a piece, since the server reclaims that memory
// when the callback returns, and never grows past its limit or its client's share.

import type { Owner } from '../admission/owner-queue.js';
import { type BodyBudget, GATHERED_BODIES, type Upload } from './body-budget.js';

/**
 * The whole body after the last piece, null before it, 'too_large' once it is longer than allowed, and 'overloaded' if
 * the incomplete bodies of this client, or of all, would take too much.
 */
export type TakenBody = Buffer | null | 'too_large' | 'overloaded';

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

/** A body in one piece, without a copy; valid only as long as the piece. */
export function wholeBody(piece: ArrayBuffer | Uint8Array, bytesMax: number): Buffer | 'too_large' {
  return piece.byteLength > bytesMax ? 'too_large' : asBuffer(piece);
}

function asBuffer(piece: ArrayBuffer | Uint8Array): Buffer {
  return piece instanceof Uint8Array
    ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    : Buffer.from(piece);
}

const NOTHING = Buffer.alloc(0);
