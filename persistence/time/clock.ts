// The world's clock. The engine never reads it; the sequencer does, once for each request.
import { performance } from 'node:perf_hooks';
import { CLOCK_JUMP_MS_MAX } from '../limits.js';

export interface Clock {
  /** Whether it runs by itself, or stands still until an operator moves it. */
  readonly kind: 'real' | 'manual';
  /** World time in integer milliseconds since 1970; never decreases. */
  nowMs(): number;
}

/** Start of a manual clock in a new world, so that runs can be repeated: 2000-01-01T00:00:00Z. */
export const MANUAL_START_MS = 946_684_800_000;

/** World time in milliseconds at which a new world begins. */
export function beginningMs(kind: Clock['kind'], source: TimeSource = MACHINE): number {
  return kind === 'manual' ? MANUAL_START_MS : Math.floor(source.wallMs());
}

/** What a real clock reads; replaced in tests. */
export interface TimeSource {
  /** The machine's clock, milliseconds since 1970. It may be set, also backwards. */
  wallMs(): number;
  /** Monotonic milliseconds. */
  elapsedMs(): number;
}

/** The clocks of this machine. */
export const MACHINE: TimeSource = { wallMs: () => Date.now(), elapsedMs: () => performance.now() };

const MS_PER_DAY = 86_400_000;

/** A real clock would move the world further at once than is allowed, and a world is never moved back. */
export class ClockJump extends Error {
  override readonly name = 'ClockJump';

  /** @param from what the jump begins with, for the sentence */
  constructor(from: string, fromMs: number, toMs: number) {
    const days = Math.ceil((toMs - fromMs) / MS_PER_DAY);
    const [fromTime, toTime] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
    super(
      `the clock of this machine says ${toTime}, ${days} days after ${from} (${fromTime}), and a world is never ` +
        `moved back; correct the clock, or allow the jump with --max-clock-jump-days ${days}`,
    );
  }
}

/** Where the clock of a world stands to that of the machine, as the log has it. */
export interface ClockState {
  /** World time at which it was paused; null while it runs. */
  readonly pausedAtMs: number | null;
  /** How far it is behind the machine's. */
  readonly clockLagMs: number;
}

/**
 * The jump by which a start or a takeover would move the world, if it is too far.
 *
 * @param world its time is that of the last entry of the log
 * @returns null if the jump is allowed; always for a clock that is manual or paused
 */
export function clockJump(
  kind: Clock['kind'],
  { nowMs: lastEntryMs, pausedAtMs, clockLagMs }: ClockState & { readonly nowMs: number },
  jumpMsMax: number,
  source: Pick<TimeSource, 'wallMs'> = MACHINE,
): ClockJump | null {
  const wallMs = source.wallMs() - clockLagMs;
  if (kind === 'manual' || pausedAtMs !== null || wallMs - lastEntryMs <= jumpMsMax) return null;
  return new ClockJump('the last entry of the log', lastEntryMs, wallMs);
}

const NEVER_PAUSED: ClockState = { pausedAtMs: null, clockLagMs: 0 };

/**
 * Starts at the later of the machine's clock, less what it is behind, and the world's last instant, and from then on counts the
 * milliseconds that pass, unless it is paused. So jumps of the machine's clock do not affect a running world. Time that it has missed
 * (a suspended machine) is made up at the next start; whether that is too much, clockJump() says before.
 */
export class RealClock implements Clock {
  readonly kind = 'real';
  readonly #source: TimeSource;
  #startMs: number;
  #startElapsedMs: number;
  #readMs: number;
  #isPaused: boolean;

  /** @param lastMs last instant of the world */
  constructor(lastMs: number, source: TimeSource = MACHINE, { pausedAtMs, clockLagMs }: ClockState = NEVER_PAUSED) {
    this.#source = source;
    this.#isPaused = pausedAtMs !== null;
    this.#startMs = this.#isPaused ? lastMs : Math.max(Math.floor(source.wallMs()) - clockLagMs, lastMs);
    this.#startElapsedMs = source.elapsedMs();
    this.#readMs = this.#startMs;
  }

  /** From now on it stands. @param atMs what was last read of it */
  pause(atMs: number): void {
    this.#startMs = atMs;
    this.#isPaused = true;
  }

  /** How far it is behind the machine's clock if it goes on now. */
  get lagMs(): number {
    return Math.max(0, Math.floor(this.#source.wallMs()) - this.#startMs);
  }

  /** It goes on from where it stands. */
  resume(): void {
    this.#startElapsedMs = this.#source.elapsedMs();
    this.#readMs = this.#startMs;
    this.#isPaused = false;
  }

  /** @throws ClockJump if the monotonic clock itself has jumped: more than CLOCK_JUMP_MS_MAX since the last reading */
  nowMs(): number {
    if (this.#isPaused) return this.#startMs;
    const nowMs = this.#startMs + Math.floor(this.#source.elapsedMs() - this.#startElapsedMs);
    if (nowMs - this.#readMs > CLOCK_JUMP_MS_MAX) {
      throw new ClockJump('the time at which it was read before', this.#readMs, nowMs);
    }
    this.#readMs = nowMs;
    return nowMs;
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

  /** @throws RangeError if time would run backwards, or is not an integer */
  moveTo(toMs: number): void {
    if (!Number.isSafeInteger(toMs) || toMs < this.#nowMs) {
      throw new RangeError(`the clock stands at ${this.#nowMs} ms and cannot be moved to ${toMs} ms`);
    }
    this.#nowMs = toMs;
  }
}
