// All players by a number that each has, the highest first, as they were at an instant. The engine keeps only the first of the leaderboard
// up to date, since points change far more often than anybody asks for a later rank (engine/world/leaderboard.ts). So this order is made
// when somebody asks, in steps between which others have their turn; in a large world at most each RANKING_MAX_AGE_MS.
import type { ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { PLAYERS_PER_STEP, RANKED_AT_ONCE_MAX, RANKING_MAX_AGE_MS } from '../limits.js';

export interface RankingParts {
  readonly world: ReadonlyWorld;
  /** World time in milliseconds. */
  readonly nowMs: () => number;
  /** What players are ranked by. */
  readonly rankedBy: (player: ReadonlyPlayer) => number;
  /** RANKED_AT_ONCE_MAX, except in tests. */
  readonly rankedAtOnceMax?: number;
}

/** An order of all players. With equal values the older player comes first. */
export interface RankedPlayers {
  /** World time at which it was begun. Changes while it was made may be missing. */
  readonly asOfMs: number;
  readonly count: number;
  /** Number of the player at a position from 0 on. */
  numberAt(position: number): number;
  /** From 1; null if the player was created later. */
  rankOf(playerNumber: number): number | null;
  /** By what the player was ranked. */
  valueFor(playerNumber: number): number;
  /** The first position that comes after a value and a player number in this order, whether or not a player is there. */
  positionAfter(value: number, playerNumber: number): number;
}

export class Ranking {
  readonly #parts: RankingParts;
  readonly #rankedAtOnceMax: number;
  #latest: RankedPlayers | null = null;
  /** Seq of the world that it shows. */
  #seq = -1;
  #madeAtMs = Number.NEGATIVE_INFINITY;
  #making: Ordering | null = null;

  constructor(parts: RankingParts) {
    this.#parts = parts;
    this.#rankedAtOnceMax = parts.rankedAtOnceMax ?? RANKED_AT_ONCE_MAX;
  }

  /** Does a step of the work. @returns null if there is more to do */
  step(): RankedPlayers | null {
    const { world, nowMs } = this.#parts;
    if (this.#making === null) {
      if (this.#latest !== null && this.#isFresh()) return this.#latest;
      this.#seq = world.seq;
      this.#making = new Ordering(this.#parts, nowMs());
    }
    if (!this.#making.step()) return null;
    this.#latest = this.#making;
    this.#making = null;
    this.#madeAtMs = performance.now();
    return this.#latest;
  }

  /** The order for somebody who cannot wait: in a large world the last one that was made. Null if there is none. */
  now(): RankedPlayers | null {
    if (!this.#isSmall) return this.#latest;
    let ranked = this.step();
    while (ranked === null) ranked = this.step();
    return ranked;
  }

  get #isSmall(): boolean {
    return this.#parts.world.lastPlayerNumber <= this.#rankedAtOnceMax;
  }

  #isFresh(): boolean {
    if (this.#seq === this.#parts.world.seq) return true;
    return !this.#isSmall && performance.now() - this.#madeAtMs < RANKING_MAX_AGE_MS;
  }
}

/** The orders of the players of a world. */
export class Rankings {
  readonly points: Ranking;
  /** By when they were active. */
  readonly activity: Ranking;

  constructor(world: ReadonlyWorld, nowMs: () => number) {
    this.points = new Ranking({ world, nowMs, rankedBy: ({ points }) => points });
    this.activity = new Ranking({ world, nowMs, rankedBy: ({ lastActiveMs }) => lastActiveMs });
  }
}

/** An order in the making: the values are copied, and then sorted by merging runs that double in length. */
class Ordering implements RankedPlayers {
  /** Indexed by player number. */
  readonly #values: Float64Array;
  readonly #ranks: Uint32Array;
  /** Numbers in runs of #width, each of which is in order. */
  #sorted: Uint32Array;
  /** Where they are merged to. */
  #merged: Uint32Array;
  count = 0;
  /** Number of the next player whose value is copied, and later whose rank is stored. */
  #next = 1;
  #width = 1;
  /** Positions of the next numbers of the two runs that are merged, of their ends, and of the next number that is placed. */
  #left = 0;
  #leftEnd = 0;
  #right = 0;
  #rightEnd = 0;
  #placed = 0;

  constructor(
    private readonly parts: RankingParts,
    readonly asOfMs: number,
  ) {
    const { lastPlayerNumber } = parts.world;
    this.#values = new Float64Array(lastPlayerNumber + 1);
    this.#ranks = new Uint32Array(lastPlayerNumber + 1);
    this.#sorted = new Uint32Array(lastPlayerNumber);
    this.#merged = new Uint32Array(lastPlayerNumber);
  }

  numberAt(position: number): number {
    return this.#sorted[position] as number;
  }

  rankOf(playerNumber: number): number | null {
    return this.#ranks[playerNumber] || null;
  }

  valueFor(playerNumber: number): number {
    return this.#values[playerNumber] as number;
  }

  positionAfter(value: number, playerNumber: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const number = this.numberAt(middle);
      const other = this.valueFor(number);
      if (other > value || (other === value && number <= playerNumber)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** @returns true once it is complete */
  step(): boolean {
    if (this.#next < this.#values.length) {
      this.#copySome();
      return false;
    }
    return this.#mergeSome();
  }

  #copySome(): void {
    const { world, rankedBy } = this.parts;
    const end = Math.min(this.#next + PLAYERS_PER_STEP, this.#values.length);
    for (; this.#next < end; this.#next += 1) {
      const player = world.players.get(this.#next);
      if (player === undefined) continue;
      this.#values[this.#next] = rankedBy(player);
      this.#sorted[this.count] = this.#next;
      this.count += 1;
    }
  }

  #mergeSome(): boolean {
    for (let rest = PLAYERS_PER_STEP; rest > 0; rest -= 1) {
      if (this.#placed === this.count && this.#endsWithPass()) return true;
      if (this.#placed === this.#rightEnd) this.#beginRuns();
      const number = this.numberAt(this.#isLeftNext() ? this.#left++ : this.#right++);
      this.#merged[this.#placed] = number;
      this.#placed += 1;
      if (this.#isLastPass) this.#ranks[number] = this.#placed;
    }
    return false;
  }

  get #isLastPass(): boolean {
    return 2 * this.#width >= this.count;
  }

  /** Goes on with runs of twice the length. @returns true if that is one run */
  #endsWithPass(): boolean {
    const isOver = this.#isLastPass;
    [this.#sorted, this.#merged] = [this.#merged, isOver ? NOTHING : this.#sorted];
    this.#width *= 2;
    this.#placed = 0;
    this.#rightEnd = 0;
    return isOver;
  }

  #beginRuns(): void {
    this.#left = this.#placed;
    this.#leftEnd = Math.min(this.#left + this.#width, this.count);
    this.#right = this.#leftEnd;
    this.#rightEnd = Math.min(this.#right + this.#width, this.count);
  }

  #isLeftNext(): boolean {
    if (this.#left === this.#leftEnd) return false;
    if (this.#right === this.#rightEnd) return true;
    const [left, right] = [this.numberAt(this.#left), this.numberAt(this.#right)];
    const [leftValue, rightValue] = [this.valueFor(left), this.valueFor(right)];
    return leftValue > rightValue || (leftValue === rightValue && left < right);
  }
}

const NOTHING = new Uint32Array(0);
