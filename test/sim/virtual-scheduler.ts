// The event loop of one simulated process: its deferred calls, its alarms, and the results of devices. It runs nothing
// by itself, and nothing at all once the process has ended.
import type { Alarm, Scheduler } from '../../persistence/time/scheduler.js';
import type { Draws } from '../support/process/draws.js';
import type { VirtualTime } from './virtual-time.js';

/** Works for a while, and settles; never for a process that has ended by then. */
export type Device = (delayMs: number) => Promise<void>;

interface Due {
  readonly dueMs: number;
  readonly call: () => void;
}

export class VirtualScheduler implements Scheduler {
  readonly #time: VirtualTime;
  #soon: (() => void)[] = [];
  /** Each in the order in which it is due; those due at once, in the order in which they were set. */
  #alarms: Due[] = [];
  #news: Due[] = [];
  #isOver = false;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  soon<Arguments extends unknown[]>(callback: (...given: Arguments) => void, ...given: Arguments): void {
    if (!this.#isOver) this.#soon.push(() => callback(...given));
  }

  after<Arguments extends unknown[]>(
    delayMs: number,
    callback: (...given: Arguments) => void,
    ...given: Arguments
  ): Alarm {
    return this.#insert(this.#alarms, delayMs, () => callback(...given));
  }

  cancel(alarm: Alarm | undefined): void {
    this.#alarms = this.#alarms.filter((due) => due !== alarm);
  }

  nextTurn(): Promise<void> {
    return new Promise((resolve) => this.soon(resolve));
  }

  /** A device sends this process a result after a while; never, if the process has ended by then. */
  tellAfter(delayMs: number, call: () => void): void {
    this.#insert(this.#news, delayMs, call);
  }

  readonly device: Device = (delayMs) => new Promise((resolve) => this.tellAfter(delayMs, resolve));

  /** When something is due next, in milliseconds of elapsedMs(): now, if there are deferred calls. */
  get nextDueMs(): number {
    if (this.#soon.length > 0) return this.#time.elapsedMs();
    return Math.min(
      this.#alarms[0]?.dueMs ?? Number.POSITIVE_INFINITY,
      this.#news[0]?.dueMs ?? Number.POSITIVE_INFINITY,
    );
  }

  /** When a device has its next result. */
  get nextNewsMs(): number {
    return this.#news[0]?.dueMs ?? Number.POSITIVE_INFINITY;
  }

  get isIdle(): boolean {
    return this.nextDueMs > this.#time.elapsedMs();
  }

  /**
   * Runs one of the calls that are due now; a draw decides between deferred calls, alarms and results of devices.
   * @returns false if none is
   */
  run(draws: Draws): boolean {
    const isDue = ([first]: Due[]): boolean => first !== undefined && first.dueMs <= this.#time.elapsedMs();
    const takes: (() => (() => void) | undefined)[] = [];
    if (this.#soon.length > 0) takes.push(() => this.#soon.shift());
    if (isDue(this.#alarms)) takes.push(() => this.#alarms.shift()?.call);
    if (isDue(this.#news)) takes.push(() => this.#news.shift()?.call);
    if (takes.length === 0) return false;
    draws.pick(takes)()?.();
    return true;
  }

  /** The process has ended: nothing that it began continues. */
  end(): void {
    this.#isOver = true;
    this.#soon = [];
    this.#alarms = [];
    this.#news = [];
  }

  #insert(list: Due[], delayMs: number, call: () => void): Due {
    const due = { dueMs: this.#time.elapsedMs() + Math.max(delayMs, 0), call };
    if (this.#isOver) return due;
    const next = list.findIndex(({ dueMs }) => dueMs > due.dueMs);
    list.splice(next === -1 ? list.length : next, 0, due);
    return due;
  }
}

/** Lets every promise that can settle do so: nothing in a simulation waits for a real device. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
