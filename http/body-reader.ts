// Puts a request body together from the pieces that arrive. It never keeps a piece the server handed over, since that
// memory is taken back when the callback returns, and never grows past its limit or what all bodies together may take.
import { type ByteBudget, GATHERED_BODIES } from './byte-budget.js';

/**
 * The whole body after the last piece, null before it, 'too_large' once it is longer than allowed, and 'overloaded' where
 * the unfinished bodies of all clients would take too much.
 */
export type TakenBody = Buffer | null | 'too_large' | 'overloaded';

export class BodyReader {
  #gathered: Buffer | null = null;
  #length = 0;

  constructor(
    private readonly bytesMax: number,
    private readonly budget: ByteBudget = GATHERED_BODIES,
  ) {}

  /** Takes the next piece. @param piece only valid during the call, and so is a whole body that came in one piece */
  take(piece: ArrayBuffer | Uint8Array, isLast: boolean): TakenBody {
    if (this.#length + piece.byteLength > this.bytesMax) return 'too_large';
    const bytes = asBuffer(piece);
    if (isLast && this.#gathered === null) return bytes;
    if (!this.#append(bytes)) return 'overloaded';
    return isLast ? this.#whole() : null;
  }

  /** Lets go of what was gathered: the body has been used, or never will be. */
  release(): void {
    if (this.#gathered !== null) this.budget.give(this.#gathered.length);
    this.#gathered = null;
  }

  #append(bytes: Uint8Array): boolean {
    const needed = this.#length + bytes.length;
    const capacity = this.#gathered?.length ?? 0;
    if (this.#gathered === null || needed > capacity) {
      const grownCapacity = Math.min(this.bytesMax, Math.max(needed, 2 * this.#length));
      if (!this.budget.take(grownCapacity - capacity)) return false;
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

/** A body that came in one piece, without a reader and without a copy. */
export function wholeBody(piece: ArrayBuffer | Uint8Array, bytesMax: number): Buffer | 'too_large' {
  return piece.byteLength > bytesMax ? 'too_large' : asBuffer(piece);
}

function asBuffer(piece: ArrayBuffer | Uint8Array): Buffer {
  return piece instanceof Uint8Array
    ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    : Buffer.from(piece);
}

const NOTHING = Buffer.alloc(0);
