// When a request is sent: pauses that can be given up, deadlines, turns, and the quota of the server.
import { TIMER_MS_MAX, WAITING_CALLS_MAX } from './limits.js';

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

  get passedMs(): number {
    return performance.now() - this.#startedAtMs;
  }

  get remainingMs(): number {
    return this.lengthMs - this.passedMs;
  }

  /** Stops the timer, and no longer listens to the other signal. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#stopFollowing();
  }
}

/** Limits the requests that are in flight at a time: the others wait for their turn, first come, first served. */
export class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  /** @param concurrency how many may have a turn at a time */
  constructor(concurrency: number) {
    if (!Number.isInteger(concurrency) || concurrency < 1) throw new RangeError('concurrency must be at least 1');
    this.#free = concurrency;
  }

  /**
   * Runs a task when it has a turn.
   *
   * @throws the reason of the signal if it is aborted before
   */
  async take<Result>(signal: AbortSignal, task: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    try {
      return await task();
    } finally {
      this.#pass();
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= WAITING_CALLS_MAX) {
      throw new RangeError(`${WAITING_CALLS_MAX} calls are waiting already; await some of them first`);
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.delete(begin);
        reject(signal.reason);
      };
      this.#waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Gives the turn to the caller that has waited longest. */
  #pass(): void {
    for (const begin of this.#waiting) {
      this.#waiting.delete(begin);
      begin();
      return;
    }
    this.#free += 1;
  }
}

interface Policy {
  /** Units that can be saved up. */
  readonly quota: number;
  readonly unitsPerMs: number;
}

/**
 * How many requests the server still accepts, by the headers RateLimit-Policy and RateLimit of its replies
 * (draft-ietf-httpapi-ratelimit-headers-10). The client slows down before the limit, so that it is not refused.
 */
export class Quota {
  #policy: Policy | null = null;
  #units = 0;
  #atMs = 0;

  /**
   * Reserves the cost of a request, or says how long to wait before the next try.
   *
   * @param cost of the request: one for each operation
   * @param nowMs of any clock that runs evenly
   * @returns 0 if it may be sent now
   */
  reserve(cost: number, nowMs: number): number {
    if (this.#policy === null) return 0;
    const { quota, unitsPerMs } = this.#policy;
    const needed = Math.min(cost, quota);
    this.#units = Math.min(quota, this.#units + (nowMs - this.#atMs) * unitsPerMs);
    this.#atMs = nowMs;
    if (this.#units < needed) return Math.ceil((needed - this.#units) / unitsPerMs);
    this.#units -= needed;
    return 0;
  }

  /**
   * Learns from a reply.
   *
   * @param costInFlight of requests that are not answered yet: the server may not have counted them
   */
  note(headers: Headers, costInFlight: number, nowMs: number): void {
    const policies = itemsOf(headers.get('ratelimit-policy'));
    const states = itemsOf(headers.get('ratelimit'));
    for (const [name, { r: remaining }] of states) {
      const { q: quota, w: windowSeconds } = policies.get(name) ?? {};
      if (remaining === undefined || quota === undefined || windowSeconds === undefined) continue;
      if (quota <= 0 || windowSeconds <= 0) continue;
      this.#policy = { quota, unitsPerMs: quota / (windowSeconds * 1000) };
      this.#units = remaining - costInFlight;
      this.#atMs = nowMs;
      return;
    }
  }
}

/** A list of quoted names with numeric parameters, such as `"requests";q=600;w=60`. What is not of this form is skipped. */
function itemsOf(header: string | null): Map<string, Partial<Record<string, number>>> {
  const items = new Map<string, Partial<Record<string, number>>>();
  for (const item of header?.split(',') ?? []) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const values = parameters.map((parameter): [string, number] => {
      const [key = '', value = ''] = parameter.split('=');
      return [key, Number(value)];
    });
    items.set(name, Object.fromEntries(values.filter(([, value]) => Number.isFinite(value))));
  }
  return items;
}
