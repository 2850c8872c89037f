// Requests that keep much memory while they are worked on in turns have a seat each. A request without a seat waits, and its body is not parsed yet.
// A client may have as many seats as are free, so that one alone leaves half of them to the others.
import type { Owner } from './transport/body-budget.js';

export class Seats {
  readonly #takenBy = new Map<Owner, number>();
  #taken = 0;

  constructor(private readonly seatsMax: number) {}

  /** @returns false if there is none for this client now */
  take(owner: Owner): boolean {
    const own = this.#takenBy.get(owner) ?? 0;
    if (own >= this.seatsMax - this.#taken) return false;
    this.#takenBy.set(owner, own + 1);
    this.#taken += 1;
    return true;
  }

  /** Gives back one that was taken. */
  give(owner: Owner): void {
    const left = (this.#takenBy.get(owner) ?? 0) - 1;
    if (left > 0) this.#takenBy.set(owner, left);
    else this.#takenBy.delete(owner);
    this.#taken -= 1;
  }
}
