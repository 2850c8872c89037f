// When things happen in a world: its durations, at its speed, and all its pending timers in the total order (deadline, id). The queue knows
// when a timer fires and what it acts on, but not what happens then.

import { multiplyDivideCeil } from '../numbers/arithmetic.js';
import { PositionalHeap } from '../numbers/positional-heap.js';

/** What happens when a timer fires. The numbers are never reused. */
export const TIMER_KINDS = {
  building_complete: 1,
  ships_complete: 2,
  research_complete: 3,
  fleet_arrive: 4,
  fleet_return: 5,
  plan_lane: 6,
  offer_end: 9,
  goods_arrive: 10,
  pact_end: 7,
  shocks_announce: 11,
  shock_turn: 12,
} as const;
export type TimerKind = (typeof TIMER_KINDS)[keyof typeof TIMER_KINDS];

/** Refers to a pending timer; valid until it fires or is cancelled. */
export type TimerHandle = number;
export const NO_TIMER: TimerHandle = -1;

export interface DueTimer {
  readonly deadlineMs: number;
  readonly kind: TimerKind;
  readonly target: number;
}

export class TimerQueue {
  readonly #heap = new PositionalHeap();
  // Indexed by handle.
  readonly #kinds: TimerKind[] = [];
  readonly #targets: number[] = [];
  readonly #freeHandles: TimerHandle[] = [];

  get size(): number {
    return this.#heap.size;
  }

  /** World time of the next firing in milliseconds; Infinity if no timer is pending. */
  get nextDeadlineMs(): number {
    return this.#heap.firstKey;
  }

  /**
   * Adds a timer. The number of timers is bounded by that of their owners: planets with their plans, players, fleets, and
   * offers, each of which is followed by two loads of goods when it is taken, and galaxies with their shocks.
   *
   * @param id unique; timers with equal deadlines fire in the order of their ids
   * @param target what the timer acts on: its row, so that firing needs no lookup, or the number of a player
   */
  schedule(id: number, deadlineMs: number, kind: TimerKind, target: number): TimerHandle {
    const handle = this.#freeHandles.pop() ?? this.#kinds.length;
    this.#kinds[handle] = kind;
    this.#targets[handle] = target;
    this.#heap.insert(handle, deadlineMs, id);
    return handle;
  }

  cancel(handle: TimerHandle): void {
    this.#heap.remove(handle);
    this.#freeHandles.push(handle);
  }

  idOf(handle: TimerHandle): number {
    return this.#heap.tieOf(handle);
  }

  /** Removes the first timer. Call it only while size > 0. */
  takeFirst(): DueTimer {
    const handle = this.#heap.firstSlot;
    const due = {
      deadlineMs: this.#heap.firstKey,
      kind: this.#kinds[handle] as TimerKind,
      target: this.#targets[handle] as number,
    };
    this.cancel(handle);
    return due;
  }
}

/** What durations depend on. */
export interface WorldSpeed {
  readonly settings: { readonly speedThousandths: number };
}

/** Every duration of the game is computed here. Converts one at speed 1 to the world's speed: divided, rounded up to a millisecond, at least 1. */
export function durationMs(world: WorldSpeed, baseMs: number): number {
  return Math.max(1, multiplyDivideCeil(baseMs, 1000, world.settings.speedThousandths));
}
