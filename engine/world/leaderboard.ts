// The ranking of all players by points. It is derived from the players and rebuilt on load. Points change far more
// often than the ranking is read, so a change that cannot affect the first places costs only two comparisons.
import { NumberColumn } from '../numbers/number-column.js';
import { LEADERBOARD_ENTRIES_MAX } from '../rules/limits.js';

/** The points of a retired player: fewer than any other has, so that it is never ranked. */
const RETIRED = Number.NEGATIVE_INFINITY;

export class Leaderboard {
  readonly #lengthMax: number;
  /** Indexed by player number. */
  readonly #points = new NumberColumn();
  /** Number of the last player that was added. */
  #lastNumber = 0;
  /** Numbers of the first players, best first; with equal points the lower number comes first. */
  #first: number[] = [];
  /** Points of the last of them; -Infinity until all places are taken. */
  #floor = Number.NEGATIVE_INFINITY;
  /** True once a player may have dropped out of the first places: their successor is not known. */
  #isStale = false;
  /** See version. */
  #version = 0;

  /** @param lengthMax how many players are ranked */
  constructor(lengthMax: number = LEADERBOARD_ENTRIES_MAX) {
    this.#lengthMax = lengthMax;
  }

  /** Raised by each change that can affect the first places, or how they are shown. Counted by this process; not part of the state. */
  get version(): number {
    return this.#version;
  }

  /** A player has another name. */
  renamed(): void {
    this.#version += 1;
  }

  pointsOf(playerNumber: number): number {
    return this.#points.get(playerNumber);
  }

  /** Adds a player. @param playerNumber higher than that of the last player; those in between are retired */
  add(playerNumber: number, points: number): void {
    if (playerNumber <= this.#lastNumber) throw new RangeError(`player ${playerNumber} is not the next player`);
    for (let number = this.#lastNumber + 1; number < playerNumber; number += 1) this.#points.set(number, RETIRED);
    this.#lastNumber = playerNumber;
    this.#points.set(playerNumber, points);
    this.#version += 1;
    if (!this.#isStale && points > this.#floor) this.#insert(playerNumber);
  }

  /** Sets the points of a player. */
  set(playerNumber: number, points: number): void {
    const before = this.#points.get(playerNumber);
    this.#points.set(playerNumber, points);
    if (!this.#isStale && points < this.#floor && before < this.#floor) return;
    this.#version += 1;
    if (this.#isStale) return;
    const rank = this.#first.indexOf(playerNumber);
    if (rank >= 0) this.#first.splice(rank, 1);
    const newRank = this.#insert(playerNumber);
    this.#isStale = rank >= 0 && points < before && newRank === this.#lengthMax - 1;
  }

  /** Removes a player. */
  remove(playerNumber: number): void {
    this.#points.set(playerNumber, RETIRED);
    this.#version += 1;
    if (this.#first.includes(playerNumber)) this.#isStale = true;
  }

  /** Numbers of the first `count` players, best first; at most `lengthMax`. */
  first(count: number): number[] {
    if (this.#isStale) this.#rank();
    return this.#first.slice(0, count);
  }

  /** Rebuilds the ranking from all players; takes a millisecond or two for a million players. */
  #rank(): void {
    this.#first = [];
    this.#floor = Number.NEGATIVE_INFINITY;
    this.#isStale = false;
    for (let playerNumber = 1; playerNumber <= this.#lastNumber; playerNumber += 1) {
      if (this.#points.get(playerNumber) > this.#floor) this.#insert(playerNumber);
    }
  }

  /** Inserts a player that is not among the first at its rank, if it reaches one. @returns the rank, from 0 */
  #insert(playerNumber: number): number {
    const first = this.#first;
    let rank = first.length;
    while (rank > 0 && this.#precedes(playerNumber, first[rank - 1] as number)) rank -= 1;
    first.splice(rank, 0, playerNumber);
    if (first.length > this.#lengthMax) first.pop();
    if (first.length === this.#lengthMax) this.#floor = this.#points.get(first.at(-1) as number);
    return rank;
  }

  #precedes(playerNumber: number, other: number): boolean {
    const points = this.#points.get(playerNumber);
    const otherPoints = this.#points.get(other);
    return points === otherPoints ? playerNumber < other : points > otherPoints;
  }
}
