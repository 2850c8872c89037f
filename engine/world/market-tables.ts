// What is under way between players who trade: open offers, goods, and the last trades of each pair of resources. A world in which nobody
// trades has three empty tables. This file holds no rule of the game.

import type { PlanetKey, Universe } from '../map/universe.js';
import { TRADES_PER_PAIR_MAX } from '../rules/limits.js';
import { CARGO_RESOURCE_COUNT } from '../rules/resources.js';
import type { Lot } from '../terms/lots.js';
import { NO_TIMER, type TimerHandle } from './timer-queue.js';

/** An open offer. What it gives, and the h2 for the way, are not on the planet any more. */
export interface Offer {
  /** Id of its timer: unique, and never used again. */
  readonly number: number;
  readonly ownerNumber: number;
  readonly planetKey: PlanetKey;
  readonly give: Lot;
  readonly want: Lot;
  /** Units of h2 that the way to whoever takes it may cost. */
  readonly h2Max: number;
  /** The only player who can take it; 0 for everybody. */
  readonly toNumber: number;
  readonly madeAtMs: number;
  readonly untilMs: number;
  timer: TimerHandle;
}

/** Goods on their way to the player who has traded for them. */
export interface Goods {
  readonly offerNumber: number;
  /** Whether the maker of the offer receives them, or its taker. */
  readonly isForMaker: boolean;
  /** Who receives them. */
  readonly ownerNumber: number;
  readonly toKey: PlanetKey;
  /** Who has sent them, and may be retired. */
  readonly senderNumber: number;
  readonly fromKey: PlanetKey;
  readonly lot: Lot;
  readonly sentAtMs: number;
  readonly arrivesAtMs: number;
  timer: TimerHandle;
}

/** A trade of the past. */
export interface Trade {
  readonly offerNumber: number;
  readonly atMs: number;
  readonly giveUnits: number;
  readonly wantUnits: number;
}

export class OfferTable {
  readonly #byNumber = new Map<number, Offer>();
  readonly #byOwner = new Groups<Offer>();
  readonly #byAddressee = new Groups<Offer>();
  readonly #byGalaxy = new Groups<Offer>();

  constructor(private readonly universe: Pick<Universe, 'positionOf'>) {}

  get size(): number {
    return this.#byNumber.size;
  }

  get(number: number): Offer | undefined {
    return this.#byNumber.get(number);
  }

  /** Those of a player, oldest first. */
  of(ownerNumber: number): readonly Offer[] {
    return this.#byOwner.of(ownerNumber);
  }

  /** Those that only this player can take, oldest first. */
  addressedTo(playerNumber: number): readonly Offer[] {
    return this.#byAddressee.of(playerNumber);
  }

  /** Those of planets of a galaxy, oldest first. */
  inGalaxy(galaxy: number): readonly Offer[] {
    return this.#byGalaxy.of(galaxy);
  }

  add(offer: Omit<Offer, 'timer'>): Offer {
    const added = { ...offer, timer: NO_TIMER };
    this.#byNumber.set(offer.number, added);
    this.#byOwner.add(offer.ownerNumber, added, offer.number);
    if (offer.toNumber > 0) this.#byAddressee.add(offer.toNumber, added, offer.number);
    this.#byGalaxy.add(this.#galaxyOf(offer), added, offer.number);
    return added;
  }

  remove(offer: Offer): void {
    this.#byNumber.delete(offer.number);
    this.#byOwner.remove(offer.ownerNumber, offer);
    if (offer.toNumber > 0) this.#byAddressee.remove(offer.toNumber, offer);
    this.#byGalaxy.remove(this.#galaxyOf(offer), offer);
  }

  #galaxyOf({ planetKey }: Pick<Offer, 'planetKey'>): number {
    return this.universe.positionOf(planetKey).galaxy;
  }
}

export class GoodsTable {
  readonly #byId = new Map<number, Goods>();
  readonly #byOwner = new Groups<Goods>();

  get size(): number {
    return this.#byId.size;
  }

  /** @param id see goodsId() */
  get(id: number): Goods | undefined {
    return this.#byId.get(id);
  }

  /** In the order in which they were sent. */
  values(): IterableIterator<Goods> {
    return this.#byId.values();
  }

  /** Those on their way to a player, by offer. */
  of(ownerNumber: number): readonly Goods[] {
    return this.#byOwner.of(ownerNumber);
  }

  add(goods: Omit<Goods, 'timer'>): Goods {
    const added = { ...goods, timer: NO_TIMER };
    this.#byId.set(goodsId(goods), added);
    this.#byOwner.add(goods.ownerNumber, added, goods.offerNumber);
    return added;
  }

  remove(goods: Goods): void {
    this.#byId.delete(goodsId(goods));
    this.#byOwner.remove(goods.ownerNumber, goods);
  }
}

/** One number for each of the two loads of goods of a trade. */
export function goodsId({ offerNumber, isForMaker }: Pick<Goods, 'offerNumber' | 'isForMaker'>): number {
  return 2 * offerNumber + (isForMaker ? 1 : 0);
}

/** The last trades of each pair of resources, oldest first. */
export class TradeTable {
  readonly #byPair: Trade[][] = [];

  of(give: number, want: number): readonly Trade[] {
    return this.#byPair[pairOf(give, want)] ?? NONE;
  }

  add(give: number, want: number, trade: Trade): void {
    const pair = pairOf(give, want);
    const trades = this.#byPair[pair] ?? [];
    this.#byPair[pair] = trades;
    trades.push(trade);
    if (trades.length > TRADES_PER_PAIR_MAX) trades.shift();
  }
}

function pairOf(give: number, want: number): number {
  return give * CARGO_RESOURCE_COUNT + want;
}

const NONE: readonly never[] = [];

/** Items by the number of their group, each group in the order of the numbers of its items, however they were added. */
class Groups<Item> {
  readonly #groups = new Map<number, { readonly items: Item[]; readonly numbers: number[] }>();

  of(group: number): readonly Item[] {
    return this.#groups.get(group)?.items ?? NONE;
  }

  add(group: number, item: Item, number: number): void {
    const present = this.#groups.get(group) ?? { items: [], numbers: [] };
    this.#groups.set(group, present);
    const { items, numbers } = present;
    let place = numbers.length;
    while (place > 0 && (numbers[place - 1] as number) > number) place -= 1;
    items.splice(place, 0, item);
    numbers.splice(place, 0, number);
  }

  remove(group: number, item: Item): void {
    const present = this.#groups.get(group);
    const place = present?.items.indexOf(item) ?? -1;
    if (present === undefined || place < 0) return;
    present.items.splice(place, 1);
    present.numbers.splice(place, 1);
    if (present.items.length === 0) this.#groups.delete(group);
  }
}
