// The queue of timers with from a thousand to ten million of them pending.
import { TIMER_KINDS, TimerQueue } from '../../engine/world/timer-queue.js';
import { SeededDraws } from '../seeded-draws.js';
import type { UnitCase, UnitGroup } from './unit-case.js';

const PENDING_SHORT = [1e3, 1e4, 1e5, 1e6];
const PENDING_FULL = [...PENDING_SHORT, 1e7];
/** Timers that one run pushes, pops or cancels; at most half of those pending. */
const BURST_MAX = 4_096;
/** Deadlines lie this far ahead at most, in milliseconds. */
const SPAN_MS = 1_000_000_000;

export const heapUnits: UnitGroup = function* ({ isFull, seed }) {
  for (const pending of isFull ? PENDING_FULL : PENDING_SHORT) yield* casesAt(pending, seed);
};

function* casesAt(pending: number, seed: number): Iterable<UnitCase> {
  const timers = new PendingTimers(pending, seed);
  const burst = Math.min(BURST_MAX, pending / 2);
  const fillUp = (size: number) => timers.pushAll(timers.drawDeadlines(size - timers.size));
  /** @param prepare is not timed */
  const once = (what: string, prepare: () => void, run: () => unknown): UnitCase => {
    return {
      kind: 'one-shot',
      name: `${what} at ${pending} pending`,
      unit: 'timer',
      prepare() {
        prepare();
        return { count: burst, run };
      },
    };
  };
  let deadlines: readonly number[] = [];
  const drawBurst = () => {
    timers.cancelDownTo(pending);
    deadlines = timers.drawDeadlines(burst);
  };
  yield once('push', drawBurst, () => timers.pushAll(deadlines));
  const addBurst = () => {
    timers.cancelDownTo(pending);
    fillUp(pending + burst);
  };
  yield once('pop', addBurst, () => timers.pop(burst));
  yield once(
    'cancel',
    () => fillUp(pending + burst),
    () => timers.cancelDownTo(pending),
  );
  yield {
    kind: 'steady',
    name: `pop the first and push another at ${pending} pending`,
    unit: 'pair',
    countPerRun: 1,
    prepare: () => {
      fillUp(pending);
      return () => timers.hold();
    },
  };
}

/** A queue in the state of a world that has been running: deadlines spread over what lies ahead of the present. */
class PendingTimers {
  readonly #queue = new TimerQueue();
  readonly #draws: SeededDraws;
  /** Handles pushed last, for cancelling; those popped since are skipped. */
  #pushed: number[] = [];
  #id = 0;
  #nowMs = 0;

  constructor(pending: number, seed: number) {
    this.#draws = new SeededDraws(seed);
    for (let count = 0; count < pending; count += 1) this.#push(this.#draws.below(SPAN_MS));
  }

  get size(): number {
    return this.#queue.size;
  }

  drawDeadlines(count: number): number[] {
    return Array.from({ length: Math.max(count, 0) }, () => this.#nowMs + this.#draws.below(SPAN_MS));
  }

  pushAll(deadlines: readonly number[]): number {
    this.#pushed = [];
    for (const deadlineMs of deadlines) this.#pushed.push(this.#push(deadlineMs));
    return this.size;
  }

  /** Takes the first timers out; the present moves on to the last of them. */
  pop(count: number): number {
    let targets = 0;
    for (let popped = 0; popped < count; popped += 1) {
      const due = this.#queue.takeFirst();
      this.#nowMs = due.deadlineMs;
      targets += due.target;
    }
    this.#pushed = [];
    return targets;
  }

  /** Cancels what was pushed last, wherever it stands by now. */
  cancelDownTo(pending: number): number {
    while (this.size > pending) {
      const handle = this.#pushed.pop();
      if (handle === undefined) throw new Error('more timers are pending than were pushed');
      this.#queue.cancel(handle);
    }
    return this.size;
  }

  /** What a live world does: the first timer fires, and another one is set. */
  hold(): number {
    const { deadlineMs, target } = this.#queue.takeFirst();
    this.#push(deadlineMs + this.#draws.below(SPAN_MS));
    return target;
  }

  #push(deadlineMs: number): number {
    this.#id += 1;
    return this.#queue.schedule(this.#id, deadlineMs, TIMER_KINDS.building_complete, this.#id % 1_000_000);
  }
}
