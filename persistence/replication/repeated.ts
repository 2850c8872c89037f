// A step that is repeated after pauses, one at a time, until it is stopped.
import type { Alarm, Scheduler } from '../time/scheduler.js';

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
