// Detects an append that takes too long, and distinguishes a disk that hangs from a process that was not running.
import { FLUSH_STALL_GRACE_MS, FLUSH_STALL_MS } from '../limits.js';
import { LogStalled } from '../log/log.js';
import { type Alarm, NODE_SCHEDULER, type Scheduler } from './scheduler.js';

export class StallWatch {
  readonly #onStall: (error: LogStalled) => void;
  readonly #stallMs: number;
  readonly #scheduler: Scheduler;
  #alarm: Alarm | undefined;

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
    this.#stallMs = stallMs;
    this.#scheduler = scheduler;
  }

  /** An append begins; the previous one has ended. */
  begin(firstSeq: number): void {
    this.#alarm = this.#scheduler.after(this.#stallMs, this.#startGrace, firstSeq);
  }

  /** The append has ended, or no longer matters. */
  end(): void {
    this.#scheduler.cancel(this.#alarm);
  }

  /**
   * After SIGSTOP, a suspended machine or a long turn of the event loop, this timer fires before the completion of an
   * append that ended long ago. A second timer gives the completion time to arrive.
   */
  readonly #startGrace = (firstSeq: number): void => {
    const waitedMs = this.#stallMs + FLUSH_STALL_GRACE_MS;
    this.#alarm = this.#scheduler.after(FLUSH_STALL_GRACE_MS, () => this.#onStall(new LogStalled(firstSeq, waitedMs)));
  };
}
