// The only timeout of an idle world: sleeps until the next deadline, however far away, and fires once.
import { MAX_SLEEP_MS } from '../limits.js';
import { type Alarm, NODE_SCHEDULER, type Scheduler } from './scheduler.js';

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
