// When something runs later: in the next turn of the event loop, or after a while. The only way in which writing and waking
// are put off, so that a simulation can run them on a clock of its own. It must never order two calls anew.
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Scheduler {
  /** Calls in the next turn of the event loop, behind what was put there before. */
  soon<Arguments extends unknown[]>(callback: (...given: Arguments) => void, ...given: Arguments): void;

  /**
   * Calls once after a while, unless it is cancelled before. It may be late, never early by more than a millisecond.
   *
   * @param delayMs at most MAX_SLEEP_MS
   */
  after<Arguments extends unknown[]>(
    delayMs: number,
    callback: (...given: Arguments) => void,
    ...given: Arguments
  ): Alarm;

  /** Takes an alarm back. One that has rung, or undefined, is let pass. */
  cancel(alarm: Alarm | undefined): void;

  /** Settles in the next turn of the event loop. */
  nextTurn(): Promise<void>;
}

/** What after() returns and cancel() takes. Only the scheduler that returned it knows what it is. */
export type Alarm = object;

/** Those of the running process. */
export const NODE_SCHEDULER: Scheduler = {
  soon: setImmediate,
  after: (delayMs, callback, ...given) => setTimeout(callback, delayMs, ...given),
  cancel: (alarm: NodeJS.Timeout | undefined) => clearTimeout(alarm),
  nextTurn: () => nextTurn(),
};
