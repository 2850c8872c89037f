// Limits the requests in progress that keep much memory. Each needs a seat; without one it waits, and its body is not
// parsed yet. Clients take turns at the seats. Few seats per client cost it nothing, since one thread does all the
// work, and a request that is soon done is garbage before the collector has to copy it.
import { type Owner, OwnerCounts, OwnerQueue } from './owners.js';

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
  readonly #taken = new OwnerCounts();
  readonly #waiting = new OwnerQueue<Guest>();
  #isSeating = false;

  constructor(private readonly limits: SeatLimits) {}

  /** Gives the guest a seat, now or later. @returns false if too many of this owner, or of all, wait already */
  ask(owner: Owner, guest: Guest): boolean {
    // As many as still find room, so that others do.
    if (this.#waiting.countOf(owner) >= this.limits.waitingMax - this.#waiting.size) return false;
    this.#waiting.add(owner, guest);
    this.#seat();
    return true;
  }

  /** Gives back a seat that a guest of this owner had. */
  give(owner: Owner): void {
    this.#taken.add(owner, -1);
    this.#seat();
  }

  /** A guest may give its seat back at once, so this is a loop and not a recursion. */
  #seat(): void {
    if (this.#isSeating) return;
    this.#isSeating = true;
    try {
      for (let next = this.#next(); next !== null; next = this.#next()) {
        if (next.member.isDone) continue;
        this.#taken.add(next.owner, 1);
        next.member.seated();
      }
    } finally {
      this.#isSeating = false;
    }
  }

  /** Visits few owners: only those with their maximum of seats are skipped. */
  #next(): { readonly owner: Owner; readonly member: Guest } | null {
    if (this.#taken.total >= this.limits.seatsMax) return null;
    return this.#waiting.take((owner) => this.#taken.of(owner) < this.limits.seatsPerOwnerMax);
  }
}
