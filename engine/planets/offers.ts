// Open offers, under rules with `market`: how they are made, and how they end if nobody takes them. What an offer holds has left the planet,
// and cannot be spent. Attackers and pirates count it, and end the oldest offers if the stocks hold too little. Of what is not sold a part is
// lost, however an offer ends, so nobody gains if an offer ends early.

import type { OfferEnd } from '../events/fields.js';
import { multiplyDivideFloor } from '../numbers/arithmetic.js';
import { STOCK_UNITS_MAX } from '../rules/limits.js';
import { type Amounts, CARGO_RESOURCE_COUNT, H2 } from '../rules/resources.js';
import type { Lot } from '../terms/lots.js';
import type { Offer } from '../world/market-tables.js';
import type { Planet } from '../world/planet-table.js';
import {
  type ReadonlyOffer,
  type ReadonlyPlanet,
  type ReadonlyWorld,
  scheduleTimer,
  touchPlanet,
  touchPlayer,
  type World,
} from '../world/state.js';
import { NO_TIMER, TIMER_KINDS } from '../world/timer-queue.js';
import { deposit, shippableUnits, spend, stockUnits } from './stocks.js';

/** Units by shippable resource. */
export function cargoOf({ resource, units }: Lot): number[] {
  return Array.from({ length: CARGO_RESOURCE_COUNT }, (_, other) => (other === resource ? units : 0));
}

/** What leaves a planet with an offer, or with goods: the lot and the h2 for its way. */
export function costOf(lot: Lot, h2: number): Amounts {
  const [iron, silver, ember, h2Units] = cargoOf(lot) as [number, number, number, number];
  return [iron, silver, ember, h2Units + h2, 0];
}

/** Whether a player may see an offer, and take it. */
export function isOpenTo({ ownerNumber, toNumber }: ReadonlyOffer, playerNumber: number): boolean {
  return toNumber === 0 || toNumber === playerNumber || ownerNumber === playerNumber;
}

/** Opens an offer that the planet can pay for. */
export function openOffer(
  world: World,
  planet: Planet,
  terms: Pick<Offer, 'give' | 'want' | 'h2Max' | 'toNumber' | 'untilMs'>,
): Offer {
  const { nowMs } = world;
  const { ownerNumber, key: planetKey } = planet;
  spend(world, planet, costOf(terms.give, terms.h2Max), nowMs);
  const offer = world.offers.add({ ...terms, number: world.lastTimerId + 1, ownerNumber, planetKey, madeAtMs: nowMs });
  offer.timer = scheduleTimer(world, offer.untilMs, TIMER_KINDS.offer_end, offer.number);
  touchPlanet(world, planet);
  for (const playerNumber of partiesOf(offer)) {
    world.events.push({
      kind: 'offer_made',
      ...offerFieldsOf(world, offer, playerNumber),
      give: offer.give,
      want: offer.want,
      h2Max: offer.h2Max,
      untilMs: offer.untilMs,
    });
  }
  return offer;
}

/** Its time is up. */
export function expireOffer(world: World, number: number): void {
  const offer = world.offers.get(number);
  if (offer === undefined) throw new Error(`offer ${number} ended without its timer`);
  offer.timer = NO_TIMER;
  returnOffer(world, offer, 'expired');
}

/** Ends an offer that nobody has taken. @returns what is on the planet again */
export function returnOffer(world: World, offer: Offer, reason: OfferEnd): readonly number[] {
  closeOffer(world, offer);
  const planet = world.planets.get(offer.planetKey);
  if (planet === undefined) throw new Error(`offer ${offer.number} has no planet`);
  const returned = giveBack(world, planet, heldBy(offer));
  touchPlanet(world, planet);
  for (const playerNumber of partiesOf(offer)) {
    world.events.push({ kind: 'offer_ended', ...offerFieldsOf(world, offer, playerNumber), reason, returned });
  }
  return returned;
}

/** Puts what was offered and not sold back on its planet, all but a part. @returns what is on the planet again, by shippable resource */
export function giveBack(world: World, planet: Planet, unsold: readonly number[]): readonly number[] {
  const returned = unsold.map((units) => keptOf(world, units));
  deposit(world, planet, returned, world.nowMs);
  return returned;
}

/** Units that come back of those that were not sold. */
function keptOf({ rules }: ReadonlyWorld, units: number): number {
  return multiplyDivideFloor(units, 100 - (rules.market?.unsoldPercent ?? 0), 100);
}

/** Units that an offer holds, by shippable resource. */
function heldBy({ give, h2Max }: ReadonlyOffer): number[] {
  return cargoOf(give).map((units, resource) => units + (resource === H2 ? h2Max : 0));
}

/** Units of each shippable resource that somebody can take from a planet by force: its stocks, and what its open offers would give back. */
export function takeableUnits(world: ReadonlyWorld, planet: ReadonlyPlanet): number[] {
  const takeable = shippableUnits(world, planet, world.nowMs);
  for (const offer of world.offers.of(planet.ownerNumber)) {
    if (offer.planetKey !== planet.key) continue;
    for (const [resource, units] of heldBy(offer).entries())
      takeable[resource] = Math.min((takeable[resource] as number) + keptOf(world, units), STOCK_UNITS_MAX);
  }
  return takeable;
}

/**
 * Takes units from a planet by force. As long as its stocks hold less of a resource, its oldest offer that holds some ends.
 *
 * @param units by shippable resource, at most takeableUnits()
 */
export function takeByForce(world: World, planet: Planet, units: readonly number[]): void {
  for (const [resource, count] of units.entries()) {
    // A list of its own, since offers end meanwhile.
    for (const offer of world.offers.of(planet.ownerNumber).filter(({ planetKey }) => planetKey === planet.key)) {
      if (stockUnits(world, planet, resource, world.nowMs) >= count) break;
      if (keptOf(world, heldBy(offer)[resource] as number) > 0) returnOffer(world, offer, 'raided');
    }
  }
  const taken = units.map((count) => -count);
  deposit(world, planet, taken, world.nowMs);
}

/** Removes an offer. The caller has moved what it holds, or counts it as lost. */
export function closeOffer(world: World, offer: Offer): void {
  if (offer.timer !== NO_TIMER) world.timers.cancel(offer.timer);
  world.offers.remove(offer);
  const addressee = world.players.get(offer.toNumber);
  if (addressee !== undefined) touchPlayer(world, addressee);
}

/** The fields that the events of an offer begin with. */
export function offerFieldsOf(world: World, { number, ownerNumber, planetKey }: Offer, playerNumber: number) {
  return { atMs: world.nowMs, playerNumber, offerNumber: number, makerNumber: ownerNumber, planetKey };
}

/** Who is told of an open offer: its maker, and whom it is for. */
function partiesOf({ ownerNumber, toNumber }: Offer): number[] {
  return toNumber === 0 ? [ownerNumber] : [ownerNumber, toNumber];
}
