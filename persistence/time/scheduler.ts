// Schedules calls: in the next turn of the event loop, or after a delay. All deferred writes and wake-ups go through
// it, so that a simulation can run them on its own clock. It must never reorder two calls.
import { setImmediate as nextTurn } from 'node:timers/promises';

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
