// Watches that an append does not take for ever, and tells a disk that hangs from a process that was not running.
import { FLUSH_STALL_GRACE_MS, FLUSH_STALL_MS } from '../limits.js';
import { LogStalled } from '../log/log.js';
import { type Alarm, NODE_SCHEDULER, type Scheduler } from './scheduler.js';

export class StallWatch {
  readonly #onStall: (error: LogStalled) => void;
  readonly #stallMs: number;
  readonly #scheduler: Scheduler;
  #alarm: Alarm | undefined;

  /**
   * @param onStall told once for an append that is overdue
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

  /** An append begins; the one before has ended. */
  begin(firstSeq: number): void {
    this.#alarm = this.#scheduler.after(this.#stallMs, this.#doubt, firstSeq);
  }

  /** The append has ended, or nobody cares any more. */
  end(): void {
    this.#scheduler.cancel(this.#alarm);
  }

  /**
   * After SIGSTOP, a suspended machine or a long turn of the event loop this timer rings before the news of an append that
   * has ended long ago. During a second one the news comes in.
   */
  readonly #doubt = (firstSeq: number): void => {
    const waitedMs = this.#stallMs + FLUSH_STALL_GRACE_MS;
    this.#alarm = this.#scheduler.after(FLUSH_STALL_GRACE_MS, () => this.#onStall(new LogStalled(firstSeq, waitedMs)));
  };
}
