// The pacts of a world, and the proposals for some: a map beside the player table. A player without pacts costs nothing here. This file
// holds no rule of the game.

import type { TimerHandle } from './timer-queue.js';

/** A proposal, or a pact in force. */
export interface Pact {
  /** Id of the timer of its proposal: unique, and never used again. */
  readonly number: number;
  /** Index into PACT_KINDS. */
  readonly kind: number;
  readonly proposerNumber: number;
  readonly partnerNumber: number;
  /** How long it is in force once it is accepted, unless it is cancelled. */
  readonly durationMs: number;
  /** Whether the partner has accepted it. */
  isInForce: boolean;
  /** World time of the proposal, or from which it is in force. */
  sinceMs: number;
  /** World time at which the proposal expires, or the pact ends. */
  endsAtMs: number;
  /** Number of the player who has cancelled a pact in force; 0 if none has. */
  cancelledByNumber: number;
  timer: TimerHandle;
}

export class PactTable {
  readonly #pacts = new Map<number, Pact>();
  /** By player: the numbers of its pacts and of the proposals that it has made or received, in order. */
  readonly #numbersOf = new Map<number, readonly number[]>();

  get size(): number {
    return this.#pacts.size;
  }

  get(number: number): Pact | undefined {
    return this.#pacts.get(number);
  }

  /** The pacts and proposals of a player, the oldest first. */
  of(playerNumber: number): readonly Pact[] {
    return (this.#numbersOf.get(playerNumber) ?? []).map((number) => this.#pacts.get(number) as Pact);
  }

  /** In the order of their proposals. */
  values(): IterableIterator<Pact> {
    return this.#pacts.values();
  }

  /** @param pact with a number above those before it */
  add(pact: Pact): void {
    this.#pacts.set(pact.number, pact);
    for (const playerNumber of partiesOf(pact)) {
      this.#numbersOf.set(playerNumber, [...(this.#numbersOf.get(playerNumber) ?? []), pact.number]);
    }
  }

  remove(pact: Pact): void {
    this.#pacts.delete(pact.number);
    for (const playerNumber of partiesOf(pact)) {
      const numbers = (this.#numbersOf.get(playerNumber) ?? []).filter((number) => number !== pact.number);
      if (numbers.length === 0) this.#numbersOf.delete(playerNumber);
      else this.#numbersOf.set(playerNumber, numbers);
    }
  }
}

/** The players of a pact. */
export function partiesOf({
  proposerNumber,
  partnerNumber,
}: Pick<Pact, 'proposerNumber' | 'partnerNumber'>): readonly [number, number] {
  return [proposerNumber, partnerNumber];
}

/** The other player of a pact. */
export function otherParty(pact: Pick<Pact, 'proposerNumber' | 'partnerNumber'>, playerNumber: number): number {
  return pact.proposerNumber === playerNumber ? pact.partnerNumber : pact.proposerNumber;
}
