// Waiting that can be given up: pauses, and a signal that fires at a deadline.
import { TIMER_MS_MAX } from './limits.js';

/** Settles after a time, TIMER_MS_MAX at most. @throws the reason of the signal, as soon as it is aborted */
export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    };
    const giveUp = (): void => {
      end();
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        end();
        resolve();
      },
      Math.min(delayMs, TIMER_MS_MAX),
    );
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
  });
}

/** What follows each signal: one listener serves them all, since a program may share one signal among many calls. */
const followers = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls back when a signal is aborted. @returns a function that ends this */
function follow(signal: AbortSignal, callback: () => void): () => void {
  let callbacks = followers.get(signal);
  if (callbacks === undefined) {
    const all = new Set<() => void>();
    signal.addEventListener('abort', () => {
      for (const one of all) one();
    });
    followers.set(signal, all);
    callbacks = all;
  }
  callbacks.add(callback);
  return () => void followers.get(signal)?.delete(callback);
}

/** A signal that fires at a deadline, or as soon as another signal does. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #stopFollowing: () => void;
  readonly #startedAtMs = performance.now();
  #isOver = false;

  constructor(
    readonly lengthMs: number,
    outer: AbortSignal,
  ) {
    const abortLate = (): void => {
      this.#isOver = true;
      this.#controller.abort(new DOMException(`no reply in ${lengthMs} ms`, 'TimeoutError'));
    };
    this.#timer = setTimeout(abortLate, Math.min(lengthMs, TIMER_MS_MAX));
    const abort = (): void => this.#controller.abort(outer.reason);
    this.#stopFollowing = follow(outer, abort);
    if (outer.aborted) abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time is over; false if the other signal fired. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get remainingMs(): number {
    return this.lengthMs - (performance.now() - this.#startedAtMs);
  }

  /** Stops the timer, and no longer listens to the other signal. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#stopFollowing();
  }
}
