// A binary heap that tracks the position of each member, so that any member can be removed in O(log n). Members are
// small integers (slots). Keys are in typed arrays, so that a comparison touches no object.

const INITIAL_CAPACITY = 64;

/** Total order: smallest key first; among equal keys, smallest tie first. Ties must be unique. */
export class PositionalHeap {
  #size = 0;
  /** Indexed by position in the heap. */
  #keys = new Float64Array(INITIAL_CAPACITY);
  #slots = new Int32Array(INITIAL_CAPACITY);
  /** Indexed by slot. */
  #ties = new Float64Array(INITIAL_CAPACITY);
  #positions = new Int32Array(INITIAL_CAPACITY).fill(-1);

  get size(): number {
    return this.#size;
  }

  /** Key of the first member; Infinity if the heap is empty. */
  get firstKey(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : at(this.#keys, 0);
  }

  /** Slot of the first member; -1 if the heap is empty. */
  get firstSlot(): number {
    return this.#size === 0 ? -1 : at(this.#slots, 0);
  }

  tieOf(slot: number): number {
    return at(this.#ties, slot);
  }

  /** Adds a slot that is not in the heap. */
  insert(slot: number, key: number, tie: number): void {
    this.#reserve(slot);
    this.#ties[slot] = tie;
    const position = this.#size;
    this.#size += 1;
    this.#siftUp(position, slot, key);
  }

  /** Removes a member at any position. */
  remove(slot: number): void {
    const position = at(this.#positions, slot);
    if (position < 0) throw new RangeError(`slot ${slot} is not in the heap`);
    this.#positions[slot] = -1;
    this.#size -= 1;
    if (position === this.#size) return;
    this.#settle(position, at(this.#slots, this.#size), at(this.#keys, this.#size));
  }

  /** True if a member (key, tie) comes before the member at a position. */
  #precedes(key: number, slot: number, otherPosition: number): boolean {
    const otherKey = at(this.#keys, otherPosition);
    if (key !== otherKey) return key < otherKey;
    return at(this.#ties, slot) < at(this.#ties, at(this.#slots, otherPosition));
  }

  /** Moves a member that may be too early or too late at its position to where it belongs. */
  #settle(position: number, slot: number, key: number): void {
    const parent = (position - 1) >> 1;
    if (position > 0 && this.#precedes(key, slot, parent)) this.#siftUp(position, slot, key);
    else this.#siftDown(position, slot, key);
  }

  #siftUp(from: number, slot: number, key: number): void {
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (!this.#precedes(key, slot, parent)) break;
      this.#place(position, at(this.#slots, parent), at(this.#keys, parent));
      position = parent;
    }
    this.#place(position, slot, key);
  }

  #siftDown(from: number, slot: number, key: number): void {
    let position = from;
    for (;;) {
      let child = 2 * position + 1;
      if (child >= this.#size) break;
      const right = child + 1;
      if (right < this.#size && this.#precedes(at(this.#keys, right), at(this.#slots, right), child)) child = right;
      if (this.#precedes(key, slot, child)) break;
      this.#place(position, at(this.#slots, child), at(this.#keys, child));
      position = child;
    }
    this.#place(position, slot, key);
  }

  #place(position: number, slot: number, key: number): void {
    this.#keys[position] = key;
    this.#slots[position] = slot;
    this.#positions[slot] = position;
  }

  #reserve(slot: number): void {
    let capacity = this.#positions.length;
    if (slot < capacity && this.#size < capacity) return;
    while (capacity <= slot || capacity <= this.#size) capacity *= 2;
    this.#keys = enlarged(this.#keys, new Float64Array(capacity));
    this.#ties = enlarged(this.#ties, new Float64Array(capacity));
    this.#slots = enlarged(this.#slots, new Int32Array(capacity));
    this.#positions = enlarged(this.#positions, new Int32Array(capacity).fill(-1));
  }
}

/** The element of a typed array at an index within its bounds. */
function at(array: Float64Array | Int32Array, index: number): number {
  return array[index] as number;
}

function enlarged<T extends Float64Array | Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
