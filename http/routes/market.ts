// The market: players trade resources, each offer for one planet that takes it.

import { type BookPlace, inBook, orderBook } from '../../engine/queries/order-book.js';
import { offerId, parseOfferId, parsePlanetId, parsePlayerId } from '../../engine/terms/ids.js';
import { refuse } from '../../engine/terms/rejections.js';
import type { ReadonlyOffer } from '../../engine/world/state.js';
import type { GamePorts } from '../game/game-ports.js';
import { OFFERS_PER_REPLY_MAX } from '../limits.js';
import { commandRoute, type HandledRoute, oneOf, type ParameterRule, readRoute } from '../pipeline/route.js';
import { AgreedTrade, Market, Offer, PlayerMarket, TRADED_RESOURCES, WithdrawnOffer } from '../schemas/market.js';
import { GoodsSent, OfferMade, StocksAfter } from '../schemas/minimal.js';
import { OfferRequest, TakeOfferRequest, WithdrawOfferRequest } from '../schemas/requests.js';
import { goodsBody, offerBody, playerMarketBody, resourceOf, tradesBody } from '../views/market-view.js';
import { cargoAmounts } from '../views/ships.js';
import {
  cursorForm,
  GALAXY_PARAMETER,
  PLAYER_PARAMETER,
  planetWithOwner,
  playerNumberOf,
  playerOfBody,
  stocksReply,
} from './route-parts.js';

const OFFER_PARAMETER: ParameterRule = { name: 'offerId', description: 'Offer id.' };

const makeOffer = commandRoute({
  operationId: 'makeOffer',
  path: '/api/market/offer',
  tag: 'market',
  summary: 'Offers units of a resource for units of another one.',
  description:
    'What it gives, and `h2Max` for its way, leave the planet at once and cannot be spent. It loses `unsoldPercent` (`market` in the rules) of what it ' +
    'does not sell, the rest of `h2Max` included. Attackers and pirates take a share of what it holds, too; if the stocks are too low for that, the oldest offers end. A fleet of carriers that flies to whoever takes it tells what `h2Max` must be (POST /api/fleet/simulate).',
  access: 'player',
  actor: playerOfBody,
  body: { schema: OfferRequest },
  replies: [{ status: 200, description: 'The offer.', schema: Offer }],
  errors: [
    'player_not_found',
    'planet_not_found',
    'not_owner',
    'limit_reached',
    'market_not_in_rules',
    'trade_not_possible',
    'offer_out_of_reach',
    'insufficient_resources',
  ],
  command({ world, access }, exchange, { playerId, planetId, give, want, h2Max, toPlayerId, seconds }) {
    const playerNumber = parsePlayerId(world, playerId);
    const toNumber = playerNumberOf(world, toPlayerId);
    const planetKey = parsePlanetId(world.universe, planetId);
    if (!access.authorizes(exchange, { actorNumber: playerNumber, planetKey, otherPlayerNumber: toNumber }))
      return null;
    return {
      type: 'make_offer',
      playerNumber,
      planetKey,
      giveResource: TRADED_RESOURCES.indexOf(give.resource),
      giveUnits: give.units,
      wantResource: TRADED_RESOURCES.indexOf(want.resource),
      wantUnits: want.units,
      h2Max,
      // The engine refuses a number that no player can have.
      toNumber: toNumber ?? null,
      lastsMs: seconds === undefined ? null : seconds * 1000,
    };
  },
  reply: ({ world }, offer) => JSON.stringify(offerBody(world, offer)),
  minimal: {
    schema: OfferMade,
    reply: ({ views, time, world }, offer) =>
      views.minimal.offer(offer, planetWithOwner(world, offer.planetKey), time.nowMs),
  },
});

const takeOffer = commandRoute({
  operationId: 'takeOffer',
  path: '/api/market/offer/:offerId/take',
  tag: 'market',
  summary: 'Takes an offer: the planet pays and receives.',
  description:
    'Both goods set out at once, in carriers of their senders that nobody has to build: with the fastest drive that the sender has researched and the h2 ' +
    'pays for, at the h2 of the flight there and back. Nobody can intercept them. What a side receives beyond the value of what it gives ' +
    '(`values` of `market` in the rules) counts as a delivery of others to its planet.',
  access: 'player',
  parameters: [OFFER_PARAMETER],
  actor: playerOfBody,
  body: { schema: TakeOfferRequest },
  replies: [{ status: 200, description: 'The goods that the player receives.', schema: AgreedTrade }],
  errors: [
    'player_not_found',
    'planet_not_found',
    'offer_not_found',
    'not_owner',
    'limit_reached',
    'market_not_in_rules',
    'trade_not_possible',
    'offer_out_of_reach',
    'no_drive_available',
    'insufficient_h2',
    'insufficient_resources',
    'deliveries_used_up',
  ],
  command({ world, access }, exchange, { playerId, planetId }) {
    const playerNumber = parsePlayerId(world, playerId);
    const planetKey = parsePlanetId(world.universe, planetId);
    const offerNumber = parseOfferId(exchange.parameters[0] as string);
    if (!access.authorizes(exchange, { actorNumber: playerNumber, planetKey, offerNumber })) return null;
    return { type: 'take_offer', playerNumber, offerNumber, planetKey };
  },
  reply: ({ world }, { received, h2Cost }) => JSON.stringify({ goods: goodsBody(world, received), h2Cost }),
  minimal: {
    schema: GoodsSent,
    reply: ({ views, time, world }, { received }) =>
      views.minimal.goods(received.arrivesAtMs, planetWithOwner(world, received.toKey), time.nowMs),
  },
});

const withdrawOffer = commandRoute({
  operationId: 'withdrawOffer',
  path: '/api/market/offer/:offerId/withdraw',
  tag: 'market',
  summary: 'Ends an offer of the player.',
  description: 'The planet gets back what it gave, all but the `unsoldPercent` of `market` in the rules.',
  access: 'player',
  parameters: [OFFER_PARAMETER],
  actor: playerOfBody,
  body: { schema: WithdrawOfferRequest },
  replies: [{ status: 200, description: 'What is on the planet again.', schema: WithdrawnOffer }],
  errors: ['player_not_found', 'offer_not_found', 'not_owner', 'market_not_in_rules'],
  command({ world, access }, exchange, { playerId }) {
    const playerNumber = parsePlayerId(world, playerId);
    const offerNumber = parseOfferId(exchange.parameters[0] as string);
    if (!access.authorizes(exchange, { actorNumber: playerNumber, offerNumber, ownOfferNumber: offerNumber }))
      return null;
    return { type: 'withdraw_offer', playerNumber, offerNumber };
  },
  reply: (_ports, { offer, returned }) =>
    JSON.stringify({ offerId: offerId(offer.number), returned: cargoAmounts(returned) }),
  minimal: {
    schema: StocksAfter,
    reply: (ports, { offer }) => stocksReply(ports, planetWithOwner(ports.world, offer.planetKey)),
  },
});

/** @param what says what is counted */
const limitParameter = (what: string): ParameterRule => ({
  name: 'limit',
  description: `How many ${what} are returned at most; ${OFFERS_PER_REPLY_MAX} by default.`,
  example: 10,
  minimum: 1,
  maximum: OFFERS_PER_REPLY_MAX,
});

const CURSOR_DESCRIPTION = 'The `nextCursor` of the reply before.';

const getPlayerMarket = readRoute({
  operationId: 'getPlayerMarket',
  path: '/api/market/player/:playerId',
  tag: 'market',
  summary: 'Returns offers of a player and to it alone, and goods on their way to it.',
  description: 'An offer to one player is shown to nobody else.',
  access: 'player',
  parameters: [PLAYER_PARAMETER],
  query: [
    { name: 'cursor', description: CURSOR_DESCRIPTION, example: '7', form: cursorForm(/^\d{1,15}$/) },
    limitParameter('offers to the player'),
  ],
  replies: [{ status: 200, description: 'What the player trades.', schema: PlayerMarket }],
  errors: ['not_owner', 'player_not_found', 'market_not_in_rules'],
  handle({ world, access, replies, time }, exchange) {
    const player = access.ownPlayer(exchange, parsePlayerId(world, exchange.parameters[0] as string));
    if (player === null) return;
    if (world.rules.market === null) {
      replies.refuseAs(exchange, refuse('market_not_in_rules'));
      return;
    }
    const [cursor = null, limit = null] = exchange.queryValues;
    const before = cursor === null ? null : Number(cursor);
    const body = playerMarketBody(world, player.number, before, Number(limit ?? OFFERS_PER_REPLY_MAX));
    replies.answerContent(exchange, time.lastSeq, JSON.stringify(body));
  },
});

/** Resources, units and number of the last offer of the reply before. */
const CURSOR = cursorForm(/^[0-3]-\d{1,10}-[0-3]-\d{1,10}-\d{1,15}$/);

const resourceParameter = (name: string, description: string): ParameterRule => ({
  name,
  description,
  example: name === 'give' ? 'iron' : 'silver',
  form: oneOf(...TRADED_RESOURCES),
});

const getMarket = readRoute({
  operationId: 'getMarket',
  path: '/api/market/galaxy/:galaxy',
  tag: 'market',
  summary: 'Returns the order book of a galaxy, and the last trades of the world.',
  description: 'Offers to one player are not in it.',
  access: 'public',
  cost: 5,
  parameters: [GALAXY_PARAMETER],
  query: [
    resourceParameter('give', 'The resource that offers give; by default any.'),
    resourceParameter('want', 'The resource that they want; by default any.'),
    { name: 'cursor', description: CURSOR_DESCRIPTION, example: '0-600-1-400-7', form: CURSOR },
    limitParameter('offers'),
  ],
  replies: [{ status: 200, description: 'Offers and trades.', schema: Market }],
  errors: ['market_not_in_rules'],
  isHeavy: true,
  handle({ world, replies, time }, exchange) {
    if (world.rules.market === null) {
      replies.refuseAs(exchange, refuse('market_not_in_rules'));
      return;
    }
    const [giveName = null, wantName = null, cursor = null, limit = null] = exchange.queryValues;
    const [give, want] = [resourceOf(giveName), resourceOf(wantName)];
    const after = cursor === null ? null : placeOf(cursor);
    const left = orderBook(world, { galaxy: Number(exchange.parameters[0]), give, want }).filter(
      (offer) => after === null || inBook(offer, after) > 0,
    );
    const shown = left.slice(0, Number(limit ?? OFFERS_PER_REPLY_MAX));
    const last = shown.at(-1);
    const body = {
      offers: shown.map((offer) => offerBody(world, offer)),
      nextCursor: last === undefined || shown.length === left.length ? null : cursorOf(last),
      trades: tradesBody(world, give, want),
    };
    replies.answerContent(exchange, time.lastSeq, JSON.stringify(body));
  },
});

function cursorOf({ give, want, number }: ReadonlyOffer): string {
  return [give.resource, give.units, want.resource, want.units, number].join('-');
}

function placeOf(cursor: string): BookPlace {
  const [giveResource = 0, giveUnits = 1, wantResource = 0, wantUnits = 1, number = 0] = cursor.split('-').map(Number);
  return {
    give: { resource: giveResource, units: giveUnits },
    want: { resource: wantResource, units: wantUnits },
    number,
  };
}

export const MARKET_ROUTES: readonly HandledRoute<GamePorts>[] = [
  makeOffer,
  takeOffer,
  withdrawOffer,
  getPlayerMarket,
  getMarket,
];
