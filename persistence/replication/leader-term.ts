// The time for which a process leads: it renews the lease, and knows at every moment whether it may still answer. It
// decides by the clock each time it is asked, never by a timer alone: a process that was stopped runs its timers late.
import { asError } from '../fatal.js';
import { LEASE_RENEW_MAX_MS, LEASE_RENEWALS, LEASE_SAFE_SHARE } from '../limits.js';
import { Fenced } from '../log/log.js';
import type { Leadership, Lease } from '../stores/world-store.js';
import type { TimeSource } from '../time/clock.js';
import { type Alarm, Repeated, type Scheduler } from '../time/scheduler.js';

export interface LeaderTermParts {
  readonly leadership: Pick<Leadership, 'renew'>;
  readonly scheduler: Scheduler;
  readonly source: TimeSource;
  /** Epoch of the claim that it begins with. */
  readonly epoch: number;
  readonly leaseMs: number;
  /** elapsedMs() and wallMs() when the claim was sent. */
  readonly claimedAt: Moment;
  /** The lease was renewed, and may name a process that is to lead next. */
  readonly onRenewed: (lease: Lease) => void;
  /** mayAnswer has changed. */
  readonly onChange: () => void;
  /** Another process has acquired the log. Called once. */
  readonly onLost: (error: Error) => void;
}

/** An instant by both clocks of the machine. */
export interface Moment {
  readonly elapsedMs: number;
  readonly wallMs: number;
}

export function momentOf(source: TimeSource): Moment {
  return { elapsedMs: source.elapsedMs(), wallMs: source.wallMs() };
}

export class LeaderTerm {
  readonly epoch: number;
  readonly #parts: LeaderTermParts;
  readonly #safeMs: number;
  readonly #renewals: Repeated;
  /** What waits for a renewal, in order. */
  #waiting: (() => void)[] = [];
  /** When the last successful renewal, or the claim, was sent. */
  #renewedAt: Moment;
  #pauseAlarm: Alarm | undefined;
  #isPaused = false;
  #isOver = false;

  constructor(parts: LeaderTermParts) {
    this.#parts = parts;
    this.epoch = parts.epoch;
    this.#safeMs = parts.leaseMs * LEASE_SAFE_SHARE;
    this.#renewedAt = parts.claimedAt;
    this.#renewals = new Repeated(parts.scheduler, this.#renew);
  }

  /** Starts to renew the lease. */
  start(): void {
    this.#armPause();
    this.#renewals.start(this.#renewMs);
  }

  /**
   * Whether no other process can lead now. The wall clock can only shorten that: it also counts the time for which the
   * machine was suspended, which the monotonic clock of some systems does not.
   */
  get isValid(): boolean {
    if (this.#isOver) return false;
    const { elapsedMs, wallMs } = this.#renewedAt;
    const { source } = this.#parts;
    return source.elapsedMs() - elapsedMs < this.#safeMs && source.wallMs() - wallMs < this.#safeMs;
  }

  /** It was ended or lost. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Milliseconds since the last successful renewal was sent. */
  get ageMs(): number {
    return this.#parts.source.elapsedMs() - this.#renewedAt.elapsedMs;
  }

  /** Whether whenValid() calls at once. */
  get answersAtOnce(): boolean {
    return this.isValid && this.#waiting.length === 0;
  }

  /** Calls once the term is valid: now, or after a renewal, in the order of the calls; never if it ends before. */
  whenValid(call: () => void): void {
    if (this.answersAtOnce) call();
    else if (!this.#isOver) this.#waiting.push(call);
  }

  /** Settles once the term is valid; never if it ends before. */
  untilValid(): Promise<void> {
    return new Promise((resolve) => this.whenValid(resolve));
  }

  /** Ends the renewals, and with them the term. Settles once no renewal is under way. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#waiting = [];
    this.#parts.scheduler.cancel(this.#pauseAlarm);
    await this.#renewals.stop();
  }

  get #renewMs(): number {
    return Math.min(this.#parts.leaseMs / LEASE_RENEWALS, LEASE_RENEW_MAX_MS);
  }

  readonly #renew = async (): Promise<number | null> => {
    const { leadership, source, onRenewed } = this.#parts;
    const sentAt = momentOf(source);
    const lease = await leadership.renew(this.epoch).catch(asError);
    if (this.#isOver) return null;
    if (lease instanceof Fenced) {
      this.#lose(lease);
      return null;
    }
    if (lease instanceof Error) {
      // The store cannot be reached now. If that lasts, the term is no longer valid, and nothing is answered.
      this.#pauseIfInvalid();
    } else {
      this.#renewedAt = sentAt;
      this.#continue();
      onRenewed(lease);
    }
    return Math.max(this.#renewMs - (source.elapsedMs() - sentAt.elapsedMs), 0);
  };

  /** Called after a renewal: what was held back may leave, if the answer to the renewal has come in time. */
  #continue(): void {
    this.#pauseIfInvalid();
    if (!this.isValid) return;
    this.#armPause();
    if (this.#isPaused) {
      this.#isPaused = false;
      this.#parts.onChange();
    }
    while (this.#waiting.length > 0 && this.isValid) this.#waiting.shift()?.();
  }

  #armPause(): void {
    const { scheduler } = this.#parts;
    scheduler.cancel(this.#pauseAlarm);
    // Timers may be early by a millisecond.
    this.#pauseAlarm = scheduler.after(Math.max(this.#safeMs - this.ageMs, 0) + 1, this.#pauseIfInvalid);
  }

  readonly #pauseIfInvalid = (): void => {
    if (this.#isOver || this.#isPaused || this.isValid) return;
    this.#isPaused = true;
    this.#parts.onChange();
  };

  #lose(error: Error): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#parts.scheduler.cancel(this.#pauseAlarm);
    this.#parts.onLost(error);
  }
}
