// The one timeout of a world at rest: sleeps until the next deadline, however far away, and wakes once.
import { MAX_SLEEP_MS } from '../limits.js';
import { type Alarm, NODE_SCHEDULER, type Scheduler } from './scheduler.js';

export class DeadlineTimer {
  readonly #onWake: () => void;
  readonly #scheduler: Scheduler;
  #alarm: Alarm | undefined;
  #armedForMs = Number.POSITIVE_INFINITY;

  /** @param onWake called when a deadline may have come; too early is possible, and then it is armed again */
  constructor(onWake: () => void, scheduler: Scheduler = NODE_SCHEDULER) {
    this.#onWake = onWake;
    this.#scheduler = scheduler;
  }

  /**
   * Sees to it that onWake is called by the deadline. A later one than what it is armed for changes nothing: the wake-up
   * that finds nothing due arms the timer anew.
   *
   * @param deadlineMs world time; Infinity where there is none
   * @param nowMs world time
   */
  wakeBy(deadlineMs: number, nowMs: number): void {
    if (deadlineMs >= this.#armedForMs) return;
    this.stop();
    this.#armedForMs = deadlineMs;
    this.#alarm = this.#scheduler.after(Math.min(Math.max(deadlineMs - nowMs, 0), MAX_SLEEP_MS), this.#wake);
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
