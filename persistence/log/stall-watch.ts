// Detects an append that takes too long, and distinguishes a disk that hangs from a process that was not running.
import { FLUSH_STALL_GRACE_MS, FLUSH_STALL_MS, FLUSH_STALL_TIMERS } from '../limits.js';
import { type Alarm, NODE_SCHEDULER, type Scheduler } from '../time/scheduler.js';
import { LogStalled } from './log.js';

export class StallWatch {
  readonly #onStall: (error: LogStalled) => void;
  readonly #limitMs: number;
  readonly #scheduler: Scheduler;
  #alarm: Alarm | undefined;
  #timersLeft = 0;

  /**
   * @param onStall called once for an append that is overdue
   * @param stallMs longest time an append may take
   */
  constructor(
    onStall: (error: LogStalled) => void,
    stallMs: number = FLUSH_STALL_MS,
    scheduler: Scheduler = NODE_SCHEDULER,
  ) {
    this.#onStall = onStall;
    this.#limitMs = stallMs + FLUSH_STALL_GRACE_MS;
    this.#scheduler = scheduler;
  }

  /** An append begins; the previous one has ended. */
  begin(firstSeq: number): void {
    this.#timersLeft = FLUSH_STALL_TIMERS;
    this.#startTimer(firstSeq);
  }

  /** The append has ended, or no longer matters. */
  end(): void {
    this.#scheduler.cancel(this.#alarm);
  }

  #startTimer(firstSeq: number): void {
    this.#alarm = this.#scheduler.after(this.#limitMs / FLUSH_STALL_TIMERS, this.#endTimer, firstSeq);
  }

  /**
   * After SIGSTOP, a suspended machine or a long turn of the event loop, a timer fires before the completion of an
   * append that ended long ago. The next timer gives the completion time to arrive; the process may be stopped again
   * meanwhile.
   */
  readonly #endTimer = (firstSeq: number): void => {
    this.#timersLeft -= 1;
    if (this.#timersLeft > 0) this.#startTimer(firstSeq);
    else this.#onStall(new LogStalled(firstSeq, this.#limitMs));
  };
}
