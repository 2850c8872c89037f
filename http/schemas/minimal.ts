// What commands answer with `Prefer: return=minimal`: what they created, when it ends, and the stocks that are left. Whatever
// else the whole reply shows, a client knows from its request or from an earlier read.
import { Type } from '../../persistence/typebox.js';
import { ResourceAmounts, shownId, text, timestamp } from './primitives.js';

/** Stocks of the planet after the command. */
const resources = ResourceAmounts;

export const StocksAfter = Type.Object(
  { resources },
  { description: 'Minimal reply to a command that creates nothing: a cancelled upgrade, a plan, a grant.' },
);

export const UpgradeStarted = Type.Object(
  {
    queueId: shownId('Identifies the upgrade in POST /api/building/cancel.'),
    finishAt: timestamp('When the level is reached.'),
    resources,
  },
  { description: 'Minimal reply to an upgrade.' },
);

/** It has no stocks: the cost is known from the catalogue, and orders are the most frequent commands. */
export const ShipsOrdered = Type.Object(
  { finishAt: timestamp('When the ships are delivered.') },
  { description: 'Minimal reply to an order of ships.' },
);

export const ResearchStarted = Type.Object(
  { finishAt: timestamp('When the level is reached.') },
  { description: 'Minimal reply to the start of research.' },
);

export const FleetLaunched = Type.Object(
  {
    fleetId: shownId('Fleet id.'),
    finishAt: timestamp('When the fleet reaches its target.'),
    resources,
  },
  { description: 'Minimal reply to a launch.' },
);

export const OfferMade = Type.Object(
  { offerId: shownId('Offer id.'), finishAt: timestamp('When the offer ends.'), resources },
  { description: 'Minimal reply to an offer.' },
);

export const GoodsSent = Type.Object(
  { finishAt: timestamp('When the goods arrive that the player receives.'), resources },
  { description: 'Minimal reply to taking an offer.' },
);

export const FleetRecalled = Type.Object(
  { finishAt: timestamp('When the fleet is back at its origin.') },
  { description: 'Minimal reply to a recall, and the reply to a dismissal.' },
);

export const MessageSent = Type.Object(
  { messageId: shownId('Message id.') },
  { description: 'Minimal reply to a message.' },
);

export const PlanetTaken = Type.Object(
  { planetId: shownId('Planet id.'), resources },
  { description: 'Minimal reply to a command that gives a player a planet.' },
);

export const PlayerCreated = Type.Object(
  {
    playerId: shownId('Player id.'),
    planetIds: Type.Array(Type.String(), {
      description: 'Planet ids of the player: of a new one its starter planet.',
    }),
    apiKey: Type.Optional(text('With --auth key: returned once, when the player is created. Only its hash is stored.')),
  },
  { description: 'Minimal reply to the creation of a player.' },
);
