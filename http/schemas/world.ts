// What the world tells about itself: rules, errors, status, ranking, health and administration.
import type { Static } from 'typebox';
import { ORIGIN_KINDS } from '../../persistence/stores/origin.js';
import { Type } from '../../persistence/typebox.js';
import {
  count,
  driveType,
  flightType,
  mission,
  ResourceAmounts,
  shipType,
  shownId,
  timestamp,
  timestampOrNull,
} from './primitives.js';

const amountsByLevel = Type.Array(Type.Array(Type.Integer()), {
  description: 'By level, from 1: whole units in the order of `resources`.',
});

/** Which rule set the world plays by. */
export const RulesIdentity = Type.Object({
  name: Type.String({ description: 'As its author named it.' }),
  version: count('Of the rule set of this name.'),
  digest: Type.String({ description: 'Two rule sets are the same if their digests are.' }),
});

export const Catalog = Type.Object({
  rulesVersion: count('Version of the engine that interprets the rules.'),
  rules: RulesIdentity,
  speed: Type.Number({
    description: 'Production multiplies by it, durations divide by it. Times and outputs below are at speed 1.',
  }),
  resources: Type.Array(Type.String()),
  buildings: Type.Array(
    Type.Object({
      type: Type.String(),
      description: Type.String(),
      maximumLevel: count('Highest level.'),
      costs: amountsByLevel,
      outputsPerHour: amountsByLevel,
      seconds: Type.Array(Type.Integer(), { description: 'By level, from 1: seconds to build it.' }),
    }),
  ),
  ships: Type.Array(
    Type.Object({
      type: shipType,
      cost: ResourceAmounts,
      baseSeconds: count('Seconds a ship takes in a level 1 shipyard; each level builds in 0.9 of the time.'),
      attack: count('Hit points it takes from the enemy in a round.'),
      defence: count('Its hit points.'),
      speed: Type.Number({ description: 'Distance units a second.' }),
      cargo: count('Units it can carry.'),
      h2Rate: Type.Number(),
      hangarSize: count('Room it needs in a hangar; 0 flies by itself.'),
      hangarCapacity: count('Room it offers.'),
    }),
  ),
  drives: Type.Array(
    Type.Object({
      type: driveType,
      research: Type.Union([Type.String(), Type.Null()], { description: 'What unlocks it; null: everybody has it.' }),
      multipliers: Type.Record(Type.String(), Type.Number(), {
        description: 'Speed by flight type; 0: cannot fly it.',
      }),
      h2Factor: Type.Number(),
    }),
  ),
  research: Type.Array(
    Type.Object({
      type: Type.String(),
      unlocks: Type.String(),
      maximumLevel: count('Highest level.'),
      seconds: Type.Array(Type.Integer(), { description: 'By level, from 1: seconds to research it.' }),
    }),
  ),
  missions: Type.Array(mission),
  flightTypes: Type.Array(flightType),
  constants: Type.Record(Type.String(), Type.Number(), { description: 'Constants and limits by name.' }),
});

export const ErrorRow = Type.Object({
  code: Type.String({ description: 'Stable; what a program decides by.' }),
  status: Type.Integer(),
  type: Type.String(),
  title: Type.String(),
});

export const ErrorTable = Type.Object({ errors: Type.Array(ErrorRow) });

export const Problem = Type.Object(
  {
    type: Type.String({ description: 'Leads to the row in GET /api/errors.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'This occurrence in a sentence.' }),
    code: Type.String({ description: 'Stable; what a program decides by.' }),
    requestId: Type.String(),
    errors: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description: 'What is wrong with the shape, and where.',
      }),
    ),
    missing: Type.Optional(
      Type.Record(Type.String(), Type.Number(), { description: 'Whole units or ships that are missing, by name.' }),
    ),
    affordableAt: Type.Optional(timestampOrNull('When production alone covers what is missing; null: never.')),
    limit: Type.Optional(Type.Object({ name: Type.String(), maximum: Type.Number() })),
    retryAfterMs: Type.Optional(count('Present where the same request may succeed after waiting.')),
  },
  { description: 'RFC 9457 problem details, application/problem+json.' },
);

export const Origin = Type.Object({
  kind: Type.Enum([...ORIGIN_KINDS], {
    type: 'string',
    description: 'restore: the world as it was at an earlier seq; fork: a new world that begins as another one was.',
  }),
  from: Type.String({ description: 'Name of the data folder, or of the copied snapshot, that it was made from.' }),
  seq: count('Last entry that it shares with the world it came from.'),
  worldTime: timestamp('World time of that entry.'),
  stateHash: Type.String({ description: '16 hexadecimal digits: the state of both worlds at that entry.' }),
  madeAt: timestamp("The machine's time at which it was made."),
});

export const Snapshot = Type.Object({
  seq: count('Last entry that it covers.'),
  worldTime: timestamp('World time of that entry.'),
  stateHash: Type.String({ description: '16 hexadecimal digits: the state at that entry.' }),
  byteCount: count('Bytes on disk.'),
  takenAt: timestamp("The machine's time at which it was taken."),
});

export const History = Type.Object({
  coveredFromSeq: count('First seq that can be gone back to; the past from there on can be verified and restored.'),
  isKept: Type.Boolean({
    description: 'True with --keep-history: nothing of it is deleted. Otherwise snapshots move its beginning on.',
  }),
});

export const Status = Type.Object({
  name: Type.String(),
  version: Type.String(),
  rulesVersion: count('Version of the engine that interprets the rules.'),
  rules: RulesIdentity,
  seed: count('Seed of the world.'),
  speed: Type.Number({ description: '1 is the speed of the contract.' }),
  systemsPerGalaxy: count('Systems in each of the 100 galaxies.'),
  clock: Type.Enum(['real', 'manual'], { type: 'string' }),
  worldTime: timestamp("The world's time."),
  startedAt: timestamp("The world's time at its beginning."),
  nextTimerAt: timestampOrNull('When the next timer of the world fires; null where none is pending.'),
  players: count('Players.'),
  planets: count('Planets with an owner.'),
  fleets: count('Fleets in flight.'),
  seq: count('Entries in the log.'),
  durableSeq: count('Entries that are on disk.'),
  durability: Type.Enum(['durable', 'relaxed'], { type: 'string' }),
  snapshot: Type.Union([Snapshot, Type.Null()], { description: 'The newest snapshot; null before the first.' }),
  history: Type.Union([History, Type.Null()], {
    description: 'How much of the past is on disk; null for a world in memory.',
  }),
  origin: Type.Union([Origin, Type.Null()], {
    description: 'Where a restored or forked world came from; null for one that began by itself.',
  }),
  auth: Type.Enum(['none', 'key'], { type: 'string' }),
  http: Type.Enum(['native', 'javascript'], { type: 'string', description: 'Which server carries the requests.' }),
  hint: Type.Optional(Type.String({ description: 'What the operator could do better.' })),
  node: Type.String({ description: 'Release of Node.' }),
  uptimeSeconds: count('Seconds since the process began to serve.'),
});

export const Leaderboard = Type.Object({
  playerCount: count('Players in the world.'),
  players: Type.Array(
    Type.Object({
      rank: count('From 1.'),
      id: shownId('Player id.'),
      name: Type.String(),
      isBot: Type.Boolean(),
      points: count('Units of resources in buildings and ships.'),
      planets: count('Planets it owns.'),
    }),
  ),
});

export const Health = Type.Object({ status: Type.Literal('ok') });
export const Readiness = Type.Object({ status: Type.Literal('ready') });

export const Success = Type.Object({ success: Type.Boolean() });

export const ClockPosition = Type.Object({
  worldTime: timestamp("The world's time after the advance."),
  advancedMs: count('Milliseconds by which it moved.'),
  nextTimerAt: timestampOrNull('When the next timer fires; null where none is pending.'),
  seq: count('Seq of the last entry.'),
});

export const BulkPlayers = Type.Object({
  players: Type.Array(
    Type.Object({
      id: shownId('Player id.'),
      name: Type.String(),
      planetId: shownId('Starter planet.'),
      created: Type.Boolean({ description: 'False where a bot of that name existed.' }),
      apiKey: Type.Optional(Type.String({ description: 'With --auth key, for created players.' })),
    }),
  ),
});

export const StateHash = Type.Object({
  seq: count('Seq of the last entry.'),
  hash: Type.String({ description: '16 hexadecimal digits.' }),
});

export type SnapshotBody = Static<typeof Snapshot>;
export type RulesIdentityBody = Static<typeof RulesIdentity>;
export type CatalogBody = Static<typeof Catalog>;
export type StatusBody = Static<typeof Status>;
export type LeaderboardBody = Static<typeof Leaderboard>;
export type ClockPositionBody = Static<typeof ClockPosition>;
export type BulkPlayersBody = Static<typeof BulkPlayers>;

export const BatchResults = Type.Object({
  results: Type.Array(
    Type.Object({
      status: count('Status that the operation alone would have been answered with.'),
      body: Type.Optional(Type.Unknown({ description: 'Its reply; left out with Prefer: return=minimal.' })),
      code: Type.Optional(Type.String({ description: 'With Prefer: return=minimal, the code of a problem.' })),
    }),
    { description: 'One for each operation, in order.' },
  ),
});
