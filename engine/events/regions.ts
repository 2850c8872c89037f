// Memory for many small byte sequences that grow. Each is a region whose size is a power of two, in large blocks outside the heap of
// JavaScript: a million of them cost the garbage collector nothing.

const BLOCK_BYTES = 1024 * 1024;
const SMALLEST_BITS = 6;
const LARGEST_BITS = 20;

/** Number of a region; 0 is none. */
export type Region = number;

export class Regions {
  readonly #blocks: Uint8Array[] = [];
  /** Bytes of the last block that are given away. */
  #usedOfLast = BLOCK_BYTES;
  /** By bits of their size: regions that were freed. */
  readonly #free: Region[][] = Array.from({ length: LARGEST_BITS + 1 }, () => []);

  /** Bytes of all blocks. */
  get byteCount(): number {
    return this.#blocks.length * BLOCK_BYTES;
  }

  /** Takes a region. @param bytes at most 1 MiB */
  take(bytes: number): Region {
    const bits = Math.max(SMALLEST_BITS, 32 - Math.clz32(bytes - 1));
    if (bits > LARGEST_BITS) throw new RangeError(`a region cannot have ${bytes} bytes`);
    const freed = this.#free[bits]?.pop();
    if (freed !== undefined) return freed;
    const size = 1 << bits;
    if (this.#usedOfLast + size > BLOCK_BYTES) this.#addBlock();
    const offset = this.#usedOfLast;
    this.#usedOfLast += size;
    return regionOf(this.#blocks.length - 1, offset, bits);
  }

  give(region: Region): void {
    this.#free[bitsOf(region)]?.push(region);
  }

  /** The block that a region is part of. */
  blockOf(region: Region): Uint8Array {
    return this.#blocks[Math.floor(region / BLOCK_UNITS)] as Uint8Array;
  }

  /** What is left of the last block is freed in pieces. */
  #addBlock(): void {
    while (this.#usedOfLast < BLOCK_BYTES) {
      const bits = Math.min(LARGEST_BITS, 31 - Math.clz32(this.#usedOfLast & -this.#usedOfLast));
      this.#free[bits]?.push(regionOf(this.#blocks.length - 1, this.#usedOfLast, bits));
      this.#usedOfLast += 1 << bits;
    }
    this.#blocks.push(new Uint8Array(BLOCK_BYTES));
    this.#usedOfLast = 0;
  }
}

/** A region's number: its block, its offset there in units of the smallest region, and the bits of its size. */
const UNITS = BLOCK_BYTES >> SMALLEST_BITS;
const SIZES = 32;
const BLOCK_UNITS = UNITS * SIZES;

function regionOf(block: number, offset: number, bits: number): Region {
  return (block * UNITS + (offset >> SMALLEST_BITS)) * SIZES + bits;
}

function bitsOf(region: Region): number {
  return region % SIZES;
}

/** Bytes of a region; 0 if it is none. */
export function sizeOf(region: Region): number {
  return region === 0 ? 0 : 1 << bitsOf(region);
}

/** Where a region begins in its block. */
export function offsetOf(region: Region): number {
  return Math.floor((region % BLOCK_UNITS) / SIZES) << SMALLEST_BITS;
}
