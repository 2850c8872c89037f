// What players do who deal with each other: they answer proposals of pacts, take offers that they can pay, and make offers and
// proposals that others can accept. So offers hold stocks, goods travel and pacts are in force while processes crash.

import type { WorldCommand } from '../../engine/commands/table.js';
import { hasPact } from '../../engine/diplomacy/pacts.js';
import { possibleTrade } from '../../engine/market/trades.js';
import { stockUnits } from '../../engine/planets/stocks.js';
import type { CompiledMarket, CompiledPacts } from '../../engine/rules/parts.js';
import { CARGO_RESOURCE_COUNT, H2 } from '../../engine/rules/resources.js';
import { PACT_KINDS } from '../../engine/terms/pacts.js';
import { isRefusal } from '../../engine/terms/rejections.js';
import type { ReadonlyPlanet, ReadonlyWorld } from '../../engine/world/state.js';
import { durationMs } from '../../engine/world/timer-queue.js';
import type { Draws } from '../support/process/draws.js';

/** Units of each side of an offer are at most this many, so that planets can pay them often. */
const UNITS_MAX = 500;
/** What an offer puts aside for the way. */
const H2_MAX = 1_000;

/** The next deal of somebody; undefined if the rules have no market and no pacts, or nobody has anything to deal with. */
export function chooseDeal(world: ReadonlyWorld, draws: Draws): WorldCommand | undefined {
  const { market, pacts } = world.rules;
  const isAboutPacts = market === null || draws.oneIn(3);
  if (isAboutPacts) return pacts === null ? undefined : (answerOf(world, draws) ?? proposalOf(world, pacts, draws));
  return (draws.oneIn(4) ? undefined : takingOf(world, market, draws)) ?? offerOf(world, market, draws);
}

/** An answer to one of the proposals that wait for it. */
function answerOf(world: ReadonlyWorld, draws: Draws): WorldCommand | undefined {
  const proposals = [...world.pacts.values()].filter(({ isInForce }) => !isInForce);
  if (proposals.length === 0) return undefined;
  const { number: pactNumber, partnerNumber: playerNumber } = draws.pick(proposals);
  return { type: draws.oneIn(6) ? 'decline_pact' : 'accept_pact', playerNumber, pactNumber };
}

function proposalOf(world: ReadonlyWorld, { durationMsMax, noticeMs }: CompiledPacts, draws: Draws) {
  const numbers = [...world.players.values()].map(({ number }) => number);
  const kind = draws.below(PACT_KINDS.length);
  const playerNumber = draws.pick(numbers);
  const partners = numbers.filter((number) => number !== playerNumber && !hasPact(world, kind, playerNumber, number));
  if (partners.length === 0) return undefined;
  const [shortestMs, longestMs] = [durationMs(world, noticeMs), durationMs(world, durationMsMax)];
  return {
    type: 'propose_pact',
    playerNumber,
    partnerNumber: draws.pick(partners),
    kind,
    durationMs: draws.between(shortestMs, longestMs),
  } as const;
}

/** A take of one of the offers that somebody can pay now. */
function takingOf(world: ReadonlyWorld, market: CompiledMarket, draws: Draws): WorldCommand | undefined {
  const offers = [...world.players.values()].flatMap(({ number }) => world.offers.of(number));
  const takings = offers.flatMap((offer) =>
    [...world.planets.values()]
      .filter(({ ownerNumber }) => offer.toNumber === 0 || offer.toNumber === ownerNumber)
      .filter((planet) => !isRefusal(possibleTrade(world, market, offer, planet, world.nowMs)))
      .map(({ ownerNumber, key }): WorldCommand => {
        return { type: 'take_offer', playerNumber: ownerNumber, offerNumber: offer.number, planetKey: key };
      }),
  );
  return takings.length === 0 ? undefined : draws.pick(takings);
}

/** An offer at the price that the rules name: nobody receives a gift. */
function offerOf(world: ReadonlyWorld, { values, offersPerPlayer }: CompiledMarket, draws: Draws) {
  const makers = [...world.planets.values()].filter((planet) => {
    if (world.offers.of(planet.ownerNumber).length >= offersPerPlayer) return false;
    return unitsOf(world, planet, H2) >= H2_MAX && spareOf(world, planet).length > 0;
  });
  if (makers.length === 0) return undefined;
  const planet = draws.pick(makers);
  const given = draws.pick(spareOf(world, planet));
  const wanted = draws.pick(SHIPPABLE.filter((resource) => resource !== given));
  const [giveValue, wantValue] = [values[given] as number, values[wanted] as number];
  const giveUnits = draws.between(1, Math.min(UNITS_MAX, unitsOf(world, planet, given)));
  const others = [...world.players.values()]
    .map(({ number }) => number)
    .filter((number) => number !== planet.ownerNumber);
  return {
    type: 'make_offer',
    playerNumber: planet.ownerNumber,
    planetKey: planet.key,
    giveResource: given,
    giveUnits,
    wantResource: wanted,
    wantUnits: Math.max(1, Math.floor((giveUnits * giveValue) / wantValue)),
    h2Max: H2_MAX,
    toNumber: others.length > 0 && draws.oneIn(3) ? draws.pick(others) : null,
    lastsMs: null,
  } as const;
}

const SHIPPABLE = Array.from({ length: CARGO_RESOURCE_COUNT }, (_, resource) => resource);

/** What a planet can give. It keeps its h2 for the way. */
const spareOf = (world: ReadonlyWorld, planet: ReadonlyPlanet): number[] =>
  SHIPPABLE.filter((resource) => resource !== H2 && unitsOf(world, planet, resource) > 0);

const unitsOf = (world: ReadonlyWorld, planet: ReadonlyPlanet, resource: number): number =>
  stockUnits(world, planet, resource, world.nowMs);
