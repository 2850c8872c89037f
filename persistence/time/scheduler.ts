// Schedules calls: in the next turn of the event loop, after a delay, at a deadline, or again and again. All deferred writes and wake-ups
// go through it, so that a simulation can run them on its own clock. It must never reorder two calls.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_SLEEP_MS } from '../limits.js';

export interface Scheduler {
  /** Calls in the next turn of the event loop, after earlier such calls. */
  soon<Arguments extends unknown[]>(callback: (...given: Arguments) => void, ...given: Arguments): void;

  /**
   * Calls once after a delay, unless it is cancelled. It may be late, but never early by more than a millisecond.
   *
   * @param delayMs at most MAX_SLEEP_MS
   */
  after<Arguments extends unknown[]>(
    delayMs: number,
    callback: (...given: Arguments) => void,
    ...given: Arguments
  ): Alarm;

  /** Cancels an alarm. Ignores one that has fired, and undefined. */
  cancel(alarm: Alarm | undefined): void;

  /** Settles in the next turn of the event loop. */
  nextTurn(): Promise<void>;
}

/** What after() returns and cancel() takes. Only the scheduler that returned it knows what it is. */
export type Alarm = object;

/** Settles after a delay. @param delayMs at most MAX_SLEEP_MS */
export function pause(scheduler: Pick<Scheduler, 'after'>, delayMs: number): Promise<void> {
  return new Promise((resolve) => void scheduler.after(delayMs, resolve));
}

/** The scheduler of a real process. */
export const NODE_SCHEDULER: Scheduler = {
  soon: setImmediate,
  after: (delayMs, callback, ...given) => setTimeout(callback, delayMs, ...given),
  cancel: (alarm: NodeJS.Timeout | undefined) => clearTimeout(alarm),
  nextTurn: () => nextTurn(),
};

/** The only timeout of an idle world: sleeps until the next deadline, however far away, and fires once. */
export class DeadlineTimer {
  readonly #onWake: () => void;
  readonly #scheduler: Scheduler;
  #alarm: Alarm | undefined;
  #armedForMs = Number.POSITIVE_INFINITY;

  /** @param onWake called when a deadline may have come; it may be early, and then arms the timer again */
  constructor(onWake: () => void, scheduler: Scheduler = NODE_SCHEDULER) {
    this.#onWake = onWake;
    this.#scheduler = scheduler;
  }

  /**
   * Makes sure that onWake is called by the deadline. If the timer is armed for an earlier one, nothing changes: a
   * wake-up that finds nothing due arms it again.
   *
   * @param deadlineMs world time; Infinity if there is none
   * @param nowMs world time
   */
  wakeBy(deadlineMs: number, nowMs: number): void {
    if (deadlineMs >= this.#armedForMs) return;
    this.stop();
    this.#alarm = this.#scheduler.after(Math.min(Math.max(deadlineMs - nowMs, 0), MAX_SLEEP_MS), this.#wake);
    this.#armedForMs = deadlineMs;
  }

  stop(): void {
    this.#scheduler.cancel(this.#alarm);
    this.#armedForMs = Number.POSITIVE_INFINITY;
  }

  readonly #wake = (): void => {
    this.#armedForMs = Number.POSITIVE_INFINITY;
    this.#onWake();
  };
}

/** A step that is repeated after pauses, one at a time, until it is stopped. */
export class Repeated {
  readonly #scheduler: Scheduler;
  readonly #step: () => Promise<number | null>;
  #alarm: Alarm | undefined;
  #running: Promise<void> | undefined;
  #isStarted = false;
  #isHurried = false;

  /** @param step must not be rejected. @returns milliseconds until the next step; null to end */
  constructor(scheduler: Scheduler, step: () => Promise<number | null>) {
    this.#scheduler = scheduler;
    this.#step = step;
  }

  /** Begins after a delay, unless it has begun. */
  start(delayMs: number): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#alarm = this.#scheduler.after(delayMs, this.#run);
  }

  /** Runs the next step now, or right after the one that is running. Does nothing before start(). */
  hurry(): void {
    if (!this.#isStarted) return;
    this.#isHurried = true;
    if (this.#running !== undefined) return;
    this.#scheduler.cancel(this.#alarm);
    this.#alarm = this.#scheduler.after(0, this.#run);
  }

  /** Begins no further step, and settles once none is running. Must not be awaited by the step itself. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#scheduler.cancel(this.#alarm);
    await this.#running;
  }

  readonly #run = (): void => {
    this.#running = this.#runOnce();
  };

  async #runOnce(): Promise<void> {
    this.#isHurried = false;
    const delayMs = await this.#step();
    this.#running = undefined;
    if (!this.#isStarted) return;
    if (delayMs === null) this.#isStarted = false;
    else this.#alarm = this.#scheduler.after(this.#isHurried ? 0 : delayMs, this.#run);
  }
}
