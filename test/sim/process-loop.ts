// The event loop and the clocks of one simulated process. Its monotonic clock has its own zero, may run a little faster or
// slower than others, and goes on while the process is stopped. Its wall clock is that of its machine, which people set.
import type { TimeSource } from '../../persistence/time/clock.js';
import type { Alarm, Scheduler } from '../../persistence/time/scheduler.js';
import type { Draws } from '../support/process/draws.js';
import { VirtualScheduler } from '../support/virtual-scheduler.js';
import type { Stage } from './stage.js';

const ZERO_MS_MAX = 1_000_000;

export interface LoopOptions {
  /** How far the clock of the machine is ahead. */
  readonly wallOffsetMs: () => number;
  /** How much the monotonic clock may differ from the true time, in thousandths. */
  readonly driftThousandths: number;
}

export class ProcessLoop implements Scheduler {
  readonly #scheduler: VirtualScheduler;
  readonly #rate: number;
  readonly #zeroMs: number;
  #isStopped = false;
  #isOver = false;
  #stoppedMs = 0;
  readonly source: TimeSource;

  constructor(stage: Stage, { wallOffsetMs, driftThousandths }: LoopOptions) {
    const { draws, time } = stage;
    this.#scheduler = new VirtualScheduler(time);
    this.#rate = 1 + draws.between(-driftThousandths, driftThousandths) / 1_000;
    this.#zeroMs = draws.below(ZERO_MS_MAX) - time.elapsedMs();
    this.source = {
      wallMs: () => stage.timeSource.wallMs() + wallOffsetMs(),
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

  /** How long it was stopped in all, by its monotonic clock. */
  get stoppedMs(): number {
    return this.#stoppedMs;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isStopped(): boolean {
    return this.#isStopped;
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
