// Trades, under rules with `market`: a player takes an offer, both sides send what they give, and it arrives. What a side receives beyond the
// value of what it gives is a gift, and counts to what its planet takes from other players (fleets/deliveries.ts). So no account can feed
// another one by trades, and no trade changes what anything is worth.

import { countDelivery, deliverableUnits } from '../fleets/deliveries.js';
import type { PlanetKey } from '../map/universe.js';
import { multiplyDivideCeil } from '../numbers/arithmetic.js';
import { cargoOf, closeOffer, costOf, giveBack, offerFieldsOf, returnOffer } from '../planets/offers.js';
import { deposit, refuseIfUnaffordable, spend, stockUnits } from '../planets/stocks.js';
import { GOODS_PER_PLAYER_MAX } from '../rules/limits.js';
import type { CompiledMarket } from '../rules/parts.js';
import { H2 } from '../rules/resources.js';
import { planetId } from '../terms/ids.js';
import type { Lot } from '../terms/lots.js';
import { isRefusal, type Refusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import { type Goods, goodsId, type Offer } from '../world/market-tables.js';
import type { Planet } from '../world/planet-table.js';
import {
  type ReadonlyGoods,
  type ReadonlyOffer,
  type ReadonlyPlanet,
  type ReadonlyPlayer,
  type ReadonlyWorld,
  scheduleTimer,
  touchPlanet,
  type World,
} from '../world/state.js';
import { TIMER_KINDS } from '../world/timer-queue.js';
import { type Leg, legOf } from './legs.js';

/** How both sides send what they give. */
export interface Legs {
  /** Of what the offer gives. */
  readonly ofMaker: Leg;
  /** Of what it wants. */
  readonly ofTaker: Leg;
}

/** A trade that was agreed, as its taker sees it. */
export interface AgreedTrade {
  readonly offer: ReadonlyOffer;
  /** What it receives. */
  readonly received: ReadonlyGoods;
  /** Units that it has paid for the way of what it sends. */
  readonly h2Cost: number;
}

/**
 * Returns how the goods of a trade travel, or the refusal of the trade.
 *
 * @param planet of the taker
 * @param nowMs world time; that of the world, or later if nothing is due before
 */
export function possibleTrade(
  world: ReadonlyWorld,
  market: CompiledMarket,
  offer: ReadonlyOffer,
  planet: ReadonlyPlanet,
  nowMs: number,
): Legs | Refusal {
  const makerPlanet = world.planets.get(offer.planetKey);
  if (makerPlanet === undefined) throw new Error(`offer ${offer.number} has no planet`);
  for (const { ownerNumber } of [planet, makerPlanet]) {
    if (world.goods.of(ownerNumber).length >= GOODS_PER_PLAYER_MAX)
      return refuseAtLimit('GOODS_PER_PLAYER_MAX', GOODS_PER_PLAYER_MAX);
  }
  if (planet.ownerNumber === offer.ownerNumber)
    return refuse('trade_not_possible', { reason: 'Nobody trades with itself.' });
  const legs = possibleLegs(world, market, offer, makerPlanet, planet, nowMs);
  if (isRefusal(legs)) return legs;
  return (
    refuseIfUnaffordable(world, planet, costOf(offer.want, legs.ofTaker.h2Cost), nowMs) ??
    refuseGift(world, planet, giftUnits(market, offer.give, offer.want), nowMs) ??
    refuseGift(world, makerPlanet, giftUnits(market, offer.want, offer.give), nowMs) ??
    legs
  );
}

function possibleLegs(
  world: ReadonlyWorld,
  market: CompiledMarket,
  { give, want, h2Max }: ReadonlyOffer,
  makerPlanet: ReadonlyPlanet,
  planet: ReadonlyPlanet,
  nowMs: number,
): Legs | Refusal {
  const ofMaker = makerLeg(world, market, makerPlanet, planet.key, give, h2Max);
  if (isRefusal(ofMaker)) return ofMaker;
  const h2Left = stockUnits(world, planet, H2, nowMs) - (want.resource === H2 ? want.units : 0);
  const ofTaker = legOf(world, market, planet.owner, planet.key, makerPlanet.key, want, h2Left);
  if (ofTaker === null) return refuse('no_drive_available');
  const short = ofTaker.h2Cost - h2Left;
  return short > 0 ? refuse('insufficient_h2', { missing: { h2: short } }) : { ofMaker, ofTaker };
}

/** How what an offer gives travels to a planet, or the refusal if the maker has no drive for it or has put aside too little. */
function makerLeg(
  world: ReadonlyWorld,
  market: CompiledMarket,
  makerPlanet: ReadonlyPlanet,
  toKey: PlanetKey,
  give: Lot,
  h2Max: number,
): Leg | Refusal {
  const leg = legOf(world, market, makerPlanet.owner, makerPlanet.key, toKey, give, h2Max);
  if (leg === null)
    return refuse('offer_out_of_reach', { reason: 'The maker of the offer has no drive that flies this far.' });
  if (leg.h2Cost <= h2Max) return leg;
  const reason = `The maker of the offer has put aside ${h2Max} h2 for the way, and it takes ${leg.h2Cost}.`;
  return refuse('offer_out_of_reach', { reason });
}

/** Returns the refusal of an offer to a player none of whose planets it reaches; else null. Planets that the player settles later do not count. */
export function refuseUnreachable(
  world: ReadonlyWorld,
  market: CompiledMarket,
  makerPlanet: ReadonlyPlanet,
  addressee: ReadonlyPlayer,
  { give, h2Max }: Pick<ReadonlyOffer, 'give' | 'h2Max'>,
): Refusal | null {
  let refusal: Refusal | null = null;
  for (let planet = addressee.firstPlanet; planet !== undefined; planet = planet.next) {
    const leg = makerLeg(world, market, makerPlanet, planet.key, give, h2Max);
    if (!isRefusal(leg)) return null;
    refusal ??= leg;
  }
  return refusal;
}

/** Units of what a side receives beyond the value of what it gives; 0 if there are none. */
export function giftUnits({ values }: CompiledMarket, received: Lot, given: Lot): number {
  const valueOfUnit = values[received.resource] as number;
  const excess = received.units * valueOfUnit - given.units * (values[given.resource] as number);
  return excess <= 0 ? 0 : multiplyDivideCeil(excess, 1, valueOfUnit);
}

function refuseGift(world: ReadonlyWorld, planet: ReadonlyPlanet, units: number, nowMs: number): Refusal | null {
  if (units === 0) return null;
  const left = deliverableUnits(world, planet, nowMs);
  if (units <= left) return null;
  const id = planetId(world.universe, planet.key);
  const reason = `${id} would receive ${units} units beyond the value of what it gives, and takes ${left} from other players now.`;
  return refuse('deliveries_used_up', { reason });
}

/** Carries out a trade that is possible: the taker pays, and both sides send what they give. */
export function trade(world: World, market: CompiledMarket, offer: Offer, planet: Planet, legs: Legs): AgreedTrade {
  const { nowMs } = world;
  const { number, give, want } = offer;
  const makerPlanet = world.planets.get(offer.planetKey) as Planet;
  const { ofMaker, ofTaker } = legs;
  closeOffer(world, offer);
  spend(world, planet, costOf(want, ofTaker.h2Cost), nowMs);
  // What the maker has put aside for a longer way was not sold.
  giveBack(world, makerPlanet, cargoOf({ resource: H2, units: offer.h2Max - ofMaker.h2Cost }));
  countDelivery(world, planet, giftUnits(market, give, want));
  countDelivery(world, makerPlanet, giftUnits(market, want, give));
  for (const changed of [planet, makerPlanet]) touchPlanet(world, changed);
  world.trades.add(give.resource, want.resource, {
    offerNumber: number,
    atMs: nowMs,
    giveUnits: give.units,
    wantUnits: want.units,
  });
  const received = send(world, offer, give, makerPlanet, planet, ofMaker);
  send(world, offer, want, planet, makerPlanet, ofTaker);
  recordTrade(world, offer, planet, legs);
  return { offer, received, h2Cost: ofTaker.h2Cost };
}

function send(world: World, offer: Offer, lot: Lot, from: Planet, to: Planet, { flightMs }: Leg): Goods {
  const arrivesAtMs = world.nowMs + flightMs;
  const goods = world.goods.add({
    offerNumber: offer.number,
    isForMaker: to.ownerNumber === offer.ownerNumber,
    ownerNumber: to.ownerNumber,
    toKey: to.key,
    senderNumber: from.ownerNumber,
    fromKey: from.key,
    lot,
    sentAtMs: world.nowMs,
    arrivesAtMs,
  });
  goods.timer = scheduleTimer(world, arrivesAtMs, TIMER_KINDS.goods_arrive, goodsId(goods));
  return goods;
}

function recordTrade(world: World, offer: Offer, planet: Planet, { ofMaker, ofTaker }: Legs): void {
  const { nowMs } = world;
  const { number: offerNumber, ownerNumber: makerNumber, planetKey, give, want } = offer;
  const sides = [
    { playerNumber: makerNumber, sends: ofMaker, receives: ofTaker },
    { playerNumber: planet.ownerNumber, sends: ofTaker, receives: ofMaker },
  ];
  for (const { playerNumber, sends, receives } of sides) {
    world.events.push({
      kind: 'offer_taken',
      ...offerFieldsOf(world, offer, playerNumber),
      takerNumber: planet.ownerNumber,
      takerPlanetKey: planet.key,
      give,
      want,
      h2Cost: sends.h2Cost,
      arrivesAtMs: nowMs + receives.flightMs,
    });
  }
  world.events.push({
    kind: 'trade_agreed',
    atMs: nowMs,
    playerNumber: planet.ownerNumber,
    offerNumber,
    planetKey: planet.key,
    partnerNumber: makerNumber,
    partnerPlanetKey: planetKey,
    give,
    want,
  });
}

/** Goods have reached the planet of the player who has traded for them. */
export function arriveGoods(world: World, id: number): void {
  const goods = world.goods.get(id);
  const planet = goods === undefined ? undefined : world.planets.get(goods.toKey);
  if (goods === undefined || planet === undefined) throw new Error(`goods ${id} arrive nowhere`);
  world.goods.remove(goods);
  deposit(world, planet, cargoOf(goods.lot), world.nowMs);
  touchPlanet(world, planet);
  world.events.push({
    kind: 'goods_arrived',
    atMs: world.nowMs,
    playerNumber: goods.ownerNumber,
    offerNumber: goods.offerNumber,
    planetKey: planet.key,
    partnerNumber: goods.senderNumber,
    goods: goods.lot,
  });
}

/**
 * Ends all trade of a player who is retired: what its offers and the goods on their way to it hold is lost. Offers that only this player
 * could take end as if they had expired.
 */
export function endTradesOf(world: World, playerNumber: number): void {
  // The lists change meanwhile.
  for (const offer of [...world.offers.of(playerNumber)]) closeOffer(world, offer);
  for (const offer of [...world.offers.addressedTo(playerNumber)]) returnOffer(world, offer, 'addressee_retired');
  for (const goods of [...world.goods.of(playerNumber)]) {
    world.timers.cancel(goods.timer);
    world.goods.remove(goods);
  }
}
