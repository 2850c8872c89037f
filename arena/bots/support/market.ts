// Trade with other players: takes offers of what planets lack for what they have over, and makes offers of its own. The price that it
// asks, and whether it counts on selling a resource at all, follow from which of its offers were taken (docs/rules.md: Market).
import type { Catalog, Planet } from '../../bot.js';
import { type Amounts, type GameEvent, operation, type Shapes } from '../../galaxyd-client.js';
import { total } from './amounts.js';
import { lowest } from './building.js';
import { GalaxyMap } from './galaxy-map.js';
import { h2ToReach, wayOf } from './goods-ways.js';
import { type Balance, marketValue, spareOf, TRADED, type Traded, urgencyOf } from './needs.js';
import { later, type Plan } from './plan.js';
import type { Prices } from './returns.js';

type Offer = Shapes['Offer'];
type Terms = Pick<Offer, 'give' | 'want'>;

/** A trade must be worth this much more to a planet than what it gives, as a share. */
const GAIN_MIN = 0.1;
/** The value of a lot, as hours of what the planet makes, at speed 1. */
const LOT_HOURS_MIN = 0.25;
const LOT_HOURS_MAX = 3;
/** The way of an offer may cost this share of the value of its goods. It reaches this many players. */
const WAY_SHARE_MAX = 0.2;
const PLAYERS_REACHED = 6;
/** How long an offer stays open, at speed 1. */
const OFFER_SECONDS = 28_800;
/** Open offers at first, and how many fewer for each that nobody takes. */
const OFFERS_AT_FIRST = 8;
const HELD_BACK = 0.5;
/** What it asks for, as a share of the value of what it gives. */
const PRICE_MIN = 0.6;
const PRICE_STEP = 0.1;
/** How far a look at the market changes the belief in what can be sold and bought. */
const LEARNED = 0.3;
/** A planet uses up to this share of what the rules let others bring it, since its output may fall. */
const GIFTS_SHARE = 0.9;

/** How surely a resource can be sold and bought at its value, from 0 to 1. */
interface Belief {
  readonly sale: number;
  readonly purchase: number;
}

export class Market {
  readonly #galaxyMap = new GalaxyMap();
  /** Asked prices by the resources given and wanted. */
  readonly #prices = new Map<string, number>();
  readonly #beliefs = new Map<Traded, Belief>();
  /** What trades have brought to each planet beyond their value, in a period. */
  readonly #gifts = new Map<string, { readonly until: string; readonly units: number }>();
  /** Offers that it has open at a time: fewer, the fewer are taken, since what an offer holds is of no use meanwhile. */
  #offersMax = OFFERS_AT_FIRST;
  /** Open offers of the player, by id. */
  readonly #open = new Map<string, Terms>();

  learn(playerId: string, events: readonly GameEvent[]): void {
    for (const { type, data } of events) {
      if (type === 'offer_made' && data.makerId === playerId) this.#open.set(data.offerId, data);
      if (type === 'offer_taken' || type === 'offer_ended') this.#ended(data.offerId, type === 'offer_taken');
    }
  }

  /** For how much units of each resource can be sold and bought, in the order of the catalogue; undefined without a market. */
  prices({ market, resources }: Catalog): Prices | undefined {
    if (market === undefined) return undefined;
    const each = resources.map((name) => {
      const resource = TRADED.find((traded) => traded === name);
      if (resource === undefined) return { value: 0, sold: 0, bought: Number.POSITIVE_INFINITY };
      const value = market.values[resource];
      const { sale, purchase } = this.#beliefIn(resource);
      return { value, sold: value * sale, bought: value / purchase };
    });
    return {
      values: each.map(({ value }) => value),
      sold: each.map(({ sold }) => sold),
      bought: each.map(({ bought }) => bought),
    };
  }

  /**
   * Takes the offers that pay most, and offers what is then still over. The planet that lacks most comes first.
   *
   * @param isWelcome whether the player trades with another one
   */
  async trade(plan: Plan, unsorted: readonly Balance[], isWelcome: (playerId: string) => boolean): Promise<void> {
    const { port } = plan;
    const { market } = port.catalog;
    if (market === undefined) return;
    const need = new Map(unsorted.map((each) => [each, greatestNeed(port.catalog, each)]));
    const balances = [...unsorted].sort((one, other) => (need.get(other) ?? 0) - (need.get(one) ?? 0));
    const galaxies = [...new Set(balances.map(({ planet }) => planet.system.galaxyIndex))];
    const [own, books] = await Promise.all([
      port.read(operation.get('/api/market/player/{playerId}', { params: { path: { playerId: port.playerId } } })),
      Promise.all(
        galaxies.map((galaxy) =>
          port.read(operation.get('/api/market/galaxy/{galaxy}', { params: { path: { galaxy } } })),
        ),
      ),
    ]);
    for (const { planetId, goods } of own.goods) expect(balances, planetId, goods);
    for (const { planetId, want } of own.offers) expect(balances, planetId, want);
    const offers = [...own.offersToPlayer, ...books.flatMap((book) => book.offers)];
    const others = offers.filter(({ playerId }) => playerId !== port.playerId && isWelcome(playerId));
    this.#look(port.catalog, others);
    this.#take(plan, balances, others);
    this.#offersMax = Math.min(market.offersPerPlayer, this.#offersMax);
    let left = Math.floor(this.#offersMax) - own.offers.length;
    for (const balance of balances) {
      while (left > 0 && (await this.#offer(plan, balance))) left -= 1;
    }
  }

  #beliefIn(resource: Traded): Belief {
    return this.#beliefs.get(resource) ?? { sale: 0, purchase: 0 };
  }

  #ended(offerId: string, isTaken: boolean): void {
    const terms = this.#open.get(offerId);
    if (terms === undefined) return;
    this.#open.delete(offerId);
    this.#offersMax = Math.max(1, this.#offersMax + (isTaken ? 1 : -HELD_BACK));
    const price = this.#priceOf(terms) + (isTaken ? PRICE_STEP : -PRICE_STEP);
    this.#prices.set(pairOf(terms), Math.min(1, Math.max(PRICE_MIN, price)));
  }

  /** Learns from what others offer what they would buy. */
  #look(catalog: Catalog, offers: readonly Offer[]): void {
    for (const resource of TRADED) {
      const sumOf = (lots: readonly Shapes['Lot'][]): number =>
        lots.filter((lot) => lot.resource === resource).reduce((sum, lot) => sum + worthOf(catalog, lot), 0);
      const wanted = sumOf(offers.map(({ want }) => want));
      const given = sumOf(offers.map(({ give }) => give));
      const { sale, purchase } = this.#beliefIn(resource);
      const share = (part: number): number => (part === 0 ? 0 : Math.min(1, (2 * part) / (wanted + given)));
      this.#beliefs.set(resource, {
        sale: sale + LEARNED * (share(wanted) - sale),
        purchase: purchase + LEARNED * (share(given) - purchase),
      });
    }
  }

  #priceOf(terms: Terms): number {
    return this.#prices.get(pairOf(terms)) ?? 1;
  }

  #take(plan: Plan, balances: readonly Balance[], offers: readonly Offer[]): void {
    const open = new Set(offers);
    for (const balance of balances) {
      for (;;) {
        const best = lowest([...open], (offer) => -this.#gainOf(plan, balance, offer));
        if (best === undefined || this.#gainOf(plan, balance, best) <= 0) break;
        open.delete(best);
        this.#agree(plan, balance, best);
      }
    }
  }

  /** What a planet gains by an offer; negative if it cannot take it or needs what it pays more. */
  #gainOf(plan: Plan, balance: Balance, offer: Offer): number {
    const { give, want, h2Max } = offer;
    const { catalog } = plan.port;
    const { planet } = balance;
    const h2 = plan.stock(planet).h2 - (want.resource === 'h2' ? want.units : 0);
    const way = wayOf(plan, planet, offer.planetId, want.units);
    const [paid, received] = [worthOf(catalog, want), worthOf(catalog, give)];
    const isPossible =
      want.units <= spareOf(plan, balance, want.resource) &&
      way.least <= h2 &&
      wayOf(plan, planet, offer.planetId, give.units).least <= h2Max &&
      // Beyond its value, the maker may receive as little as the taker.
      paid <= received &&
      giftOf(catalog, offer) <= this.#giftsLeft(plan, planet);
    if (!isPossible) return Number.NEGATIVE_INFINITY;
    const gets = received * urgencyOf(catalog, balance, give.resource, give.units / 2);
    const pays = paid * urgencyOf(catalog, balance, want.resource, -want.units / 2);
    return gets - pays * (1 + GAIN_MIN) - marketValue(catalog, { h2: Math.min(way.most, h2) });
  }

  #agree(plan: Plan, balance: Balance, offer: Offer): void {
    const { give, want } = offer;
    const { port } = plan;
    const { planet, over } = balance;
    const params = { path: { offerId: offer.id } };
    const body = { playerId: port.playerId, planetId: planet.id };
    const { most } = wayOf(plan, planet, offer.planetId, want.units);
    const cost = costOf(want, 0);
    const h2 = Math.min(plan.stock(planet).h2, most + (cost.h2 ?? 0));
    plan.command(planet, operation.post('/api/market/offer/{offerId}/take', { params, body }), { ...cost, h2 });
    over[want.resource] -= want.units;
    over[give.resource] += give.units;
    const gift = giftOf(port.catalog, offer);
    if (gift === 0) return;
    const before = this.#giftsTo(planet, port.now);
    const until = later(port.now, (port.catalog.deliveries?.periodSeconds ?? 0) / port.catalog.speed);
    this.#gifts.set(planet.id, { until: before?.until ?? until, units: gift + (before?.units ?? 0) });
  }

  #giftsTo({ id }: Planet, now: string) {
    const gifts = this.#gifts.get(id);
    return gifts !== undefined && gifts.until > now ? gifts : undefined;
  }

  #giftsLeft({ port: { now, catalog } }: Plan, planet: Planet): number {
    const { deliveries, speed } = catalog;
    if (deliveries === undefined) return Number.POSITIVE_INFINITY;
    const made = (total({ ...planet.production, energy: 0 }) * deliveries.periodSeconds) / 3_600 / speed;
    return (made * deliveries.outputPercent * GIFTS_SHARE) / 100 - (this.#giftsTo(planet, now)?.units ?? 0);
  }

  /** Offers some of what a planet needs least for what it needs most. @returns whether it could */
  async #offer(plan: Plan, balance: Balance): Promise<boolean> {
    const { planet, over } = balance;
    const { catalog, playerId } = plan.port;
    const { market } = catalog;
    const terms = this.#termsOf(plan, balance);
    if (market === undefined || terms === null) return false;
    const { give, want } = terms;
    const h2 = plan.stock(planet).h2 - (give.resource === 'h2' ? give.units : 0);
    const dearest = Math.min(h2, (worthOf(catalog, give) * WAY_SHARE_MAX) / market.values.h2);
    const h2Max = await h2ToReach(plan, this.#galaxyMap, planet, give.units, PLAYERS_REACHED, dearest);
    if (h2Max === 0) return false;
    const seconds = Math.ceil(Math.min(OFFER_SECONDS, market.offerSecondsMax) / catalog.speed);
    const body = { playerId, planetId: planet.id, give, want, h2Max, seconds };
    plan.command(planet, operation.post('/api/market/offer', { body }), costOf(give, h2Max));
    over[give.resource] -= give.units;
    over[want.resource] += want.units;
    return true;
  }

  /** What a planet would offer for what; null if it needs everything alike. */
  #termsOf(plan: Plan, balance: Balance): Terms | null {
    const { catalog } = plan.port;
    const hourly = marketValue(catalog, balance.planet.production) / catalog.speed;
    const worthOfSpare = (resource: Traded): number => unitsWorth(catalog, resource, spareOf(plan, balance, resource));
    const able = TRADED.filter((resource) => worthOfSpare(resource) >= hourly * LOT_HOURS_MIN);
    const giving = lowest(able, (resource) => urgencyOf(catalog, balance, resource));
    const wanted = lowest(TRADED, (resource) => -urgencyOf(catalog, balance, resource));
    if (giving === undefined || wanted === undefined) return null;
    const share = urgencyOf(catalog, balance, giving) / urgencyOf(catalog, balance, wanted);
    const least = share * (1 + 2 * GAIN_MIN);
    if (least > 1) return null;
    const excess =
      unitsWorth(catalog, giving, balance.over[giving]) - unitsWorth(catalog, wanted, balance.over[wanted]);
    const worth = Math.min(worthOfSpare(giving), excess / 3, hourly * LOT_HOURS_MAX);
    const give = { resource: giving, units: Math.floor(worth / unitsWorth(catalog, giving, 1)) };
    const price = Math.max(least, this.#priceOf({ give, want: { resource: wanted, units: 0 } }));
    const want = {
      resource: wanted,
      units: Math.floor((worthOf(catalog, give) * price) / unitsWorth(catalog, wanted, 1)),
    };
    return worth < hourly * LOT_HOURS_MIN || give.units === 0 || want.units === 0 ? null : { give, want };
  }
}

const greatestNeed = (catalog: Catalog, balance: Balance): number =>
  Math.max(...TRADED.map((resource) => urgencyOf(catalog, balance, resource)));

const pairOf = ({ give, want }: Terms): string => `${give.resource} ${want.resource}`;

const unitsWorth = (catalog: Catalog, resource: Traded, units: number): number =>
  marketValue(catalog, { [resource]: units });

const worthOf = (catalog: Catalog, { resource, units }: Shapes['Lot']): number => unitsWorth(catalog, resource, units);

function costOf({ resource, units }: Shapes['Lot'], h2: number): Partial<Amounts> {
  return resource === 'h2' ? { h2: units + h2 } : { [resource]: units, h2 };
}

/** Units that the taker of an offer gets beyond the value of what it pays. */
function giftOf(catalog: Catalog, { give, want }: Terms): number {
  const excess = worthOf(catalog, give) - worthOf(catalog, want);
  return Math.max(0, Math.ceil(excess / unitsWorth(catalog, give.resource, 1)));
}

/** Counts goods that may arrive on a planet. */
function expect(balances: readonly Balance[], planetId: string, { resource, units }: Shapes['Lot']): void {
  const balance = balances.find(({ planet }) => planet.id === planetId);
  if (balance !== undefined) balance.over[resource] += units;
}
