// Where the present comes from. The engine never asks; the sequencer does, once for each request.
import { performance } from 'node:perf_hooks';

export interface Clock {
  /** Whether it runs by itself, or stands still until it is moved. */
  readonly kind: 'real' | 'manual';
  /** World time in integer milliseconds since 1970; never less than it was before. */
  nowMs(): number;
}

/** Where a manual clock stands in a new world, so that runs can be repeated: 2000-01-01T00:00:00Z. */
export const MANUAL_START_MS = 946_684_800_000;

/** World time in milliseconds at which a new world begins. */
export function beginningMs(kind: Clock['kind'], source: TimeSource = MACHINE): number {
  return kind === 'manual' ? MANUAL_START_MS : Math.floor(source.wallMs());
}

/** What a real clock reads; tests put their own in place. */
export interface TimeSource {
  /** The machine's clock, milliseconds since 1970. People and servers set it, backwards too. */
  wallMs(): number;
  /** Milliseconds since some instant; only ever grows. */
  elapsedMs(): number;
}

const MACHINE: TimeSource = { wallMs: () => Date.now(), elapsedMs: () => performance.now() };

/**
 * Starts at the machine's clock, or at the last instant of the world where that is later, and from then on counts the
 * milliseconds that pass. So the machine's clock may jump while the process runs, and the world does not notice.
 * What it has missed (a suspended machine) it catches up with at the next start.
 */
export class RealClock implements Clock {
  readonly kind = 'real';
  readonly #source: TimeSource;
  readonly #startMs: number;
  readonly #startElapsedMs: number;

  /** @param lastMs world time of the last entry of the log; 0 in a new world */
  constructor(lastMs: number, source: TimeSource = MACHINE) {
    this.#source = source;
    this.#startMs = Math.max(Math.floor(source.wallMs()), lastMs);
    this.#startElapsedMs = source.elapsedMs();
  }

  nowMs(): number {
    return this.#startMs + Math.floor(this.#source.elapsedMs() - this.#startElapsedMs);
  }
}

/** Stands still until the operator moves it (`--clock manual`). */
export class ManualClock implements Clock {
  readonly kind = 'manual';
  #nowMs: number;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  /** @throws RangeError when time would run backwards, or not be an integer */
  moveTo(toMs: number): void {
    if (!Number.isSafeInteger(toMs) || toMs < this.#nowMs) {
      throw new RangeError(`the clock stands at ${this.#nowMs} ms and cannot be moved to ${toMs} ms`);
    }
    this.#nowMs = toMs;
  }
}
