// The schemas of a replay: where it stands, how it is moved, and what happened when.
import type { Static } from 'typebox';
import {
  REPLAY_SPEED_MAX,
  REPLAY_SPEED_MIN,
  TIMELINE_BATTLES_MAX,
  TIMELINE_BUCKETS_MAX,
} from '../../persistence/limits.js';
import { Type } from '../../persistence/typebox.js';
import { TOURNAMENT_GAMES_MAX } from '../limits.js';
import { boundedInteger, closed, count, flag, oneOf, orNull, shownId, timestamp } from './primitives.js';

/** A position in the history. */
export const HistoryPosition = Type.Object({
  seq: count('Seq of the last entry that has been applied.'),
  worldTime: timestamp('World time.'),
});

export const ReplayPosition = Type.Object({
  seq: count('Seq of the last entry that has been applied.'),
  worldTime: timestamp('World time that is shown.'),
  isPlaying: flag('True if it moves on by itself.'),
  speed: Type.Number({ description: 'World seconds per second while it plays.' }),
  first: HistoryPosition,
  last: HistoryPosition,
  game: orNull(
    boundedInteger(1, TOURNAMENT_GAMES_MAX, 'Number of the game.'),
    'Number of the game of the tournament that is shown; null if no tournament is.',
  ),
  isHistoryKept: flag('True if the history begins with the world.'),
  indexedShare: Type.Number({ minimum: 0, maximum: 1, description: 'How much of the timeline is made.' }),
});

export const MoveToSeq = closed({
  seq: boundedInteger(1, Number.MAX_SAFE_INTEGER, 'Seq of the last entry that is applied.'),
});

export const MoveToInstant = closed({
  to: Type.String({
    format: 'date-time',
    maxLength: 40,
    description: 'World time; all entries up to then are applied.',
  }),
});

export const MoveByStep = closed({
  step: oneOf(
    ['event', 'battle', 'day'],
    'To the next public event, the next battle, or a day of world time on. It stands still then.',
  ),
  direction: Type.Optional(Type.Enum([1, -1], { type: 'integer', description: '1: forward, the default; -1: back.' })),
});

export const Play = closed({
  isPlaying: flag('Whether it moves on by itself.'),
  speed: Type.Optional(
    Type.Number({
      minimum: REPLAY_SPEED_MIN,
      maximum: REPLAY_SPEED_MAX,
      description: 'World seconds per second; the last speed by default.',
    }),
  ),
});

export const MoveToGame = closed({
  game: boundedInteger(1, TOURNAMENT_GAMES_MAX, 'Number of the game of the tournament, whose world is shown then.'),
  atSeq: Type.Optional(
    boundedInteger(1, Number.MAX_SAFE_INTEGER, 'Seq of the last entry that is applied; the first by default.'),
  ),
});

export const ReplayRequest = Type.Union([MoveToSeq, MoveToInstant, MoveByStep, Play, MoveToGame]);

const TimelineBucket = Type.Object({
  from: timestamp('World time at which the part begins. It ends with the next one.'),
  firstSeq: count('Seq of its first entry; of the next entry if it has none.'),
  entries: count('Number of its entries.'),
  events: count('Number of its public events, as in topic `world` of a world without keys.'),
  battles: count('Number of its battles.'),
});

const TimelineBattle = Type.Object({
  seq: count('Seq of the entry that caused it.'),
  at: timestamp('World time.'),
  planetId: shownId('Where it was.'),
  attackerId: shownId('The attacker.'),
  defenderId: shownId('The defender.'),
  lostCount: count('Ships that both have lost.'),
});

export const Timeline = Type.Object({
  indexedShare: Type.Number({ minimum: 0, maximum: 1, description: 'How much of the timeline is made.' }),
  buckets: Type.Array(TimelineBucket, { maxItems: TIMELINE_BUCKETS_MAX, description: 'Parts of equal duration.' }),
  battles: Type.Array(TimelineBattle, {
    maxItems: TIMELINE_BATTLES_MAX,
    description: 'The largest battles, in the order of time.',
  }),
});

export type ReplayPositionBody = Static<typeof ReplayPosition>;
export type TimelineBody = Static<typeof Timeline>;
