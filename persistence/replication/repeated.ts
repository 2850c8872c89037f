// A step that is repeated after pauses, one at a time, until it is stopped.
import type { Alarm, Scheduler } from '../writer/scheduler.js';

export class Repeated {
  readonly #scheduler: Scheduler;
  readonly #step: () => Promise<number | null>;
  #alarm: Alarm | undefined;
  #running: Promise<void> | undefined;
  #isStarted = false;

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
    const delayMs = await this.#step();
    if (!this.#isStarted) return;
    if (delayMs === null) this.#isStarted = false;
    else this.#alarm = this.#scheduler.after(delayMs, this.#run);
  }
}
