// Requests that wait until this process has applied an entry, or until a leader is known. They are bounded in number and in bytes; one
// client leaves half of both to the others. It knows no HTTP: the simulation runs it, too.
import type { Alarm, Scheduler } from '../../persistence/time/scheduler.js';
import { type Owner, SharedBudget } from '../admission/owners.js';

export interface WaitingRequest {
  /** Whether it need not wait any longer. Called often; must not throw. */
  isReady(): boolean;
  /** Called once it is ready, or once its time is over. Must not throw. @param isLate true if it is not ready */
  proceed(isLate: boolean): void;
}

export interface WaitingLimits {
  readonly requestsMax: number;
  readonly requestsPerOwnerMax: number;
  readonly bytesMax: number;
  /** How often all requests are checked, besides each call of check(). */
  readonly pollMs: number;
  /** Milliseconds of one turn of the event loop, after which the remaining requests proceed in the next one. */
  readonly sliceMs: number;
}

export interface WaitingRequestsParts {
  readonly scheduler: Scheduler;
  /** Monotonic. */
  readonly elapsedMs: () => number;
  readonly limits: WaitingLimits;
}

interface Waiting {
  readonly request: WaitingRequest;
  readonly owner: Owner;
  readonly bytes: number;
  readonly deadlineMs: number;
  isOver: boolean;
}

export class WaitingRequests {
  readonly #parts: WaitingRequestsParts;
  /** In the order of add(). */
  readonly #waiting = new Set<Waiting>();
  readonly #places: SharedBudget;
  readonly #bytes: SharedBudget;
  #alarm: Alarm | undefined;
  #isCheckDue = false;

  constructor(parts: WaitingRequestsParts) {
    this.#parts = parts;
    const { requestsMax, requestsPerOwnerMax, bytesMax } = parts.limits;
    this.#places = new SharedBudget(requestsMax, requestsPerOwnerMax);
    this.#bytes = new SharedBudget(bytesMax);
  }

  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Lets a request wait.
   *
   * @param owner the client, for the limit of each client
   * @param bytes that the request keeps in memory
   * @param waitMs its time
   * @returns a function that removes the request without a call; null if the client has its share already
   */
  add(request: WaitingRequest, owner: Owner, bytes: number, waitMs: number): (() => void) | null {
    if (!this.#places.hasRoom(owner) || !this.#bytes.take(owner, bytes)) return null;
    this.#places.take(owner);
    const waiting: Waiting = { request, owner, bytes, deadlineMs: this.#parts.elapsedMs() + waitMs, isOver: false };
    this.#waiting.add(waiting);
    this.#poll();
    return () => this.#remove(waiting);
  }

  /** Checks all requests soon: what they wait for may have happened. */
  readonly check = (): void => {
    if (this.#isCheckDue || this.#waiting.size === 0) return;
    this.#isCheckDue = true;
    this.#parts.scheduler.soon(this.#checkNow);
  };

  readonly #checkNow = (): void => {
    this.#isCheckDue = false;
    const { elapsedMs, limits } = this.#parts;
    const beganAtMs = elapsedMs();
    for (const waiting of this.#waiting) {
      const isReady = waiting.request.isReady();
      if (!isReady && beganAtMs < waiting.deadlineMs) continue;
      this.#remove(waiting);
      waiting.request.proceed(!isReady);
      if (elapsedMs() - beganAtMs < limits.sliceMs) continue;
      this.check();
      return;
    }
  };

  #poll(): void {
    const { scheduler, limits } = this.#parts;
    this.#alarm ??= scheduler.after(limits.pollMs, () => {
      this.#alarm = undefined;
      if (this.#waiting.size === 0) return;
      this.check();
      this.#poll();
    });
  }

  #remove(waiting: Waiting): void {
    if (waiting.isOver) return;
    waiting.isOver = true;
    this.#waiting.delete(waiting);
    this.#bytes.give(waiting.owner, waiting.bytes);
    this.#places.give(waiting.owner);
  }
}
