// Schemas of the market: offers, goods under way, and prices.
import type { Static } from 'typebox';
import { RESOURCES } from '../../engine/rules/resources.js';
import { Type } from '../../persistence/typebox.js';
import { CargoAmounts, count, listOf, oneOf, orNull, shownId, timestamp } from './primitives.js';

export const TRADED_RESOURCES = RESOURCES.filter((name) => name !== 'energy');
const resource = oneOf([...TRADED_RESOURCES], 'A resource that can be shipped.');

export const Lot = Type.Object({ resource, units: count('Units.') }, { description: 'Units of one resource.' });

export const Offer = Type.Object({
  id: shownId('Offer id.'),
  playerId: shownId('The player who made it.'),
  planetId: shownId('The planet that gives the goods, and receives those that it wants.'),
  give: Lot,
  want: Lot,
  price: Type.Number({ description: 'Units that it wants for each unit that it gives.' }),
  h2Max: count('Units of h2 that the way of the goods to whoever takes it may cost.'),
  toPlayerId: orNull(shownId('Player id.'), 'The only player who can take it; null for everybody.'),
  madeAt: timestamp('When it was made.'),
  until: timestamp('When it ends.'),
});

export const Goods = Type.Object({
  offerId: shownId('The offer that was taken.'),
  partnerId: shownId('The player who sends them.'),
  originPlanetId: shownId('Where they come from.'),
  planetId: shownId('Where they arrive.'),
  goods: Lot,
  sentAt: timestamp('When they set out.'),
  arrivesAt: timestamp('When they arrive.'),
});

export const AgreedTrade = Type.Object(
  { goods: Goods, h2Cost: count('Units of h2 that the planet has paid for the way of what it sends.') },
  { description: 'What the player receives.' },
);

export const WithdrawnOffer = Type.Object({ offerId: shownId('Offer id.'), returned: CargoAmounts });

export const PlayerMarket = Type.Object({
  offers: listOf(Offer, 'Open offers of the player, the oldest first.'),
  offersToPlayer: listOf(Offer, 'Open offers of others that only this player can take, the newest first.'),
  nextCursor: orNull(Type.String(), 'The `cursor` of the next reply; null if no more offers are to the player.'),
  goods: listOf(Goods, 'Goods on their way to the player.'),
});

export const Market = Type.Object({
  offers: listOf(Offer, 'By the resources given and wanted; of each pair the lowest price first.'),
  nextCursor: orNull(Type.String(), 'The `cursor` of the next reply; null if there are no more offers.'),
  trades: listOf(
    Type.Object({
      give: resource,
      want: resource,
      last: listOf(
        Type.Object({
          at: timestamp('When it was agreed.'),
          giveUnits: count('Units given.'),
          wantUnits: count('Units paid.'),
        }),
        'The oldest first.',
      ),
    }),
    'The last trades of the world, of each pair of resources that was traded.',
  ),
});

export type OfferBody = Static<typeof Offer>;
export type GoodsBody = Static<typeof Goods>;
export type MarketBody = Static<typeof Market>;
export type PlayerMarketBody = Static<typeof PlayerMarket>;
