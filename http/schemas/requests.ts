// The schemas of request bodies. Every object is closed, and every number, string and list is bounded; the process
// checks this when it starts.
import {
  MESSAGE_LENGTH_MAX,
  NAME_LENGTH_MAX,
  OFFER_UNITS_MAX,
  PLAN_LONGER_THAN_SECONDS_MAX,
  PLAN_STEPS_MAX,
  RESOURCE_UNITS_MAX,
  SHIP_ENTRIES_MAX,
  SHIPS_PER_ENTRY_MAX,
  SHIPS_PER_ORDER_MAX,
  SPEED_THOUSANDTHS_MAX,
  SPEED_THOUSANDTHS_MIN,
} from '../../engine/rules/limits.js';
import {
  ANNOUNCEMENT_LENGTH_MAX,
  BULK_NAME_PREFIX_LENGTH_MAX,
  BULK_PLAYERS_MAX,
  RETIRED_PLAYERS_MAX,
  RULE_SECONDS_MAX,
} from '../../engine/rules/record-limits.js';
import { Type } from '../../persistence/typebox.js';
import {
  ANNOUNCEMENT_FORMAT,
  MESSAGE_FORMAT,
  NAME_FORMAT,
  NAME_PREFIX_FORMAT,
  RESERVED_NAMES,
} from '../checks/player-names.js';
import {
  ADDRESS_BLOCK_SECONDS_MAX,
  ADDRESS_LENGTH_MAX,
  ANNOUNCEMENT_SECONDS_MAX,
  BATCH_OPERATIONS_MAX,
  CLOCK_ADVANCE_SECONDS_MAX,
  ENTITY_TAGS_LENGTH_MAX,
  INACTIVE_SECONDS_MAX,
  INACTIVE_SECONDS_MIN,
  KEY_SECRET_LENGTH_MAX,
  KEY_SECRET_LENGTH_MIN,
  KEY_VALID_SECONDS_MAX,
  MARKS_IN_A_ROW_MAX,
  NAMED_PLAYERS_MAX,
  OLD_KEY_VALID_SECONDS_MAX,
  PATH_LENGTH_MAX,
} from '../limits.js';
import { TRADED_RESOURCES } from './market.js';
import { pactKind } from './pacts.js';
import {
  boundedInteger,
  buildingType,
  closed,
  driveType,
  flag,
  id,
  methodOf,
  mission,
  oneOf,
  orNull,
  PlanStep,
  researchType,
  shipType,
} from './primitives.js';

const playerId = id('Player id.');
const planetId = id('Planet id.');
/** A field of operations that do not need it to identify the player. */
const playerIdOrNone = Type.Optional(id('Player id. If given, the planet must belong to this player.'));

const playerName = Type.String({
  minLength: 1,
  maxLength: NAME_LENGTH_MAX,
  format: NAME_FORMAT,
  description:
    'Name of the player. All its characters are visible: no control or format characters except within whole emoji, and no spaces at ' +
    `its ends, at most ${MARKS_IN_A_ROW_MAX} combining marks on one character. A name that looks like that of another player is refused, and so is one that ` +
    `looks like ${RESERVED_NAMES.join(', ')}.`,
});

export const CreatePlayerRequest = closed({
  name: playerName,
  isBot: Type.Optional(flag('If true, the bot of this name; otherwise the one human player, whatever the name.')),
});

export const RenamePlayerRequest = closed({ name: playerName });

export const ColonizeRequest = closed({ playerId });

/** The body of operations that need none; `{}` is accepted. */
export const EmptyRequest = closed({});

export const SecondStarterRequest = closed({
  playerId: Type.Optional(id('Player id. If given, it must match the one in the path.')),
});

export const RotateKeyRequest = closed({
  expiresInSeconds: Type.Optional(
    boundedInteger(1, KEY_VALID_SECONDS_MAX, 'How long the new key is valid, in world time; for ever by default.'),
  ),
  oldKeyValidSeconds: Type.Optional(
    boundedInteger(0, OLD_KEY_VALID_SECONDS_MAX, 'How long the present key stays valid, in world time.'),
  ),
});

export const BuildingRequest = closed({ planetId, buildingType, playerId: playerIdOrNone });
export const CancelBuildingRequest = closed({
  planetId,
  queueId: id("Queue id from the building's constructionQueue."),
  playerId: playerIdOrNone,
});

export const BuildShipsRequest = closed({
  planetId,
  shipType,
  count: boundedInteger(1, SHIPS_PER_ORDER_MAX, 'Number of ships.'),
  playerId: playerIdOrNone,
});
export const CancelShipsRequest = closed({ planetId, shipType, playerId: playerIdOrNone });

export const PutPlanRequest = closed({
  steps: Type.Array(PlanStep, {
    maxItems: PLAN_STEPS_MAX,
    description:
      'Steps in the order of each lane; the rules limit how many a plan has. An empty list removes the plan.',
  }),
  onBlocked: Type.Optional(
    oneOf(
      ['wait', 'skip'],
      'What happens to a blocked step: it is kept and its lane waits, the default, or it is dropped.',
    ),
  ),
  longerThanSeconds: Type.Optional(
    boundedInteger(
      0,
      PLAN_LONGER_THAN_SECONDS_MAX,
      'Only with `onBlocked` `skip`: a step that the stocks cover only after more world time than this, at present output, counts as ' +
        'blocked. By default it waits, however long.',
    ),
  ),
  playerId: playerIdOrNone,
});

export const StartResearchRequest = closed({ playerId, researchType });

const sent = boundedInteger(1, SHIPS_PER_ENTRY_MAX, 'Number of ships.');

/** Takes what fleets show, and what planets show. */
export const ShipsToSend = Type.Union([closed({ type: shipType, count: sent }), closed({ shipType, count: sent })], {
  description: 'Ships of one type: with `type`, as fleets show them, or `shipType`, as planets and shipyards do.',
});

const ships = Type.Array(ShipsToSend, {
  minItems: 1,
  maxItems: SHIP_ENTRIES_MAX,
  description: 'Ships to send; entries of the same type are added up.',
});

/** A number, whole or not (specification, section 2); amountsInOrder() rounds it down. */
const carried = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: RESOURCE_UNITS_MAX, description }));

const resources = Type.Optional(
  closed(
    {
      iron: carried('Iron to carry.'),
      silver: carried('Silver to carry.'),
      ember: carried('Ember to carry.'),
      h2: carried('H2 to carry.'),
    },
    'Units to carry, each rounded down to whole ones; an omitted resource is 0.',
  ),
);

const flight = {
  originPlanetId: planetId,
  targetPlanetId: planetId,
  ships,
  resources,
  drive: Type.Optional(driveType),
};

export const LaunchRequest = closed({ playerId, mission, ...flight });

const lot = (description: string) =>
  closed(
    {
      resource: oneOf([...TRADED_RESOURCES], 'A resource that can be shipped.'),
      units: boundedInteger(1, OFFER_UNITS_MAX, 'Units.'),
    },
    description,
  );

export const OfferRequest = closed({
  playerId,
  planetId,
  give: lot('What the planet gives; it leaves the stock at once.'),
  want: lot('What whoever takes the offer pays.'),
  h2Max: boundedInteger(
    0,
    OFFER_UNITS_MAX,
    'Units of h2 that the way of the goods may cost; they leave the stock, too.',
  ),
  toPlayerId: Type.Optional(id('The only player who can see and take it; by default everybody.')),
  seconds: Type.Optional(
    boundedInteger(1, RULE_SECONDS_MAX, 'World seconds that it stays open; by default as long as the rules allow.'),
  ),
});

export const TakeOfferRequest = closed({ playerId, planetId });
export const WithdrawOfferRequest = closed({ playerId });

export const RecallRequest = closed({ playerId });

export const ProposePactRequest = closed({
  playerId,
  partnerId: id('Player id of the other player.'),
  kind: pactKind,
  durationSeconds: boundedInteger(1, RULE_SECONDS_MAX, 'World seconds for which the pact would be in force.'),
});

export const PactRequest = closed({ playerId });

/** The body of a launch, but only the flight is required. */
export const SimulateRequest = closed({ playerId: playerIdOrNone, mission: Type.Optional(mission), ...flight });

export const SendMessageRequest = closed({
  playerId,
  to: id('Player id of the receiver, another player; or `all`: everybody.'),
  text: Type.String({
    minLength: 1,
    maxLength: MESSAGE_LENGTH_MAX,
    format: MESSAGE_FORMAT,
    description:
      'One line, whose characters are all visible, as those of names, with spaces between them. The rules limit its length: `messages.charactersMax`.',
  }),
});

export const BlockPlayerRequest = closed({
  playerId,
  blockedPlayerId: id('Player id of another player.'),
  blocked: flag('True: its messages are refused from now on. False: no longer.'),
});

export const AdvanceBySeconds = closed({
  seconds: boundedInteger(1, CLOCK_ADVANCE_SECONDS_MAX, 'World seconds to advance by.'),
});

export const AdvanceToInstant = closed({
  to: Type.String({
    format: 'date-time',
    maxLength: 40,
    description: 'World time to advance to; must not be in the past.',
  }),
});

export const AdvanceToNextTimer = closed({
  nextTimer: Type.Literal(true, { description: 'Advance to the next timer.' }),
});

export const AdvanceClockRequest = Type.Union([AdvanceBySeconds, AdvanceToInstant, AdvanceToNextTimer]);

const address = Type.String({
  minLength: 1,
  maxLength: ADDRESS_LENGTH_MAX,
  description: 'An IPv4 or IPv6 address; an IPv6 network of 64 bits may be written as the list shows it.',
});

export const BlockAddressRequest = closed({
  address,
  seconds: boundedInteger(1, ADDRESS_BLOCK_SECONDS_MAX, 'How long it is blocked, in real time.'),
  isOwn: Type.Optional(flag('True if it may be the address of this request, which locks its sender out.')),
});

export const UnblockAddressRequest = closed({ address });

export const AnnounceRequest = closed({
  text: orNull(
    Type.String({ minLength: 1, maxLength: ANNOUNCEMENT_LENGTH_MAX, format: ANNOUNCEMENT_FORMAT }),
    'One line, whose characters are all visible, as those of names. Null withdraws the present announcement.',
  ),
  untilSeconds: Type.Optional(
    boundedInteger(
      1,
      ANNOUNCEMENT_SECONDS_MAX,
      'How long it lasts, in world time; by default until another one replaces it.',
    ),
  ),
});

export const SpeedRequest = closed({
  speed: Type.Number({
    minimum: SPEED_THOUSANDTHS_MIN / 1_000,
    maximum: SPEED_THOUSANDTHS_MAX / 1_000,
    description: 'Multiplies production and divides durations; rounded to thousandths.',
  }),
});

/** A secret of the operator, from which API keys are derived. */
const keySecret = Type.Optional(
  Type.String({
    minLength: KEY_SECRET_LENGTH_MIN,
    maxLength: KEY_SECRET_LENGTH_MAX,
    description:
      'If given, the API key of a new bot is gxd_ and HMAC-SHA256(keySecret, name) as base64url, instead of a random one. Without ' +
      '--auth key it has no effect.',
  }),
);

export const NumberedPlayers = closed({
  count: boundedInteger(1, BULK_PLAYERS_MAX, 'Number of bots.'),
  namePrefix: Type.String({
    minLength: 1,
    maxLength: BULK_NAME_PREFIX_LENGTH_MAX,
    format: NAME_PREFIX_FORMAT,
    description: 'The bots are named prefix-1, prefix-2 and so on.',
  }),
  keySecret,
});

export const NamedPlayers = closed({
  names: Type.Array(playerName, {
    minItems: 1,
    maxItems: NAMED_PLAYERS_MAX,
    description: 'Names of the players, each once.',
  }),
  keySecret,
});

export const BulkPlayersRequest = Type.Union([NumberedPlayers, NamedPlayers]);

export const RetireInactiveRequest = closed({
  inactiveForSeconds: boundedInteger(
    INACTIVE_SECONDS_MIN,
    INACTIVE_SECONDS_MAX,
    'How long they have done nothing, in world time.',
  ),
  atMost: Type.Optional(boundedInteger(1, RETIRED_PLAYERS_MAX, 'How many are retired.')),
  dryRun: Type.Optional(flag('If true, they are only listed.')),
});

const units = (description: string) => Type.Optional(boundedInteger(0, RESOURCE_UNITS_MAX, description));

export const GrantRequest = closed({
  iron: units('Iron.'),
  silver: units('Silver.'),
  ember: units('Ember.'),
  h2: units('H2.'),
  energy: units('Energy.'),
});

/** Of an operation of a batch, or of a call. */
export const IfMatch = Type.Optional(
  Type.String({ minLength: 1, maxLength: ENTITY_TAGS_LENGTH_MAX, description: 'As the header If-Match.' }),
);

export const BatchRequest = closed({
  operations: Type.Array(
    closed({
      method: methodOf('Method of the operation.'),
      path: Type.String({ minLength: 1, maxLength: PATH_LENGTH_MAX, description: 'Path of the operation.' }),
      body: Type.Optional(
        Type.Unknown({ description: 'Body of the operation, as if sent alone.', 'x-checked-by': 'the operation' }),
      ),
      ifMatch: IfMatch,
    }),
    { minItems: 1, maxItems: BATCH_OPERATIONS_MAX, description: 'Operations, run in this order.' },
  ),
});
