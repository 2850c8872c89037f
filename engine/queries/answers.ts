// Lists what a player can answer to others now: proposals of pacts, and open offers that one of its planets can take. The checks are those of
// the commands.

import { refuseAcceptance, refuseAnswer } from '../diplomacy/pacts.js';
import { type Legs, possibleTrade } from '../market/trades.js';
import { refuseSuspended } from '../planets/planets.js';
import type { CompiledMarket } from '../rules/parts.js';
import { isRefusal } from '../terms/rejections.js';
import type { ReadonlyOffer, ReadonlyPact, ReadonlyPlanet, ReadonlyWorld } from '../world/state.js';

/** A proposal that a player has received. */
export interface AnswerableProposal {
  readonly pact: ReadonlyPact;
  /** False if the player can only decline it, since it has too many pacts. */
  readonly canAccept: boolean;
}

/** An offer that a planet can take. */
export interface TakeableOffer {
  readonly offer: ReadonlyOffer;
  readonly legs: Legs;
}

/** Which offers are listed, and how many are looked at for that. */
export interface OfferCounts {
  readonly most: number;
  readonly lookedAtMax: number;
}

/** The proposals that a player can answer, the oldest first. */
export function answerableProposals(world: ReadonlyWorld, playerNumber: number): AnswerableProposal[] {
  return world.pacts
    .of(playerNumber)
    .filter(({ number }) => refuseAnswer(world, playerNumber, number) === null)
    .map((pact) => ({ pact, canAccept: refuseAcceptance(world, playerNumber, pact.number) === null }));
}

/**
 * Offers that a planet can take: first those to its owner alone, the newest first, then those of its galaxy to everybody, the most value for
 * what they want first.
 *
 * @param nowMs world time; that of the world, or later if nothing is due before
 */
export function takeableOffers(
  world: ReadonlyWorld,
  planet: ReadonlyPlanet,
  nowMs: number,
  { most, lookedAtMax }: OfferCounts,
): TakeableOffer[] {
  const { market } = world.rules;
  const { ownerNumber, key } = planet;
  if (market === null || world.offers.size === 0 || refuseSuspended(world, ownerNumber) !== null) return [];
  const { galaxy } = world.universe.positionOf(key);
  const book = bestOffers(world, market, galaxy, ownerNumber, lookedAtMax);
  const found: TakeableOffer[] = [];
  const toOwner = world.offers.addressedTo(ownerNumber).slice(-lookedAtMax).reverse();
  for (const offer of [...toOwner, ...book].slice(0, lookedAtMax)) {
    if (found.length >= most) break;
    const legs = possibleTrade(world, market, offer, planet, nowMs);
    if (!isRefusal(legs)) found.push({ offer, legs });
  }
  return found;
}

/** Offers of a galaxy to everybody that others than a player made. Of equal ones the oldest is first. */
function bestOffers(
  world: ReadonlyWorld,
  market: CompiledMarket,
  galaxy: number,
  ownerNumber: number,
  countMax: number,
): ReadonlyOffer[] {
  let best: PricedOffer[] = [];
  for (const offer of world.offers.inGalaxy(galaxy)) {
    if (offer.toNumber !== 0 || offer.ownerNumber === ownerNumber) continue;
    best.push({ offer, price: relativePrice(market, offer) });
    // A large market is not sorted as a whole.
    if (best.length === 2 * countMax) best = best.sort(byPrice).slice(0, countMax);
  }
  return best.sort(byPrice).map(({ offer }) => offer);
}

interface PricedOffer {
  readonly offer: ReadonlyOffer;
  readonly price: number;
}

function byPrice(one: PricedOffer, other: PricedOffer): number {
  return one.price - other.price || one.offer.number - other.offer.number;
}

/** The value of what an offer wants for each value that it gives. */
function relativePrice({ values }: CompiledMarket, { give, want }: ReadonlyOffer): number {
  const [given, wanted] = [give, want].map(({ resource, units }) => units * (values[resource] as number));
  return (wanted as number) / (given as number);
}
