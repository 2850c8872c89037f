// Puts a request body together from the pieces that arrive. It never keeps a piece the server handed over, since that
// memory is taken back when the callback returns, and never grows past its limit.
export class BodyReader {
  #gathered: Buffer | null = null;
  #length = 0;

  constructor(private readonly bytesMax: number) {}

  /**
   * Takes the next piece.
   *
   * @param piece only valid during the call, and so is a whole body that came in one piece
   * @returns the whole body after the last piece, null before it, 'too_large' once it is longer than bytesMax
   */
  take(piece: ArrayBuffer | Uint8Array, isLast: boolean): Uint8Array | null | 'too_large' {
    const bytes = piece instanceof Uint8Array ? piece : new Uint8Array(piece);
    if (this.#length + bytes.length > this.bytesMax) return 'too_large';
    if (isLast && this.#gathered === null) return bytes;
    this.#append(bytes);
    return isLast ? this.#whole() : null;
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (this.#gathered === null || needed > this.#gathered.length) {
      const grown = Buffer.allocUnsafe(Math.min(this.bytesMax, Math.max(needed, 2 * this.#length)));
      this.#gathered?.copy(grown, 0, 0, this.#length);
      this.#gathered = grown;
    }
    this.#gathered.set(bytes, this.#length);
    this.#length = needed;
  }

  #whole(): Uint8Array {
    return this.#gathered === null ? NOTHING : this.#gathered.subarray(0, this.#length);
  }
}

const NOTHING = new Uint8Array(0);
