// The clocks and the event loop of a simulated process: its deferred calls, its alarms, and the results of devices. It
// reads no real clock. It runs nothing by itself, and nothing at all once the process has ended.
import type { TimeSource } from '../../persistence/time/clock.js';
import type { Alarm, Scheduler } from '../../persistence/time/scheduler.js';
import type { Draws } from './process/draws.js';

/** What the machine's clock shows in the beginning: 2030-01-01T00:00:00Z. */
const BEGINNING_MS = 1_893_456_000_000;

/** The clocks of a machine: one that only grows, and one that people set. */
export class VirtualTime implements TimeSource {
  #elapsedMs = 0;
  #wallOffsetMs = BEGINNING_MS;

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  wallMs(): number {
    return this.#wallOffsetMs + this.#elapsedMs;
  }

  /** Lets time pass up to an instant of elapsedMs(). */
  moveTo(elapsedMs: number): void {
    this.#elapsedMs = Math.max(this.#elapsedMs, elapsedMs);
  }

  /** Sets the machine's clock, forward or back. */
  setWallClock(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }
}

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

  get isIdle(): boolean {
    return this.nextDueMs > this.#time.elapsedMs();
  }

  /** How many calls there are, whenever they are due. */
  get size(): number {
    return this.#soon.length + this.#alarms.length + this.#news.length;
  }

  /**
   * Runs one of the calls that are due now.
   *
   * @param draws decide between deferred calls, alarms and results of devices; by default in this order
   * @returns false if none is
   */
  run(draws?: Draws): boolean {
    const isDue = ([first]: Due[]): boolean => first !== undefined && first.dueMs <= this.#time.elapsedMs();
    const takes: (() => (() => void) | undefined)[] = [];
    if (this.#soon.length > 0) takes.push(() => this.#soon.shift());
    if (isDue(this.#alarms)) takes.push(() => this.#alarms.shift()?.call);
    if (isDue(this.#news)) takes.push(() => this.#news.shift()?.call);
    const take = draws === undefined || takes.length === 0 ? takes[0] : draws.pick(takes);
    take?.()?.();
    return take !== undefined;
  }

  /** Lets time pass until the next call is due, and runs it. @returns how long that was */
  next(): number {
    const waitMs = Math.max(this.nextDueMs - this.#time.elapsedMs(), 0);
    if (waitMs === Number.POSITIVE_INFINITY) throw new Error('nothing is due, and never will be');
    this.#time.moveTo(this.#time.elapsedMs() + waitMs);
    this.run();
    return waitMs;
  }

  /** Lets time pass, and runs what falls due meanwhile, each at its instant. @returns how many calls that were */
  pass(forMs: number): number {
    const untilMs = this.#time.elapsedMs() + forMs;
    let count = 0;
    for (; this.nextDueMs <= untilMs; count += 1) this.next();
    this.#time.moveTo(untilMs);
    return count;
  }

  /** Lets time pass as fast as something waits for it, until work settles. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    work.then(end, end);
    for (;;) {
      await quiet();
      if (isOver) return await work;
      if (this.size > 0) this.next();
    }
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
