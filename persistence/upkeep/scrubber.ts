// Verifies a served world again and again in a process of its own, so that damage shows while there are still copies: nothing else reads
// old segments and snapshots until they are needed. It stops nothing, and changes nothing.

import { asError } from '../fatal.js';
import { SCRUB_FIRST_MS, SCRUB_RETRY_MS } from '../limits.js';
import { type Alarm, NODE_SCHEDULER, type Scheduler } from '../time/scheduler.js';
import { StoreProcess } from './store-process.js';

/** The one message of the process, at its end. */
export type ScrubOutcome =
  | { readonly type: 'sound'; readonly lastSeq: number; readonly byteCount: number }
  /** A sentence about the first fault. */
  | { readonly type: 'damaged'; readonly message: string }
  /** The store could not be read, or the process has failed. That says nothing about the world. */
  | { readonly type: 'unread'; readonly message: string };

/** What is reported to the operator. */
export type ScrubEvent =
  | {
      readonly type: 'world_verified';
      readonly lastSeq: number;
      readonly byteCount: number;
      readonly durationMs: number;
    }
  | { readonly type: 'damage_found'; readonly message: string }
  | { readonly type: 'verify_failed'; readonly message: string };

export interface ScrubberOptions {
  /** Milliseconds between the beginnings of two passes. */
  readonly everyMs: number;
  /** Verifies the world once. */
  readonly worker: ScrubRunner;
  /** Whether it is up to this process: a standby leaves it to the leader. */
  readonly isDue: () => boolean;
  readonly onEvent: (event: ScrubEvent) => void;
  /** Defaults to NODE_SCHEDULER. */
  readonly scheduler?: Scheduler;
  /** Monotonic milliseconds; performance.now() by default. */
  readonly elapsedMs?: () => number;
}

export interface ScrubRunner {
  run(): Promise<ScrubOutcome>;
  /** Ends the process, and with it run(). */
  stop(): void;
}

/** What /metrics shows. */
export interface ScrubReport {
  /** Bytes of log and snapshots that passes have found sound since the process started. */
  readonly byteCount: number;
  /** Passes that found damage. */
  readonly faultCount: number;
  /** Whether the last one did. */
  readonly isDamaged: boolean;
  /** How long ago the last sound pass ended; null before the first. */
  readonly ageMs: number | null;
  /** Whether none has ended, sound or not, in twice the time. */
  readonly isLate: boolean;
}

/** The report of a process that verifies nothing. */
export const NO_SCRUBS: ScrubReport = Object.freeze({
  byteCount: 0,
  faultCount: 0,
  isDamaged: false,
  ageMs: null,
  isLate: false,
});

export class Scrubber {
  readonly #options: ScrubberOptions;
  readonly #scheduler: Scheduler;
  readonly #elapsedMs: () => number;
  #byteCount = 0;
  #faultCount = 0;
  #isDamaged = false;
  /** What a pass has found that the next one has to confirm. */
  #suspicion: string | null = null;
  #soundAtMs: number | null = null;
  /** When a pass last ended, or the process began. */
  #endedAtMs: number;
  #alarm: Alarm | undefined;
  #passing: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: ScrubberOptions) {
    this.#options = options;
    this.#scheduler = options.scheduler ?? NODE_SCHEDULER;
    this.#elapsedMs = options.elapsedMs ?? (() => performance.now());
    this.#endedAtMs = this.#elapsedMs();
  }

  get report(): ScrubReport {
    const nowMs = this.#elapsedMs();
    return {
      byteCount: this.#byteCount,
      faultCount: this.#faultCount,
      isDamaged: this.#isDamaged,
      ageMs: this.#soundAtMs === null ? null : nowMs - this.#soundAtMs,
      isLate: nowMs - this.#endedAtMs > 2 * this.#options.everyMs,
    };
  }

  start(): void {
    this.#passIn(Math.min(SCRUB_FIRST_MS, this.#options.everyMs));
  }

  /** Ends the pass that is running, and begins no other. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#scheduler.cancel(this.#alarm);
    this.#options.worker.stop();
    await this.#passing;
  }

  #passIn(delayMs: number): void {
    this.#alarm = this.#scheduler.after(delayMs, () => {
      this.#passing = this.#pass();
    });
  }

  async #pass(): Promise<void> {
    const { everyMs, isDue } = this.#options;
    const beganMs = this.#elapsedMs();
    if (!isDue()) {
      this.#endedAtMs = beganMs;
      this.#passIn(Math.min(SCRUB_RETRY_MS, everyMs));
      return;
    }
    const outcome = await this.#options.worker.run();
    if (this.#isStopped) return;
    const isAgain = this.#take(outcome, beganMs);
    if (isAgain) this.#passIn(Math.min(SCRUB_RETRY_MS, everyMs));
    else this.#passIn(Math.max(0, beganMs + everyMs - this.#elapsedMs()));
  }

  /** @returns whether the next pass is to come soon */
  #take(outcome: ScrubOutcome, beganMs: number): boolean {
    const { onEvent } = this.#options;
    const nowMs = this.#elapsedMs();
    if (outcome.type === 'unread') {
      onEvent({ type: 'verify_failed', message: outcome.message });
      return true;
    }
    // The server prunes and takes snapshots meanwhile, and a pass of hours may meet what is being removed. Damage stays where it is.
    if (outcome.type === 'damaged' && outcome.message !== this.#suspicion) {
      this.#suspicion = outcome.message;
      return true;
    }
    this.#endedAtMs = nowMs;
    this.#isDamaged = outcome.type === 'damaged';
    if (outcome.type === 'damaged') {
      this.#faultCount += 1;
      onEvent({ type: 'damage_found', message: outcome.message });
    } else {
      const { lastSeq, byteCount } = outcome;
      this.#suspicion = null;
      this.#soundAtMs = nowMs;
      this.#byteCount += byteCount;
      onEvent({ type: 'world_verified', lastSeq, byteCount, durationMs: nowMs - beganMs });
    }
    return false;
  }
}

const PROGRAM = new URL('./scrub-process.js', import.meta.url);

/** Verifies in a process of its own. */
export class ScrubWorker implements ScrubRunner {
  readonly #process: StoreProcess<ScrubOutcome>;

  /** @param storeUrl of the world (store-url.ts) */
  constructor(storeUrl: string) {
    this.#process = new StoreProcess(PROGRAM, 'its process', storeUrl);
  }

  run(): Promise<ScrubOutcome> {
    return this.#process.run([]).catch((error: unknown) => ({ type: 'unread', message: asError(error).message }));
  }

  stop(): void {
    this.#process.stop();
  }
}
