// The schemas of a game of turns: whose turn it is, what is left of its budgets, and what the operator sees of all entrants.
import type { Static } from 'typebox';
import type { EventKind } from '../../engine/events/kinds.js';
import { Type } from '../../persistence/typebox.js';
import {
  COMMANDS_PER_DAY_MAX,
  ENTRANTS_MAX,
  OWN_WAKEUPS_PER_WAKEUP_BY_OTHERS,
  WAKEUPS_BY_OTHERS_PER_DAY_DEFAULT,
  WAKEUPS_PER_DAY_MAX,
  WALL_SECONDS_PER_TURN_MAX,
} from '../limits.js';
import { EVENT_TYPES } from './events.js';
import {
  boundedInteger,
  closed,
  count,
  flag,
  id,
  listOf,
  oneOf,
  orNull,
  shownId,
  timestamp,
  timestampOrNull,
} from './primitives.js';

/** Kinds of events that wake only an entrant that has named them: anybody can cause them at little cost. */
export const UNASKED_KINDS: readonly EventKind[] = [
  'espionage_detected',
  'message_received',
  'offer_made',
  'offer_ended',
  'pact_proposed',
  'pact_ended',
];

const instant = (description: string) => Type.String({ format: 'date-time', maxLength: 40, description });

const commandsPerDay = boundedInteger(0, COMMANDS_PER_DAY_MAX, 'Commands per world day.');
const wakeupsPerDay = boundedInteger(1, WAKEUPS_PER_DAY_MAX, 'Turns per world day, without those that others cause.');

export const BeginTurnsRequest = closed({
  entrants: Type.Array(
    closed({
      playerId: id('Player id.'),
      commandsPerDay: Type.Optional({ ...commandsPerDay, description: 'Defaults to that of the game.' }),
      wakeupsPerDay: Type.Optional({ ...wakeupsPerDay, description: 'Defaults to that of the game.' }),
    }),
    { minItems: 1, maxItems: ENTRANTS_MAX, description: 'Who plays, each player once.' },
  ),
  until: instant('World time at which the game is over; later than now.'),
  orderSeed: boundedInteger(
    0,
    Number.MAX_SAFE_INTEGER,
    'Seed of the order of entrants who are awake at the same time.',
  ),
  commandsPerDay,
  wakeupsPerDay,
  wakeupsByOthersPerDay: Type.Optional(
    boundedInteger(
      0,
      WAKEUPS_PER_DAY_MAX,
      `Further turns per world day that events of other players may cause; at most one for each ${OWN_WAKEUPS_PER_WAKEUP_BY_OTHERS} of the entrant's own. Defaults to ${WAKEUPS_BY_OTHERS_PER_DAY_DEFAULT}.`,
    ),
  ),
  wallSecondsPerTurn: boundedInteger(
    1,
    WALL_SECONDS_PER_TURN_MAX,
    'Seconds of real time after which the server ends a turn.',
  ),
});

export const WithdrawRequest = closed({ playerId: id('Player id.') });

export const EventTypeName = oneOf([...EVENT_TYPES.keys()], 'Type of an event.');

export const EndTurnRequest = closed(
  {
    wakeAt: Type.Optional(
      orNull(
        instant('World time, later than now.'),
        'When the next turn begins at the latest; null or left out: only by an event.',
      ),
    ),
    wakeOn: Type.Optional(
      Type.Array(EventTypeName, {
        maxItems: EVENT_TYPES.size,
        description: 'The next turn begins at the next event of one of these types; left out: only at wakeAt.',
      }),
    ),
  },
  `When the next turn begins. Without either member: at the next event of any type but ${UNASKED_KINDS.map((kind) => `\`${kind}\``).join(', ')}, or a day later; if another player has caused this turn, as was said before it.`,
);

export const WokenBy = Type.Object({
  reason: oneOf(['wish', 'event'], 'wish: the instant has come that the caller asked for, or the game has begun.'),
  type: orNull(EventTypeName, 'Type of the event; null for a wish.'),
  seq: orNull(count('Seq of the event.'), 'Null for a wish.'),
  playerId: orNull(
    shownId('Player id.'),
    'The other player who caused the event. Null if the turn was taken from those of the caller.',
  ),
});

export const Turn = Type.Object({
  state: oneOf(
    ['active', 'waiting', 'over'],
    "active: it is the caller's turn. waiting: it is not, or the game has not begun. over: the caller gets no further turn.",
  ),
  turn: count("Number of the caller's turns so far, the present one included."),
  worldTime: timestamp('World time.'),
  until: timestampOrNull('World time at which the game is over; null before it has begun.'),
  commandsLeft: count('Commands that the caller has left this world day.'),
  wakeupsLeft: count('Further turns that the caller can have this world day, without those that others cause.'),
  wakeupsByOthersLeft: count('Further turns of the caller that others can cause this world day.'),
  dayEndsAt: timestampOrNull('World time at which the next day of the game begins; null before it has begun.'),
  wokenBy: orNull(WokenBy, 'Why the caller has this turn; null if it has none.'),
  wallMsLeft: Type.Optional(count('If active: milliseconds of real time after which the server ends the turn.')),
});

export const Turns = Type.Object({
  state: oneOf(['idle', 'running', 'over'], 'idle: no game has begun since the server was started.'),
  worldTime: timestamp('World time.'),
  until: timestampOrNull('World time at which the game is over; null before the first game.'),
  turn: count('Number of turns of all entrants, the present one included.'),
  activePlayerId: orNull(shownId('Player id.'), 'Whose turn it is; null if nobody has one.'),
  entrants: listOf(
    Type.Object({
      playerId: shownId('Player id.'),
      isWithdrawn: flag('True if it has lost a turn since it was withdrawn.'),
      wakeups: count('Its turns.'),
      wakeupsByOthers: count('Of its turns, those that other players have caused.'),
      commands: count('Its commands, those that were refused included.'),
      refusals: Type.Record(Type.String(), Type.Integer(), { description: 'Its refused commands by code.' }),
      overruns: count('Its turns that the server has ended.'),
    }),
    'In the order in which they were named.',
  ),
});

export type EndTurnBody = Static<typeof EndTurnRequest>;
export type BeginTurnsBody = Static<typeof BeginTurnsRequest>;
export type TurnBody = Static<typeof Turn>;
export type TurnsBody = Static<typeof Turns>;
