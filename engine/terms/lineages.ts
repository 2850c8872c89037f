// The lineages of a world. A restored or forked world goes on from an earlier state of another one, and begins a lineage: each number that
// it hands out from then on (seqs of entries and events, numbers in ids) is above a base of its own. So it can refuse a number that clients
// keep from a past that it does not have (decision 7).

/** The part of a world's history from a restore or fork to the next one. */
export interface Lineage {
  /** Each number that was handed out in it is above this one. */
  readonly base: number;
  /** Players that were created before it, retired ones included. */
  readonly playersBefore: number;
}

/** The lineages of a world, as code outside the engine sees them. */
export interface ReadonlyLineages {
  /** Base of the latest; 0 in a world that was never restored or forked. */
  readonly base: number;
  /** The number in the id of a player. Inside the engine players are numbered from 1 without a gap, since they are rows of tables. */
  idNumberOf(playerNumber: number): number;
  /** The number of the player with this number in its id; -1 if the world cannot have handed it out. The player need not exist. */
  playerNumberOf(idNumber: number): number;
}

export class Lineages implements ReadonlyLineages {
  readonly #list: Lineage[] = [];
  #base = 0;

  /** Oldest first; none in a world that was never restored or forked. */
  get list(): readonly Lineage[] {
    return this.#list;
  }

  get base(): number {
    return this.#base;
  }

  /** @throws RangeError if it does not follow the one before */
  begin(lineage: Lineage): void {
    const last = this.#list.at(-1);
    if (lineage.base <= this.#base || lineage.playersBefore < (last?.playersBefore ?? 0))
      throw new RangeError(`a lineage with base ${lineage.base} cannot follow one with base ${this.#base}`);
    this.#list.push(lineage);
    this.#base = lineage.base;
  }

  idNumberOf(playerNumber: number): number {
    if (this.#base === 0) return playerNumber;
    return playerNumber + (this.#list.findLast(({ playersBefore }) => playerNumber > playersBefore)?.base ?? 0);
  }

  playerNumberOf(idNumber: number): number {
    if (this.#base === 0) return idNumber;
    const number = idNumber - this.baseOf(idNumber);
    return this.idNumberOf(number) === idNumber ? number : -1;
  }

  /** Base of the lineage in which a number was handed out. */
  baseOf(number: number): number {
    return this.#list.findLast(({ base }) => base <= number)?.base ?? 0;
  }

  /** Base of the lineage after the one in which a number was handed out; undefined if that is the latest. */
  baseAfter(number: number): number | undefined {
    return this.#list.find(({ base }) => base > number)?.base;
  }
}
