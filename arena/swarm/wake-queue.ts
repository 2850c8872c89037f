// The bots that sleep until an instant: a binary heap, the earliest first; at the same instant, the one that was added first. A bot
// that was woken meanwhile stays in it, and is dropped when it reaches the front, or once half of the entries are such.

export interface Sleeper {
  /** Instant of its latest entry in milliseconds since 1970; null if it has none that counts. */
  sleepsUntilMs: number | null;
}

interface Entry<One> {
  readonly atMs: number;
  readonly order: number;
  readonly sleeper: One;
}

/** Entries from which on those that no longer count are looked for. */
const SWEEP_LENGTH_MIN = 1_024;

export class WakeQueue<One extends Sleeper> {
  #heap: Entry<One>[] = [];
  #sweepLength = SWEEP_LENGTH_MIN;
  #order = 0;

  /** Adds a sleeper. An earlier entry of it counts no more. */
  add(sleeper: One, atMs: number): void {
    sleeper.sleepsUntilMs = atMs;
    this.#order += 1;
    if (this.#heap.length >= this.#sweepLength) this.#sweep();
    this.#rise({ atMs, order: this.#order, sleeper });
  }

  /** Number of entries. */
  get length(): number {
    return this.#heap.length;
  }

  /** When the first one is to be woken; null if there is none. */
  get nextAtMs(): number | null {
    this.#dropStale();
    return this.#heap[0]?.atMs ?? null;
  }

  /** Takes the first one whose time has come. */
  take(nowMs: number): One | undefined {
    this.#dropStale();
    const [first] = this.#heap;
    if (first === undefined || first.atMs > nowMs) return undefined;
    this.#removeFirst();
    first.sleeper.sleepsUntilMs = null;
    return first.sleeper;
  }

  /** Removes all entries that no longer count. A sorted list is a heap. */
  #sweep(): void {
    this.#heap = this.#heap.filter(({ atMs, sleeper }) => sleeper.sleepsUntilMs === atMs);
    this.#heap.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    this.#sweepLength = Math.max(SWEEP_LENGTH_MIN, 2 * this.#heap.length);
  }

  #dropStale(): void {
    for (;;) {
      const [first] = this.#heap;
      if (first === undefined || first.sleeper.sleepsUntilMs === first.atMs) return;
      this.#removeFirst();
    }
  }

  #rise(entry: Entry<One>): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(entry);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above] as Entry<One>;
      if (!isBefore(entry, parent)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = entry;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const child = right < heap.length && isBefore(heap[right] as Entry<One>, heap[left] as Entry<One>) ? right : left;
      if (!isBefore(heap[child] as Entry<One>, last)) break;
      heap[place] = heap[child] as Entry<One>;
      place = child;
    }
    heap[place] = last;
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
