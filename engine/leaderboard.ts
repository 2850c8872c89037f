// The ranking of all players by points. It is derived from the players and rebuilt on load. Commands change points all the
// time and somebody looks now and then, so that a change which cannot touch the first places costs two comparisons.
import { NumberColumn } from './number-column.js';
import { LEADERBOARD_ENTRIES_MAX } from './rules/limits.js';

export class Leaderboard {
  readonly #lengthMax: number;
  /** By player number. */
  readonly #points = new NumberColumn();
  #playerCount = 0;
  /** Numbers of the first players, best first; equal points by the lower number. */
  #first: number[] = [];
  /** Points of the last of them; everybody is among them while there is room. */
  #floor = Number.NEGATIVE_INFINITY;
  /** True once somebody has fallen out of the first places, whom nobody knows a successor for. */
  #isStale = false;

  /** @param lengthMax how many are ranked */
  constructor(lengthMax: number = LEADERBOARD_ENTRIES_MAX) {
    this.#lengthMax = lengthMax;
  }

  pointsOf(playerNumber: number): number {
    return this.#points.get(playerNumber);
  }

  /** Adds a player, with the number after the last one. */
  add(playerNumber: number, points: number): void {
    if (playerNumber !== this.#playerCount + 1) throw new RangeError(`player ${playerNumber} is not the next one`);
    this.#playerCount = playerNumber;
    this.#points.set(playerNumber, points);
    if (!this.#isStale && points > this.#floor) this.#insert(playerNumber);
  }

  /** Gives a player another number of points. */
  set(playerNumber: number, points: number): void {
    const before = this.#points.get(playerNumber);
    this.#points.set(playerNumber, points);
    if (this.#isStale || (points < this.#floor && before < this.#floor)) return;
    const rank = this.#first.indexOf(playerNumber);
    if (rank >= 0) this.#first.splice(rank, 1);
    const newRank = this.#insert(playerNumber);
    this.#isStale = rank >= 0 && points < before && newRank === this.#lengthMax - 1;
  }

  /** Numbers of the first `count` players, best first; at most as many as are ranked. */
  first(count: number): number[] {
    if (this.#isStale) this.#rank();
    return this.#first.slice(0, count);
  }

  /** Looks at all players: a millisecond or two where there are a million. */
  #rank(): void {
    this.#first = [];
    this.#floor = Number.NEGATIVE_INFINITY;
    this.#isStale = false;
    for (let playerNumber = 1; playerNumber <= this.#playerCount; playerNumber += 1) {
      if (this.#points.get(playerNumber) > this.#floor) this.#insert(playerNumber);
    }
  }

  /** Puts a player that is not among the first to its place there, if it has one. @returns its rank from 0 on */
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
