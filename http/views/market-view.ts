// Offers, goods and prices as plain objects, as replies show them.

import { priceOf } from '../../engine/queries/order-book.js';
import { CARGO_RESOURCE_COUNT } from '../../engine/rules/resources.js';
import { offerId, planetId, playerId } from '../../engine/terms/ids.js';
import type { Lot } from '../../engine/terms/lots.js';
import type { ReadonlyGoods, ReadonlyOffer, ReadonlyWorld } from '../../engine/world/state.js';
import { isoText } from '../exchange/iso-time.js';
import {
  type GoodsBody,
  type MarketBody,
  type OfferBody,
  type PlayerMarketBody,
  TRADED_RESOURCES,
} from '../schemas/market.js';

/** Digits of a price. */
const PRICE_DIGITS = 6;

export function offerBody(world: ReadonlyWorld, offer: ReadonlyOffer): OfferBody {
  return {
    id: offerId(offer.number),
    playerId: playerId(world, offer.ownerNumber),
    planetId: planetId(world.universe, offer.planetKey),
    give: lotBody(offer.give),
    want: lotBody(offer.want),
    price: Number(priceOf(offer).toPrecision(PRICE_DIGITS)),
    h2Max: offer.h2Max,
    toPlayerId: offer.toNumber === 0 ? null : playerId(world, offer.toNumber),
    madeAt: isoText(offer.madeAtMs),
    until: isoText(offer.untilMs),
  };
}

export function goodsBody(world: ReadonlyWorld, goods: ReadonlyGoods): GoodsBody {
  return {
    offerId: offerId(goods.offerNumber),
    partnerId: playerId(world, goods.senderNumber),
    originPlanetId: planetId(world.universe, goods.fromKey),
    planetId: planetId(world.universe, goods.toKey),
    goods: lotBody(goods.lot),
    sentAt: isoText(goods.sentAtMs),
    arrivesAt: isoText(goods.arrivesAtMs),
  };
}

/**
 * A page of the offers to a player, with its own offers and its goods.
 *
 * @param before number of the last offer of the page before; null for the first page
 */
export function playerMarketBody(
  world: ReadonlyWorld,
  playerNumber: number,
  before: number | null,
  limit: number,
): PlayerMarketBody {
  const { offers, goods } = world;
  // Each of many players can send some.
  const left = offers.addressedTo(playerNumber).filter(({ number }) => before === null || number < before);
  const shown = left.slice(-limit).reverse();
  const last = shown.at(-1);
  return {
    offers: offers.of(playerNumber).map((offer) => offerBody(world, offer)),
    offersToPlayer: shown.map((offer) => offerBody(world, offer)),
    nextCursor: last === undefined || shown.length === left.length ? null : String(last.number),
    goods: goods.of(playerNumber).map((load) => goodsBody(world, load)),
  };
}

/** The resource of a name; null without one. */
export function resourceOf(name: string | null): number | null {
  return name === null ? null : (TRADED_RESOURCES as readonly string[]).indexOf(name);
}

/** The last trades of each pair of resources that was traded. @param give null for any */
export function tradesBody({ trades }: ReadonlyWorld, give: number | null, want: number | null): MarketBody['trades'] {
  const bodies: MarketBody['trades'] = [];
  for (let given = 0; given < CARGO_RESOURCE_COUNT; given += 1) {
    for (let wanted = 0; wanted < CARGO_RESOURCE_COUNT; wanted += 1) {
      const last = trades.of(given, wanted);
      if (last.length === 0 || given !== (give ?? given) || wanted !== (want ?? wanted)) continue;
      bodies.push({
        give: nameOf(given),
        want: nameOf(wanted),
        last: last.map(({ atMs, giveUnits, wantUnits }) => ({ at: isoText(atMs), giveUnits, wantUnits })),
      });
    }
  }
  return bodies;
}

function lotBody({ resource, units }: Lot): OfferBody['give'] {
  return { resource: nameOf(resource), units };
}

function nameOf(resource: number): OfferBody['give']['resource'] {
  const name = TRADED_RESOURCES[resource];
  if (name === undefined) throw new Error(`resource ${resource} cannot be traded`);
  return name;
}
