// Maps a key to its row: a hash table with open addressing in one typed array. A lookup costs one cache miss; in a Map
// of a million keys it costs two or three.

const INITIAL_SLOTS = 64;
const FREE = -1;
/** 2^32 / golden ratio: spreads neighbouring keys far apart (Knuth, The Art of Computer Programming 3, 6.4). */
const MULTIPLIER = 0x9e3779b1;

export class KeyIndex {
  #slotCount = INITIAL_SLOTS;
  /** Alternating keys and rows. */
  #slots = new Int32Array(2 * INITIAL_SLOTS).fill(FREE);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param key not negative @returns its row, or -1 */
  rowOf(key: number): number {
    return this.#slots[this.#placeOf(key) + 1] as number;
  }

  /** Adds a key that is not in the index. @param key below 2^31, like the row */
  add(key: number, row: number): void {
    // At least half of the slots stay free, so that a lookup rarely needs a second slot.
    if (2 * (this.#size + 1) > this.#slotCount) this.#grow();
    const place = this.#placeOf(key);
    this.#slots[place] = key;
    this.#slots[place + 1] = row;
    this.#size += 1;
  }

  /** Sets the row of a key that is in the index. */
  replace(key: number, row: number): void {
    this.#slots[this.#placeOf(key) + 1] = row;
  }

  /** Removes a key that is in the index. Keys that a search would no longer find move up (Knuth, 6.4, algorithm R). */
  remove(key: number): void {
    const slots = this.#slots;
    const mask = this.#slotCount - 1;
    let hole = this.#placeOf(key) / 2;
    for (let slot = (hole + 1) & mask; slots[2 * slot] !== FREE; slot = (slot + 1) & mask) {
      const home = this.#homeOf(slots[2 * slot] as number);
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      slots[2 * hole] = slots[2 * slot] as number;
      slots[2 * hole + 1] = slots[2 * slot + 1] as number;
      hole = slot;
    }
    slots[2 * hole] = FREE;
    slots[2 * hole + 1] = FREE;
    this.#size -= 1;
  }

  /** Slot where a search for a key begins. */
  #homeOf(key: number): number {
    return (Math.imul(key, MULTIPLIER) >>> 7) & (this.#slotCount - 1);
  }

  /** Place of a key, or the free place where it would be added. */
  #placeOf(key: number): number {
    const mask = this.#slotCount - 1;
    let slot = this.#homeOf(key);
    for (;;) {
      const found = this.#slots[2 * slot] as number;
      if (found === key || found === FREE) return 2 * slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slotCount *= 2;
    this.#slots = new Int32Array(2 * this.#slotCount).fill(FREE);
    for (let place = 0; place < old.length; place += 2) {
      const key = old[place] as number;
      if (key === FREE) continue;
      const newPlace = this.#placeOf(key);
      this.#slots[newPlace] = key;
      this.#slots[newPlace + 1] = old[place + 1] as number;
    }
  }
}
