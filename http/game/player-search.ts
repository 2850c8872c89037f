// A search for players by the beginning of a name, in some order. It looks at a bounded number of players, in steps between which others
// have their turn. Names are compared by their keys, as when a player is created.
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { nameKey } from '../checks/player-names.js';
import { PLAYERS_EXAMINED_MAX, PLAYERS_PER_STEP } from '../limits.js';
import type { RankedPlayers } from './ranking.js';

export type PlayerOrder = Pick<RankedPlayers, 'count' | 'numberAt'>;

export interface PlayerQuery {
  /** The beginning of the name; '' for any. */
  readonly name: string;
  readonly order: PlayerOrder;
  /** Position in the order, from 0, at which it begins. */
  readonly from: number;
  /** How many players it finds at most. */
  readonly limit: number;
  /** What is done with the player who has exactly this name: the index of names finds it at once. */
  readonly holder: 'first' | 'left out' | 'in order';
}

/** Players by number, with the retired ones. */
export function orderOfNumbers({ lastPlayerNumber }: ReadonlyWorld): PlayerOrder {
  return { count: lastPlayerNumber, numberAt: (position) => position + 1 };
}

export class PlayerSearch {
  /** Numbers of the players that were found. */
  readonly found: number[] = [];
  readonly #key: string;
  /** Number of the player who is not found in the order; 0 for nobody. */
  readonly #apart: number;
  #position: number;
  readonly #end: number;

  constructor(
    private readonly world: ReadonlyWorld,
    private readonly query: PlayerQuery,
  ) {
    const { name, order, from, holder } = query;
    this.#key = nameKey(name);
    this.#position = from;
    this.#end = Math.min(from + PLAYERS_EXAMINED_MAX, order.count);
    const number = holder === 'in order' ? 0 : world.namedNumbers.numberOf(this.#key);
    this.#apart = world.players.has(number) ? number : 0;
    if (holder === 'first' && this.#apart > 0) this.found.push(this.#apart);
  }

  /** Position at which a further search goes on; null if all players were looked at. */
  get next(): number | null {
    return this.#position < this.query.order.count ? this.#position : null;
  }

  /** @returns true once it has found enough, or has looked at enough players */
  step(): boolean {
    const { order, limit } = this.query;
    const end = Math.min(this.#position + PLAYERS_PER_STEP, this.#end);
    for (; this.#position < end && this.found.length < limit; this.#position += 1) {
      const number = order.numberAt(this.#position);
      if (number !== this.#apart && this.world.players.nameKeyBegins(number, this.#key)) this.found.push(number);
    }
    return this.found.length >= limit || this.#position >= this.#end;
  }
}
