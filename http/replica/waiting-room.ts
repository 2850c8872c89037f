// What waits until this process has caught up, or until a leader is known: bounded in number, in bytes, and for each client. It knows
// no HTTP: the simulation runs it, too.
import type { Alarm, Scheduler } from '../../persistence/writer/scheduler.js';

/** Something that waits. */
export interface Guest {
  /** Whether it need not wait any longer. Called often; must not throw. */
  isReady(): boolean;
  /** It is ready, or its time is over. Must not throw. */
  leave(isLate: boolean): void;
}

export interface RoomLimits {
  readonly guestsMax: number;
  readonly guestsPerOwnerMax: number;
  readonly bytesMax: number;
  /** How often it looks at its guests, besides each call of look(). */
  readonly pollMs: number;
  /** After this time in one turn the others leave in the next one. */
  readonly sliceMs: number;
}

export interface RoomParts {
  readonly scheduler: Scheduler;
  /** Monotonic. */
  readonly elapsedMs: () => number;
  readonly limits: RoomLimits;
}

interface Stay {
  readonly guest: Guest;
  readonly owner: string | number;
  readonly bytes: number;
  readonly deadlineMs: number;
  isOver: boolean;
}

export class WaitingRoom {
  readonly #parts: RoomParts;
  /** In the order in which they came. */
  readonly #stays = new Set<Stay>();
  readonly #byOwner = new Map<string | number, number>();
  #bytes = 0;
  #alarm: Alarm | undefined;
  #isLookDue = false;

  constructor(parts: RoomParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#stays.size;
  }

  /**
   * Lets a guest wait.
   *
   * @param owner the client, by whom guests are limited
   * @param bytes that it keeps
   * @returns a function that ends it without a call; null if there is no room
   */
  enter(guest: Guest, owner: string | number, bytes: number, waitMs: number): (() => void) | null {
    const { limits, elapsedMs } = this.#parts;
    const own = this.#byOwner.get(owner) ?? 0;
    const isFull = this.size >= limits.guestsMax || own >= limits.guestsPerOwnerMax;
    if (isFull || this.#bytes + bytes > limits.bytesMax) return null;
    const stay: Stay = { guest, owner, bytes, deadlineMs: elapsedMs() + waitMs, isOver: false };
    this.#stays.add(stay);
    this.#byOwner.set(owner, own + 1);
    this.#bytes += bytes;
    this.#poll();
    return () => this.#end(stay);
  }

  /** Looks at the guests soon: what they wait for may have come. */
  readonly look = (): void => {
    if (this.#isLookDue || this.#stays.size === 0) return;
    this.#isLookDue = true;
    this.#parts.scheduler.soon(this.#lookNow);
  };

  readonly #lookNow = (): void => {
    this.#isLookDue = false;
    const { elapsedMs, limits } = this.#parts;
    const beganAtMs = elapsedMs();
    for (const stay of this.#stays) {
      const isReady = stay.guest.isReady();
      if (!isReady && beganAtMs < stay.deadlineMs) continue;
      this.#end(stay);
      stay.guest.leave(!isReady);
      if (elapsedMs() - beganAtMs < limits.sliceMs) continue;
      this.look();
      return;
    }
  };

  #poll(): void {
    const { scheduler, limits } = this.#parts;
    this.#alarm ??= scheduler.after(limits.pollMs, () => {
      this.#alarm = undefined;
      if (this.#stays.size === 0) return;
      this.look();
      this.#poll();
    });
  }

  #end(stay: Stay): void {
    if (stay.isOver) return;
    stay.isOver = true;
    this.#stays.delete(stay);
    this.#bytes -= stay.bytes;
    const left = (this.#byOwner.get(stay.owner) ?? 0) - 1;
    if (left > 0) this.#byOwner.set(stay.owner, left);
    else this.#byOwner.delete(stay.owner);
  }
}
