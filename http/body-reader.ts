// Puts a request body together from the pieces that arrive. It never keeps a piece the server handed over, since that
// memory is taken back when the callback returns, and never grows past its limit or what all bodies together may take.
import { type ByteBudget, GATHERED_BODIES } from './byte-budget.js';

export class BodyReader {
  #gathered: Buffer | null = null;
  #length = 0;

  constructor(
    private readonly bytesMax: number,
    private readonly budget: ByteBudget = GATHERED_BODIES,
  ) {}

  /**
   * Takes the next piece.
   *
   * @param piece only valid during the call, and so is a whole body that came in one piece
   * @returns the whole body after the last piece, null before it, 'too_large' once it is longer than bytesMax, and
   *   'overloaded' where the unfinished bodies of all clients would take too much
   */
  take(piece: ArrayBuffer | Uint8Array, isLast: boolean): Uint8Array | null | 'too_large' | 'overloaded' {
    const bytes = piece instanceof Uint8Array ? piece : new Uint8Array(piece);
    if (this.#length + bytes.length > this.bytesMax) return 'too_large';
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

  #whole(): Uint8Array {
    return this.#gathered === null ? NOTHING : this.#gathered.subarray(0, this.#length);
  }
}

const NOTHING = new Uint8Array(0);
