// Limits the requests in progress that keep much memory. Each needs a seat; without one it waits, and its body is not
// parsed yet. Clients take turns at the seats. Few seats per client cost it nothing, since one thread does all the
// work, and a request that is soon done is garbage before the collector has to copy it.
import type { Owner } from './owner-queue.js';

/** A request that needs a seat. */
export interface Guest {
  /** True once nobody waits for its reply; it is then skipped. */
  readonly isDone: boolean;
  /** Called when it gets a seat, which it has until the seat is given back. */
  seated(): void;
}

export interface SeatLimits {
  readonly seatsMax: number;
  readonly seatsPerOwnerMax: number;
  readonly waitingMax: number;
}

export class Seats {
  readonly #takenBy = new Map<Owner, number>();
  #taken = 0;
  /** Waiting guests by owner, the next owner first; and of each owner, the next guest first. */
  readonly #waiting = new Map<Owner, Guest[]>();
  #waitingCount = 0;
  #isSeating = false;

  constructor(private readonly limits: SeatLimits) {}

  /** Gives the guest a seat, now or later. @returns false if too many of this owner, or of all, wait already */
  ask(owner: Owner, guest: Guest): boolean {
    const guests = this.#waiting.get(owner);
    // As many as still find room, so that others do.
    if ((guests?.length ?? 0) >= this.limits.waitingMax - this.#waitingCount) return false;
    this.#waitingCount += 1;
    if (guests === undefined) this.#waiting.set(owner, [guest]);
    else guests.push(guest);
    this.#seat();
    return true;
  }

  /** Gives back a seat that a guest of this owner had. */
  give(owner: Owner): void {
    const left = (this.#takenBy.get(owner) ?? 0) - 1;
    if (left > 0) this.#takenBy.set(owner, left);
    else this.#takenBy.delete(owner);
    this.#taken -= 1;
    this.#seat();
  }

  /** A guest may give its seat back at once, so this is a loop and not a recursion. */
  #seat(): void {
    if (this.#isSeating) return;
    this.#isSeating = true;
    try {
      for (let owner = this.#nextOwner(); owner !== undefined; owner = this.#nextOwner()) {
        const guest = this.#leaveLine(owner);
        if (guest === undefined || guest.isDone) continue;
        this.#takenBy.set(owner, (this.#takenBy.get(owner) ?? 0) + 1);
        this.#taken += 1;
        guest.seated();
      }
    } finally {
      this.#isSeating = false;
    }
  }

  /** Visits few owners: only those with their maximum of seats are skipped. */
  #nextOwner(): Owner | undefined {
    if (this.#taken >= this.limits.seatsMax) return undefined;
    for (const owner of this.#waiting.keys()) {
      if ((this.#takenBy.get(owner) ?? 0) < this.limits.seatsPerOwnerMax) return owner;
    }
    return undefined;
  }

  #leaveLine(owner: Owner): Guest | undefined {
    const guests = this.#waiting.get(owner) ?? [];
    const guest = guests.shift();
    this.#waitingCount -= 1;
    this.#waiting.delete(owner);
    if (guests.length > 0) this.#waiting.set(owner, guests);
    return guest;
  }
}
