// The event loop and the clocks of one simulated process. Its monotonic clock has its own zero and runs a little faster or
// slower than others, and goes on while the process is stopped; its wall clock is set by people.
import type { TimeSource } from '../../../persistence/time/clock.js';
import type { Alarm, Scheduler } from '../../../persistence/time/scheduler.js';
import type { Draws } from '../../support/process/draws.js';
import type { Stage } from '../stage.js';
import { VirtualScheduler } from '../virtual-scheduler.js';

/** How much a clock differs from the true time, in thousandths: more than any crystal does. */
const DRIFT_THOUSANDTHS = 20;
const ZERO_MS_MAX = 1_000_000;
const WALL_MS_MAX = 5_000;

export class ProcessLoop implements Scheduler {
  readonly #scheduler: VirtualScheduler;
  readonly #rate: number;
  readonly #zeroMs: number;
  #wallOffsetMs: number;
  #isStopped = false;
  #isOver = false;
  #stoppedMs = 0;
  readonly source: TimeSource;

  constructor(stage: Stage) {
    const { draws, time } = stage;
    this.#scheduler = new VirtualScheduler(time);
    this.#rate = 1 + draws.between(-DRIFT_THOUSANDTHS, DRIFT_THOUSANDTHS) / 1_000;
    this.#zeroMs = draws.below(ZERO_MS_MAX) - time.elapsedMs();
    this.#wallOffsetMs = draws.between(-WALL_MS_MAX, WALL_MS_MAX);
    this.source = {
      wallMs: () => stage.timeSource.wallMs() + this.#wallOffsetMs,
      elapsedMs: () => (stage.timeSource.elapsedMs() + this.#zeroMs) * this.#rate,
    };
    this.elapsedNowMs = () => (time.elapsedMs() + this.#zeroMs) * this.#rate;
  }

  /** The monotonic clock, without the time that reading it takes. */
  readonly elapsedNowMs: () => number;

  /** SIGSTOP, or SIGCONT: while it is stopped, none of its code runs. */
  stop(isStopped: boolean): void {
    if (isStopped === this.#isStopped) return;
    const nowMs = this.elapsedNowMs();
    this.#stoppedMs += isStopped ? -nowMs : nowMs;
    this.#isStopped = isStopped;
  }

  /** For how long it was stopped in all, by its monotonic clock. */
  get stoppedMs(): number {
    return this.#stoppedMs;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  setWallClock(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  soon<Arguments extends unknown[]>(callback: (...given: Arguments) => void, ...given: Arguments): void {
    this.#scheduler.soon(callback, ...given);
  }

  after<Arguments extends unknown[]>(
    delayMs: number,
    callback: (...given: Arguments) => void,
    ...given: Arguments
  ): Alarm {
    return this.#scheduler.after(Math.ceil(delayMs / this.#rate), callback, ...given);
  }

  cancel(alarm: Alarm | undefined): void {
    this.#scheduler.cancel(alarm);
  }

  nextTurn(): Promise<void> {
    return this.#scheduler.nextTurn();
  }

  /** Something from outside reaches the process. */
  tellAfter(delayMs: number, call: () => void): void {
    this.#scheduler.tellAfter(delayMs, call);
  }

  readonly device = (delayMs: number): Promise<void> => this.#scheduler.device(delayMs);

  /** When it has something to do, in true time; never while it is stopped. */
  get nextDueMs(): number {
    return this.#isStopped ? Number.POSITIVE_INFINITY : this.#scheduler.nextDueMs;
  }

  get isIdle(): boolean {
    return this.#isStopped || this.#scheduler.isIdle;
  }

  /** One turn of the loop. @returns false if there was nothing to do */
  run(draws: Draws): boolean {
    return !this.#isStopped && this.#scheduler.run(draws);
  }

  /** The process has ended. */
  end(): void {
    this.#isOver = true;
    this.#scheduler.end();
  }
}
