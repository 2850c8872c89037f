// The time of a swarm: the queue of bots that sleep until an instant, and world time between two readings of it.
import { CLOCK_LOOKS_KEPT } from '../limits.js';

export interface Sleeper {
  /** Instant of its valid entry, in milliseconds since 1970; null without one. */
  sleepsUntilMs: number | null;
}

interface Entry<One> {
  readonly atMs: number;
  readonly order: number;
  readonly sleeper: One;
}

/** Number of entries from which on stale entries are removed. */
const SWEEP_LENGTH_MIN = 1_024;

/**
 * A binary heap of entries, the earliest first; at the same instant, the one that was added first. The entry of a bot that was woken
 * early is stale. Stale entries are dropped when they reach the front, or once half of the entries are stale.
 */
export class WakeQueue<One extends Sleeper> {
  #heap: Entry<One>[] = [];
  #sweepLength = SWEEP_LENGTH_MIN;
  #order = 0;

  /** Adds an entry of a sleeper. Its earlier entry becomes stale. */
  add(sleeper: One, atMs: number): void {
    sleeper.sleepsUntilMs = atMs;
    this.#order += 1;
    if (this.#heap.length >= this.#sweepLength) this.#sweep();
    this.#rise({ atMs, order: this.#order, sleeper });
  }

  /** Number of entries, including stale ones. */
  get length(): number {
    return this.#heap.length;
  }

  /** When the first sleeper is to be woken; null without one. */
  get nextAtMs(): number | null {
    this.#dropStale();
    return this.#heap[0]?.atMs ?? null;
  }

  /** Removes the first sleeper whose time has come. @returns undefined if there is none */
  take(nowMs: number): One | undefined {
    this.#dropStale();
    const [first] = this.#heap;
    if (first === undefined || first.atMs > nowMs) return undefined;
    this.#removeFirst();
    first.sleeper.sleepsUntilMs = null;
    return first.sleeper;
  }

  /** Removes all stale entries. A sorted list is a heap. */
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

/**
 * World time between two readings. A real clock runs as fast as ours and only differs by an offset. A manual clock stands still until
 * the next reading.
 */
export class WorldClock {
  /** World time minus ours, at the latest readings. Every reply is late, so the largest offset is the most accurate. */
  #offsetsMs: number[] = [];
  #offsetMs = 0;
  #standsAtMs = 0;
  /** The instant that was formatted last. Bots read it several times a millisecond. */
  #writtenMs = Number.NaN;
  #written = '';

  /**
   * @param isManual whether an operator moves the clock
   * @param nowMs reads the clock of this machine
   */
  constructor(
    readonly isManual: boolean,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** Takes a reading of the world's clock. */
  observe(worldTime: string): void {
    const worldMs = Date.parse(worldTime);
    if (this.isManual) {
      this.#standsAtMs = Math.max(this.#standsAtMs, worldMs);
      return;
    }
    this.#offsetsMs = [...this.#offsetsMs.slice(1 - CLOCK_LOOKS_KEPT), worldMs - this.nowMs()];
    this.#offsetMs = Math.max(...this.#offsetsMs);
  }

  /** World time in milliseconds since 1970, never ahead of the world's clock. */
  get worldMs(): number {
    return this.isManual ? this.#standsAtMs : Math.floor(this.nowMs() + this.#offsetMs);
  }

  /** The same, as the API writes it. */
  get worldTime(): string {
    const { worldMs } = this;
    if (worldMs !== this.#writtenMs) {
      this.#writtenMs = worldMs;
      this.#written = new Date(worldMs).toISOString();
    }
    return this.#written;
  }

  /** How long to wait for an instant; null if that is not known. */
  delayMs(worldMs: number): number | null {
    if (worldMs <= this.worldMs) return 0;
    return this.isManual ? null : Math.ceil(worldMs - this.worldMs);
  }
}
