// The queue of costly requests. Each turn of the event loop does a slice of their work, so that cheap requests are
// answered in between. Clients take turns: first the owners (a player's key, else an address), then the requests of one
// owner, slice by slice. So nobody waits for all of another's work. Nor does anybody find the queue full of another's: an owner may
// have as many requests in it as still find room (as in body-budget.ts).
import { QUEUED_REQUESTS_MAX, WORK_SLICE_MS } from '../limits.js';
import type { Owner } from './owners.js';
import { OwnerQueue } from './owners.js';

/** A request that is answered in one or more steps. */
export interface Work {
  /** True once nobody waits for its reply. */
  readonly isDone: boolean;
  /** Does a part of the work, for about WORK_SLICE_MS at most if it can be divided. @returns true once all is done */
  step(): boolean;
  /** Called with what step() threw; the work is dropped. */
  failed(error: unknown): void;
}

/** The facts of the problem `overloaded` if the queue is full. */
export const QUEUE_IS_FULL = { detail: 'Too many requests are waiting for their turn.' } as const;

export class WorkQueue {
  readonly #works = new OwnerQueue<Work>();
  #count = 0;
  #isDue = false;

  /** Requests that are waiting or partly done. */
  get size(): number {
    return this.#count;
  }

  /** @returns false if too many requests of this owner, or of all, wait already */
  add(owner: Owner, work: Work): boolean {
    if (this.#works.countOf(owner) >= QUEUED_REQUESTS_MAX - this.#count) return false;
    this.#count += 1;
    this.#works.add(owner, work);
    this.#wake();
    return true;
  }

  #wake(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(this.#runSlice);
  }

  readonly #runSlice = (): void => {
    this.#isDue = false;
    const endMs = performance.now() + WORK_SLICE_MS;
    do this.#runNext(endMs);
    while (this.#count > 0 && performance.now() < endMs);
    if (this.#count > 0) this.#wake();
  };

  /** Does the next work to its end, or to the end of the slice: work that is soon done is soon garbage. */
  #runNext(endMs: number): void {
    const next = this.#works.take();
    if (next === null) return;
    const { owner, member: work } = next;
    let isOver = this.#runStep(work);
    while (!isOver && performance.now() < endMs) isOver = this.#runStep(work);
    if (isOver) this.#count -= 1;
    else this.#works.add(owner, work);
  }

  #runStep(work: Work): boolean {
    if (work.isDone) return true;
    try {
      return work.step();
    } catch (error) {
      work.failed(error);
      return true;
    }
  }
}
