// How many WebSockets, or subscriptions, each client may have. One may hold as many as are still free (as in body-budget.ts), so that one client leaves half
// to the others and none can take everything.
import type { Owner } from '../admission/owner-queue.js';

export class SocketPlaces {
  readonly #counts = new Map<Owner, number>();
  #taken = 0;

  constructor(
    readonly placesMax: number,
    /** Of one client. */
    readonly perClientMax: number,
  ) {}

  /** How many a client may have at present. */
  get shareMax(): number {
    return Math.min(this.perClientMax, this.placesMax - this.#taken);
  }

  hasRoom(owner: Owner): boolean {
    return this.#countOf(owner) < this.shareMax;
  }

  take(owner: Owner): void {
    this.#taken += 1;
    this.#counts.set(owner, this.#countOf(owner) + 1);
  }

  give(owner: Owner): void {
    this.#taken -= 1;
    const count = this.#countOf(owner) - 1;
    if (count > 0) this.#counts.set(owner, count);
    else this.#counts.delete(owner);
  }

  #countOf(owner: Owner): number {
    return this.#counts.get(owner) ?? 0;
  }
}
