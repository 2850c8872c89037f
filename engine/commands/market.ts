// The commands of the market: players make offers, take those of others, and withdraw their own.

import { countContact, refuseContact } from '../diplomacy/messages.js';
import { type AgreedTrade, possibleTrade, refuseUnreachable, trade } from '../market/trades.js';
import { costOf, isOpenTo, openOffer, returnOffer } from '../planets/offers.js';
import { refuseForeignOffer, refuseForeignPlanet, refuseSuspended } from '../planets/planets.js';
import { refuseIfUnaffordable } from '../planets/stocks.js';
import { OFFER_UNITS_MAX, WORLD_TIME_MS_MAX } from '../rules/limits.js';
import { CARGO_RESOURCE_COUNT } from '../rules/resources.js';
import { isRefusal, type Refusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import type { Offer } from '../world/market-tables.js';
import { recordActivity } from '../world/state.js';
import { durationMs } from '../world/timer-queue.js';
import { defineCommand } from './command.js';

/** An offer that was withdrawn, and what is on the planet again, by shippable resource. */
export interface WithdrawnOffer {
  readonly offer: Offer;
  readonly returned: readonly number[];
}

/** Offers units of a resource of a planet for units of another one. */
export const makeOffer = defineCommand({
  type: 'make_offer',
  code: 34,
  decode: (row) => ({
    type: 'make_offer',
    playerNumber: row.integer('player'),
    planetKey: row.integer('planet'),
    giveResource: row.integer('resource given', 0, CARGO_RESOURCE_COUNT - 1),
    giveUnits: row.integer('units given', 1, OFFER_UNITS_MAX),
    wantResource: row.integer('resource wanted', 0, CARGO_RESOURCE_COUNT - 1),
    wantUnits: row.integer('units wanted', 1, OFFER_UNITS_MAX),
    // Units that the way of the goods may cost.
    h2Max: row.integer('h2', 0, OFFER_UNITS_MAX),
    // The only player who may take it; null for everybody.
    toNumber: row.integerOrNull('addressee', 1),
    // World time; null: as long as the rules allow.
    lastsMs: row.integerOrNull('duration', 1, WORLD_TIME_MS_MAX),
  }),

  execute(world, command): Offer | Refusal {
    const { playerNumber, planetKey, toNumber, lastsMs, h2Max } = command;
    const addressee = toNumber === null ? null : world.players.get(toNumber);
    if (!world.players.has(playerNumber) || addressee === undefined) return refuse('player_not_found');
    if (!world.universe.holds(planetKey)) return refuse('planet_not_found');
    const planet = world.planets.get(planetKey);
    if (planet === undefined || planet.ownerNumber !== playerNumber)
      return refuseForeignPlanet(world, planetKey, playerNumber);
    const suspended = refuseSuspended(world, playerNumber);
    if (suspended !== null) return suspended;
    const { market } = world.rules;
    if (market === null) return refuse('market_not_in_rules');
    const { offersPerPlayer, offerMsMax } = market;
    if (world.offers.of(playerNumber).length >= offersPerPlayer)
      return refuseAtLimit('market.offersPerPlayer', offersPerPlayer);
    const lastsMaxMs = durationMs(world, offerMsMax);
    if ((lastsMs ?? 0) > lastsMaxMs) return refuseAtLimit('market.offerSecondsMax', Math.floor(lastsMaxMs / 1000));
    if (command.giveResource === command.wantResource)
      return refuse('trade_not_possible', { reason: 'An offer gives one resource and wants another.' });
    if (toNumber === playerNumber) return refuse('trade_not_possible', { reason: 'Nobody trades with itself.' });
    const give = { resource: command.giveResource, units: command.giveUnits };
    const want = { resource: command.wantResource, units: command.wantUnits };
    const refusal =
      (addressee === null ? null : refuseUnreachable(world, market, planet, addressee, { give, h2Max })) ??
      refuseIfUnaffordable(world, planet, costOf(give, h2Max), world.nowMs) ??
      (toNumber === null ? null : refuseContact(world, playerNumber, toNumber));
    if (refusal !== null) return refusal;
    // commit
    recordActivity(world, playerNumber);
    if (toNumber !== null) countContact(world, playerNumber, toNumber);
    const untilMs = world.nowMs + (lastsMs ?? lastsMaxMs);
    return openOffer(world, planet, { give, want, h2Max, toNumber: toNumber ?? 0, untilMs });
  },
});

/** Takes an offer: the planet pays what it wants, and receives what it gives. */
export const takeOffer = defineCommand({
  type: 'take_offer',
  code: 35,
  decode: (row) => ({
    type: 'take_offer',
    playerNumber: row.integer('player'),
    offerNumber: row.integer('offer'),
    planetKey: row.integer('planet'),
  }),

  execute(world, { playerNumber, offerNumber, planetKey }): AgreedTrade | Refusal {
    if (!world.players.has(playerNumber)) return refuse('player_not_found');
    if (!world.universe.holds(planetKey)) return refuse('planet_not_found');
    const { market } = world.rules;
    const offer = world.offers.get(offerNumber);
    const isOpen = offer !== undefined && isOpenTo(offer, playerNumber);
    if (market !== null && !isOpen) return refuse('offer_not_found');
    const planet = world.planets.get(planetKey);
    if (planet === undefined || planet.ownerNumber !== playerNumber)
      return refuseForeignPlanet(world, planetKey, playerNumber);
    const suspended = refuseSuspended(world, playerNumber);
    if (suspended !== null) return suspended;
    if (market === null || offer === undefined) return refuse('market_not_in_rules');
    const legs = possibleTrade(world, market, offer, planet, world.nowMs);
    if (isRefusal(legs)) return legs;
    // commit
    recordActivity(world, playerNumber);
    return trade(world, market, offer, planet, legs);
  },
});

/** Ends an offer of the player. */
export const withdrawOffer = defineCommand({
  type: 'withdraw_offer',
  code: 36,
  decode: (row) => ({
    type: 'withdraw_offer',
    playerNumber: row.integer('player'),
    offerNumber: row.integer('offer'),
  }),

  execute(world, { playerNumber, offerNumber }): WithdrawnOffer | Refusal {
    if (!world.players.has(playerNumber)) return refuse('player_not_found');
    const { market } = world.rules;
    const offer = world.offers.get(offerNumber);
    const isSeen = offer !== undefined && isOpenTo(offer, playerNumber);
    if (market !== null && !isSeen) return refuse('offer_not_found');
    if (offer !== undefined && offer.ownerNumber !== playerNumber)
      return refuseForeignOffer(world, offerNumber, playerNumber);
    const suspended = refuseSuspended(world, playerNumber);
    if (suspended !== null) return suspended;
    if (offer === undefined) return refuse('market_not_in_rules');
    // commit
    recordActivity(world, playerNumber);
    return { offer, returned: returnOffer(world, offer, 'withdrawn') };
  },
});
