// The memory of the event log: a sequence of chunks of equal size. A position counts bytes from the first byte that was ever written,
// so it stays the same when old chunks are given up. No record spans two chunks.
import { RECORD_BYTES_MAX } from './event-record.js';

/** Bytes of a chunk. Giving one up takes about a millisecond. */
export const CHUNK_BYTES: number = 256 * 1024;
/** The highest position of a stored world, half of what a link in a record can hold. No receiver has so many events either. */
export const POSITION_MAX = 0x8000_0000_0000;

export class EventChunks {
  /** The last chunk; empty before the first. */
  last: Uint8Array = new Uint8Array(0);
  /** Offset in the last chunk of the next record. */
  end = 0;
  #firstPosition = 0;
  readonly #chunks: Uint8Array[] = [];

  /** Position of the first byte of the oldest chunk. */
  get firstPosition(): number {
    return this.#firstPosition;
  }

  /** Position of the next record. */
  get endPosition(): number {
    return this.#firstPosition + (this.#chunks.length - 1) * CHUNK_BYTES + this.end;
  }

  get count(): number {
    return this.#chunks.length;
  }

  /** Whether the last chunk has no room for another record. */
  get isFull(): boolean {
    return this.end + RECORD_BYTES_MAX > this.last.length;
  }

  /** Adds an empty chunk. */
  begin(): void {
    this.#add(new Uint8Array(CHUNK_BYTES));
    this.end = 0;
  }

  /** Removes the oldest chunk. */
  giveUpFirst(): void {
    this.#chunks.shift();
    this.#firstPosition += CHUNK_BYTES;
  }

  /** The chunk of a position that is not given up. */
  of(position: number): Uint8Array {
    const chunk = this.#chunks[Math.floor((position - this.#firstPosition) / CHUNK_BYTES)];
    if (chunk === undefined) throw new RangeError(`no event is kept at ${position}`);
    return chunk;
  }

  /** The bytes of each chunk, oldest first; of the last chunk only those that are written. */
  *written(): Generator<Uint8Array> {
    for (const chunk of this.#chunks) yield chunk === this.last ? chunk.subarray(0, this.end) : chunk;
  }

  /** @param position a multiple of CHUNK_BYTES; before any chunk */
  restoreFirstPosition(position: number): void {
    if (position % CHUNK_BYTES !== 0) throw new RangeError(`no chunk of events begins at ${position}`);
    this.#firstPosition = position;
  }

  /** Adds a chunk that written() has returned. @param isGiven whether the bytes may be used as they are, and not copied */
  restore(bytes: Uint8Array, isGiven: boolean): void {
    if (bytes.length > CHUNK_BYTES) throw new RangeError(`a chunk of events has ${bytes.length} bytes`);
    if (this.count > 0 && this.end < CHUNK_BYTES - RECORD_BYTES_MAX) throw new RangeError('a chunk of events is short');
    if (isGiven && bytes.length === CHUNK_BYTES) this.#add(bytes);
    else {
      this.begin();
      this.last.set(bytes);
    }
    this.end = bytes.length;
  }

  #add(chunk: Uint8Array): void {
    this.last = chunk;
    this.#chunks.push(chunk);
  }
}

/** Offset of a position in its chunk. */
export function offsetOf(position: number): number {
  return position % CHUNK_BYTES;
}
