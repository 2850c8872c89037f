// Watches that an append does not take for ever, and tells a disk that hangs from a process that was not running.
import { FLUSH_STALL_GRACE_MS, FLUSH_STALL_MS } from './limits.js';
import { LogStalled } from './log.js';

export class StallWatch {
  readonly #onStall: (error: LogStalled) => void;
  readonly #stallMs: number;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param onStall told once for an append that is overdue
   * @param stallMs longest time an append may take
   */
  constructor(onStall: (error: LogStalled) => void, stallMs: number = FLUSH_STALL_MS) {
    this.#onStall = onStall;
    this.#stallMs = stallMs;
  }

  /** An append begins; the one before has ended. */
  begin(firstSeq: number): void {
    this.#timer = setTimeout(this.#doubt, this.#stallMs, firstSeq);
  }

  /** The append has ended, or nobody cares any more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  /**
   * After SIGSTOP, a suspended machine or a long turn of the event loop this timer rings before the news of an append that
   * has ended long ago. During a second one the news comes in.
   */
  readonly #doubt = (firstSeq: number): void => {
    const waitedMs = this.#stallMs + FLUSH_STALL_GRACE_MS;
    this.#timer = setTimeout(() => this.#onStall(new LogStalled(firstSeq, waitedMs)), FLUSH_STALL_GRACE_MS);
  };
}
