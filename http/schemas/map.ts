// What the map shows: owners of cells, fleets, and frames of changes. Lists that can be long hold rows of numbers instead of objects.
import type { Static } from 'typebox';
import { Type } from '../../persistence/typebox.js';
import {
  LEADERBOARD_COURSES_MAX,
  LEADERBOARD_SAMPLES_MAX,
  MAP_BATTLES_PER_FRAME_MAX,
  MAP_CELLS_PER_GALAXY_MAX,
  MAP_EVENTS_PER_FRAME_MAX,
  MAP_FLEETS_MAX,
  MAP_GOODS_MAX,
  MAP_LEGS_PER_FRAME_MAX,
  MAP_PACTS_MAX,
} from '../limits.js';
import { GameEvent } from './events.js';
import { pactKind } from './pacts.js';
import { count, galaxyIndex, listOf, mission, shownId, timestamp } from './primitives.js';

/** A list of rows of integers. @param fields of a row, in order */
function rows(description: string, fields: readonly string[]) {
  const row = Type.Array(Type.Integer(), { minItems: fields.length, maxItems: fields.length });
  return listOf(row, `${description} Each is [${fields.join(', ')}].`);
}

const FROM_AND_TO = ['galaxy', 'system', 'slot'];
const LEG = [
  'fleet number',
  'player number',
  'index in missions',
  '1 if it returns, else 0',
  ...FROM_AND_TO.map((field) => `from ${field}`),
  ...FROM_AND_TO.map((field) => `to ${field}`),
  'departure',
  'arrival',
];
const LEG_TEXT =
  'A leg is one way; departure and arrival are world time in milliseconds since 1970, and the position between them is linear in ' +
  'world time. `fleet-7` has the number 7, and `player-7` the number 7.';

const PACT = [
  'pact number',
  'index in pactKinds',
  'number of the player who proposed it',
  'number of the other player',
  ...FROM_AND_TO.map((field) => `${field} of the first planet of the one`),
  ...FROM_AND_TO.map((field) => `${field} of that of the other`),
  'end',
];
const PACT_TEXT = '`pact-7` has the number 7; the end is world time in milliseconds since 1970.';
const GOODS = [
  'a number of these goods',
  'number of the player who sent them',
  'number of the player who receives them',
  ...FROM_AND_TO.map((field) => `from ${field}`),
  ...FROM_AND_TO.map((field) => `to ${field}`),
  'departure',
  'arrival',
];
const GOODS_TEXT = 'They arrive when they say; no frame tells of it.';

const feedSeq = count('The state that is shown. Subscribe to the topic `map` with this as `since`.');
const worldTime = timestamp('World time of the state that is shown.');
const stride = Type.Integer({
  minimum: 1,
  description:
    'A power of two. Only fleets whose number is divisible by it are listed: above 1 there are more than can be shown. If it rises, ' +
    'remove the others; if it falls, fetch all fleets again.',
});
const total = count('Fleets in flight.');

export const GalaxyCells = Type.Object({
  index: galaxyIndex,
  planets: count('Planets that have an owner.'),
  players: count('Players who own planets there.'),
  owners: listOf(
    Type.Integer({ minimum: 0 }),
    'By cell: the number of the player who owns the most planets there, of several the lowest; 0 if nobody does. `player-7` has the ' +
      'number 7. Cell n has the systems from n times systemsPerCell on.',
  ),
  owned: listOf(Type.Integer({ minimum: 0 }), 'By cell: planets that have an owner.'),
});

export const MapOverview = Type.Object({
  feedSeq,
  worldTime,
  systemsPerGalaxy: count('Systems in each galaxy.'),
  systemsPerCell: Type.Integer({
    minimum: 1,
    description: `Systems in a cell: as few as needed for at most ${MAP_CELLS_PER_GALAXY_MAX} cells in a galaxy.`,
  }),
  planets: count('Planets that have an owner.'),
  players: count('Players.'),
  galaxies: listOf(GalaxyCells, 'Those with a planet that has an owner, by index.'),
});

export const MapFleets = Type.Object({
  feedSeq,
  worldTime,
  total,
  stride,
  missions: listOf(mission, 'What the third number of a leg means.'),
  legs: rows(`Fleets, at most ${MAP_FLEETS_MAX}. ${LEG_TEXT}`, LEG),
  pactKinds: listOf(pactKind, 'What the second number of a pact means.'),
  pacts: rows(`Pacts in force, the oldest ${MAP_PACTS_MAX} at most. ${PACT_TEXT}`, PACT),
  goods: rows(`Goods on their way between players who trade, at most ${MAP_GOODS_MAX} loads. ${GOODS_TEXT}`, GOODS),
});

/** What a frame has besides `op` and `topic`. */
export const mapFrameFields = {
  since: count(
    'The frame has everything that has changed after this seq. It may be below your position: then it repeats.',
  ),
  seq: count('Your position after the frame. Subscribe with it as `since` to continue.'),
  worldTime,
  stride,
  total,
  legs: rows(`Fleets that have a new leg: at most ${MAP_LEGS_PER_FRAME_MAX} with those in gone. ${LEG_TEXT}`, LEG),
  gone: listOf(Type.Integer(), 'Numbers of fleets that are not in flight any more.'),
  retired: listOf(
    Type.Integer(),
    'Numbers of players that exist no more, and so do their fleets and goods on their way to them.',
  ),
  battles: rows(`Battles, at most ${MAP_BATTLES_PER_FRAME_MAX}.`, [
    'galaxy',
    'system',
    'slot',
    'number of the attacker',
    'number of the defender',
    'ships that the attacker lost',
    'ships that the defender lost',
  ]),
  owners: rows('Cells whose owners have changed.', [
    'galaxy',
    'cell',
    'number of the player who owns the most planets there, or 0',
    'planets that have an owner',
  ]),
  pacts: rows(`Pacts that have begun or were cancelled. ${PACT_TEXT}`, PACT),
  pactsGone: listOf(Type.Integer(), 'Numbers of pacts that have ended.'),
  goods: rows(`Goods that were sent. ${GOODS_TEXT}`, GOODS),
  eventCount: count('Public events from `since` to `seq`.'),
  events: listOf(
    GameEvent,
    `Some of them, in order, at most ${MAP_EVENTS_PER_FRAME_MAX}: battles, colonizations and players rather than others. Those up to ` +
      'your position you may have already.',
  ),
};

export const LeaderboardCourses = Type.Object({
  from: timestamp('World time of the first sample.'),
  to: timestamp('World time of the last sample, which is the present.'),
  samples: listOf(
    Type.String({ format: 'date-time' }),
    `World times of the samples, oldest first, at most ${LEADERBOARD_SAMPLES_MAX}.`,
  ),
  players: listOf(
    Type.Object({
      id: shownId('Player id.'),
      name: Type.String(),
      isBot: Type.Boolean(),
      points: listOf(
        Type.Union([Type.Integer(), Type.Null()]),
        'By sample: its points; null if they were not kept, since it was not among the first.',
      ),
    }),
    `The first ${LEADERBOARD_COURSES_MAX} players at present, the first one first; or the one that was asked for.`,
  ),
});

export type LeaderboardCoursesBody = Static<typeof LeaderboardCourses>;
