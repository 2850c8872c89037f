// Schemas of what the world reports about itself: rules, errors, status, ranking, health and administration.
import type { Static } from 'typebox';
import { LEADERBOARD_ENTRIES_MAX } from '../../engine/rules/limits.js';
import { ORIGIN_KINDS } from '../../persistence/stores/origin.js';
import { Type } from '../../persistence/typebox.js';
import { RANKED_AT_ONCE_MAX, RANKING_MAX_AGE_MS } from '../limits.js';
import { Owner } from './planet.js';
import {
  buildingType,
  count,
  driveType,
  errorCode,
  flag,
  flightType,
  galaxyIndex,
  listOf,
  methodOf,
  mission,
  oneOf,
  orNull,
  ResourceAmounts,
  researchType,
  resourceName,
  shipType,
  shownId,
  text,
  timestamp,
  timestampOrNull,
} from './primitives.js';
import { DefenceRule, optionalStrengths, ResearchEffect, ruleParts } from './rule-parts.js';

const amountsByLevel = listOf(
  Type.Array(Type.Integer()),
  'One entry per level, from 1: whole units in the order of `resources`.',
);

/** The rule set that the world plays by. */
export const RulesIdentity = Type.Object({
  name: text('Name given by its author.'),
  version: count('Version of the rule set of this name.'),
  digest: text('Equal digests mean equal rule sets.'),
});

const displayName = Type.Optional(
  text('Name for human readers; without it, the type is the name. Requests name the type.'),
);

export const Catalog = Type.Object({
  rulesVersion: count('Version of the engine that interprets the rules.'),
  rules: RulesIdentity,
  speed: Type.Number({
    description: 'Multiplies production and divides durations. Times and outputs below are for speed 1.',
  }),
  resources: Type.Array(resourceName),
  buildings: Type.Array(
    Type.Object({
      type: buildingType,
      displayName,
      description: Type.String(),
      maximumLevel: count('Highest level.'),
      costs: amountsByLevel,
      outputsPerHour: amountsByLevel,
      seconds: listOf(Type.Integer(), 'Seconds to build each level, from 1.'),
      defence: Type.Optional(DefenceRule),
    }),
  ),
  ships: Type.Array(
    Type.Object({
      type: shipType,
      displayName,
      cost: ResourceAmounts,
      baseSeconds: count('Seconds a ship takes in a level 1 shipyard; each further level takes 0.9 of the time.'),
      attack: count('Hit points of damage per round.'),
      defence: count('Hit points of the ship.'),
      speed: Type.Number({ description: 'Distance units per second.' }),
      cargo: count('Cargo capacity in units.'),
      h2Rate: Type.Number(),
      hangarSize: count('Hangar space it needs; 0 if it flies by itself.'),
      hangarCapacity: count('Hangar space it offers.'),
      ...optionalStrengths,
    }),
  ),
  drives: Type.Array(
    Type.Object({
      type: driveType,
      displayName,
      research: orNull(researchType, 'Research that unlocks it; null if every player has it.'),
      multipliers: Type.Record(Type.String(), Type.Number(), {
        description: 'Speed multiplier by flight type; 0 if it cannot fly it.',
      }),
      h2Factor: Type.Number(),
    }),
  ),
  research: Type.Array(
    Type.Object({
      type: researchType,
      displayName,
      unlocks: Type.String(),
      maximumLevel: count('Highest level.'),
      seconds: listOf(Type.Integer(), 'Seconds to research each level, from 1.'),
      effect: Type.Optional(ResearchEffect),
    }),
  ),
  roles: Type.Object(
    {
      shipyard: buildingType,
      antiSpy: buildingType,
      planetaryShield: buildingType,
      scout: shipType,
      colonyShip: shipType,
    },
    {
      description:
        'Which types have a special role: what builds ships, limits what scouts report, adds hit points to the defence of its ' +
        'planet, is needed for espionage, and is used up when a planet is colonized.',
    },
  ),
  missions: Type.Array(mission),
  flightTypes: Type.Array(flightType),
  ...ruleParts,
  constants: Type.Record(Type.String(), Type.Number(), { description: 'Constants and limits by name.' }),
});

export const ErrorRow = Type.Object({
  code: errorCode,
  status: Type.Integer(),
  type: Type.String(),
  title: Type.String(),
  remedy: text('What to do about it.'),
});

export const ErrorTable = Type.Object({ errors: Type.Array(ErrorRow) });

export const Problem = Type.Object(
  {
    type: text('URI reference to the row in GET /api/errors.'),
    title: Type.String(),
    status: Type.Integer(),
    detail: text('Describes this occurrence, and says what to do.'),
    code: errorCode,
    requestId: Type.String(),
    errors: Type.Optional(
      listOf(
        Type.Object({ path: Type.String(), message: Type.String() }),
        'Errors in the shape of the request, and where they are.',
      ),
    ),
    missing: Type.Optional(
      Type.Record(Type.String(), Type.Number(), { description: 'Missing whole units or ships, by name.' }),
    ),
    affordableAt: Type.Optional(timestampOrNull('When production alone covers what is missing; null if never.')),
    possibleAt: Type.Optional(timestamp('World time at which the same request is possible again.')),
    inProgress: Type.Optional(
      Type.Object(
        {
          planetId: Type.Optional(shownId('Planet id, of an upgrade or of ships.')),
          buildingType: Type.Optional(buildingType),
          researchType: Type.Optional(researchType),
          shipType: Type.Optional(shipType),
          queueId: Type.Optional(shownId('Identifies the upgrade in POST /api/building/cancel.')),
          targetLevel: Type.Optional(count('The level that is being built or researched.')),
          count: Type.Optional(count('Ships in all orders.')),
          startedAt: Type.Optional(timestamp('When it was started.')),
          finishAt: timestamp('When it is complete.'),
        },
        { description: 'The upgrade, research or ships in the way of the request.' },
      ),
    ),
    owner: Type.Optional(Owner),
    limit: Type.Optional(Type.Object({ name: Type.String(), maximum: Type.Number() })),
    oldestSeq: Type.Optional(count('Seq of the oldest event that is kept.')),
    recovery: Type.Optional(
      Type.Object(
        {
          phase: oneOf(
            ['opening', 'reading_snapshot', 'replaying_log'],
            'What is being done. The last one also fires what fell due while the server was down.',
          ),
          done: count('Rows of the snapshot that are read, or entries of the log that are replayed.'),
          total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
            description: 'Of how many; null if unknown.',
          }),
          secondsLeft: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
            description: 'Until the phase ends, if it goes on as fast; null if unknown.',
          }),
        },
        { description: 'How far the recovery of the world is.' },
      ),
    ),
    retryAfterMs: Type.Optional(count('Present if the same request may succeed after this time.')),
  },
  { description: 'RFC 9457 problem details, application/problem+json.' },
);

export const Origin = Type.Object({
  kind: oneOf(
    [...ORIGIN_KINDS],
    'restore: the world as it was at an earlier seq; fork: a new world that begins in the state of another.',
  ),
  from: text('Name of the data folder or copied snapshot that it was made from.'),
  seq: count('Last entry shared with the source world.'),
  base: count('Each seq and id that this world has handed out since has a number above this one.'),
  worldTime: timestamp('World time of that entry.'),
  stateHash: text('Hash of the state of both worlds at that entry, 16 hexadecimal digits.'),
  madeAt: timestamp('System time at which it was made.'),
});

export const Snapshot = Type.Object({
  seq: count('Last entry that the snapshot covers.'),
  worldTime: timestamp('World time of that entry.'),
  stateHash: text('Hash of the state at that entry, 16 hexadecimal digits.'),
  byteCount: count('Size on disk in bytes.'),
  takenAt: timestamp('System time at which it was taken.'),
});

export const History = Type.Object({
  coveredFromSeq: count(
    'Oldest seq that the world can be restored to; the history from there on can also be verified.',
  ),
  isKept: flag('True with --keep-history: no history is deleted. Otherwise each snapshot may delete the oldest part.'),
});

const replicaRole = oneOf(['leader', 'standby'], 'Whether it takes commands, or follows the log of the leader.');

export const Member = Type.Object({
  id: shownId('Random, of this process.'),
  url: text('Where clients reach it.'),
  role: replicaRole,
  seq: count('Seq of the last entry that it has applied.'),
  version: text('Of the program.'),
  reportedAgoMs: count('Milliseconds since it reported this.'),
});

export const ReplicaState = Type.Object({
  id: shownId('Random, of this process.'),
  role: replicaRole,
  epoch: count('Grows each time that a process begins to lead; 0 before the first.'),
  leaderUrl: orNull(Type.String(), 'Where the leader is reached; null if nobody leads, as far as this process knows.'),
  mayAnswer: flag(
    'False while the process is not sure whether it leads: then it answers nothing that depends on the world.',
  ),
  leaseAgeMs: orNull(
    Type.Integer({ minimum: 0 }),
    'Milliseconds since the leader renewed its lease: on a standby, since it saw that. Null before the first time.',
  ),
  lag: Type.Object(
    { entries: count('Entries of the log.'), ms: count('Milliseconds.') },
    { description: 'How far a standby is behind the log, or for how long it has not reached it; zeros on the leader.' },
  ),
  members: listOf(Member, 'The processes that reported lately.'),
});

export const Announcement = Type.Object({
  text: text('What the operator has to say: data, never an instruction to a program.'),
  at: timestamp('World time at which it was announced.'),
  until: timestampOrNull('World time until which it lasts; null if only another one ends it.'),
});

export const AnnouncementOrNull = Type.Object({
  announcement: orNull(Announcement, 'Null if there is none any more.'),
});

export const Status = Type.Object({
  name: Type.String(),
  version: text('Of the program, with the commit that it was built from: `0.1.0+1a2b3c4d`.'),
  isReplay: flag('True if the past of a world is shown; see GET /api/replay.'),
  rulesVersion: count('Version of the engine that interprets the rules.'),
  rules: RulesIdentity,
  speed: Type.Number({ description: 'Speed of the world; at 1 the durations of the rules hold.' }),
  systemsPerGalaxy: count('Systems in each of the 100 galaxies.'),
  clock: oneOf(['real', 'manual', 'turns'], 'What moves world time: the machine, the operator or a game of turns.'),
  worldTime: timestamp('World time.'),
  pausedAt: timestampOrNull('World time at which the operator paused the clock; null while it runs.'),
  announcement: orNull(Announcement, 'What the operator announces at present; null for nothing.'),
  startedAt: timestamp('World time at which the world began.'),
  nextTimerAt: timestampOrNull('When the next timer of the world fires; null if none is pending.'),
  players: count('Number of players.'),
  planets: count('Number of planets with an owner.'),
  fleets: count('Number of fleets in flight.'),
  seq: count('Number of entries in the log.'),
  durableSeq: count('Number of entries on disk.'),
  durability: Type.Enum(['durable', 'relaxed'], { type: 'string' }),
  snapshot: orNull(Snapshot, 'The newest snapshot; null before the first.'),
  history: orNull(History, 'How much history is on disk; null for a world in memory.'),
  origin: orNull(Origin, 'Source of a restored or forked world; null for any other.'),
  replica: orNull(ReplicaState, 'The role of this process; null if it alone serves the world.'),
  auth: Type.Enum(['none', 'key'], { type: 'string' }),
  registration: oneOf(['open', 'closed'], 'Whether anybody may create a player, or only the operator.'),
  development: oneOf(['on', 'off'], 'Whether the path that takes a planet without a fleet exists.'),
  rateLimits: orNull(
    Type.Object({
      perSecond: Type.Number({ description: 'Tokens that a bucket regains per second.' }),
      burst: count('Tokens of a full bucket.'),
    }),
    'The rate limit of requests; null if there is none. See GET /api/limits.',
  ),
  http: oneOf(['native', 'javascript'], 'Which HTTP server handles the requests.'),
  hint: Type.Optional(text('Advice for the operator.')),
  node: text('Version of Node.'),
  uptimeSeconds: count('Seconds since the process started serving.'),
});

const RANKED_LATER =
  `Ranks after ${LEADERBOARD_ENTRIES_MAX} are found at most each ${RANKING_MAX_AGE_MS / 1000} s if there are more than ` +
  `${RANKED_AT_ONCE_MAX} players; otherwise they are those of the reply.`;

export const Home = Type.Object({
  galaxyIndex,
  index: count('System index within the galaxy.'),
  planetId: shownId('The planet itself.'),
});

export const HomeOrNull = orNull(Home, 'Where the first planet of the player is; null if it owns none.');

/** What everybody may know of a player. */
const publicFacts = {
  id: shownId('Player id.'),
  name: Type.String(),
  isBot: Type.Boolean(),
  points: count('Units of resources in buildings and ships.'),
  planets: count('Number of planets that the player owns.'),
  home: HomeOrNull,
};

export const Leaderboard = Type.Object({
  playerCount: count('Number of players in the world.'),
  asOf: timestamp(`World time of ranks and points. ${RANKED_LATER}`),
  players: Type.Array(Type.Object({ rank: count('Rank, from 1.'), ...publicFacts })),
});

const rankOrNull = orNull(Type.Integer({ minimum: 1 }), 'Rank by points, from 1; null if it is not known yet.');
const nextCursor = orNull(
  Type.String(),
  'The `cursor` of the next request; null if there are no further players. There may be more even if `players` is empty.',
);

export const FoundPlayers = Type.Object({
  asOf: timestamp(`World time of ranks after ${LEADERBOARD_ENTRIES_MAX}. ${RANKED_LATER}`),
  players: Type.Array(Type.Object({ rank: rankOrNull, ...publicFacts })),
  nextCursor,
});

export const ListedPlayers = Type.Object({
  asOf: timestamp(`World time of the order, and of ranks after ${LEADERBOARD_ENTRIES_MAX}. ${RANKED_LATER}`),
  players: Type.Array(
    Type.Object({
      rank: rankOrNull,
      ...publicFacts,
      fleets: count('Number of fleets in flight.'),
      lastActiveAt: timestamp('World time of the last command of its own, or of its creation.'),
      key: oneOf(['none', 'valid', 'expired'], 'Its API key: `none` if it has none, or all were revoked.'),
      keyExpiresAt: timestampOrNull('World time from which the key is no longer valid; null without a key or an end.'),
      suspendedAt: timestampOrNull('World time at which it was suspended; null if it is not.'),
      formerNames: listOf(Type.String(), 'Names that it had before, oldest first. Nobody else gets them.'),
    }),
  ),
  nextCursor,
});

const trafficCounts = {
  requests: count('Requests, and calls over WebSockets.'),
  commands: count('Commands that were accepted, those in batches too.'),
  bytesIn: count('Bytes of bodies, and characters of frames. Heads are not counted.'),
  bytesOut: count('Characters of replies, frames and events: as many bytes, if all names have only ASCII.'),
  refusals: count('Requests and calls that were answered with a problem.'),
  rateLimited: count('Those among them with `rate_limited`.'),
};

/** GET /api/admin/traffic: who sends how much. */
export const ClientTraffic = Type.Object({
  by: oneOf(['player', 'address'], 'What clients are told apart by.'),
  window: oneOf(['minute', 'hour'], 'How far back it reaches.'),
  seconds: Type.Number({ description: 'How long it covers: minutes that are over, and the present one.' }),
  clients: listOf(
    Type.Object({
      playerId: orNull(Type.String(), 'Null for an address.'),
      name: orNull(Type.String(), 'Null for an address, and for a player who has been retired.'),
      address: orNull(Type.String(), 'An IPv4 address, or an IPv6 network of 64 bits; null for a player.'),
      ...trafficCounts,
      connections: count('Open WebSockets and streams of events.'),
    }),
    'The first by `sort`.',
  ),
  others: Type.Object(trafficCounts, { description: 'All other clients together.' }),
  total: Type.Object(trafficCounts, { description: 'All clients. With `by=player`, those who sent a key.' }),
});

/** GET /api/metrics/history: the course of the metrics. */
export const MetricHistory = Type.Object({
  asOf: timestamp("The clock of the server's machine, as of the reply."),
  series: listOf(
    Type.String(),
    'Names with labels, such as `galaxyd_http_requests_total{code="200"}`, as at `/metrics`.',
  ),
  points: listOf(
    Type.Object({
      at: timestamp("When it was taken, by the clock of the server's machine."),
      values: listOf(
        orNull(Type.Number(), 'Null if it was not known.'),
        'In the order of `series`; a series that is newer than the point has none.',
      ),
    }),
    'The oldest first.',
  ),
});

const network = text('The address, or the network of an IPv6 address.');

export const BlockedAddress = Type.Object({
  network,
  until: timestamp('Real time until which it is blocked.'),
});

export const BlockedAddresses = Type.Object({ blocks: Type.Array(BlockedAddress) });

export const UnblockedAddress = Type.Object({ network, wasBlocked: flag('False if it was not blocked.') });

export const AuditRecordEntry = Type.Object({
  at: timestamp('Real time of the request.'),
  requestId: text('Id of the request, as in its reply.'),
  key: orNull(
    Type.String(),
    'Name of the key, `admin-key` for that of the flag; null if it was none of the operators.',
  ),
  address: text('Of the client, behind trusted proxies.'),
  operation: text('Operation id.'),
  method: text('Method of the request.'),
  path: text('Its path, cut if it is long.'),
  body: orNull(Type.String(), 'Its body as JSON, without secrets, cut if it is long; null if there was none.'),
  status: orNull(count('Status.'), 'Status of the reply; null if the client was gone before there was one.'),
  code: orNull(errorCode, 'Code of the problem; null for a success.'),
  seq: orNull(count('Seq.'), 'The last entry of the log that it caused; null if it caused none.'),
  unrecorded: Type.Optional(count('Refusals before this one that were too many to be recorded.')),
});

export const AuditPage = Type.Object({
  records: listOf(AuditRecordEntry, 'The newest first.'),
  nextCursor: orNull(Type.String(), 'For the next page; null if there is none.'),
});

/** What the operator has made of a player. */
export const ModeratedPlayer = Type.Object({
  id: shownId('Player id.'),
  name: Type.String(),
  isBot: Type.Boolean(),
  suspendedAt: timestampOrNull('World time at which it was suspended; null if it is not.'),
  formerNames: listOf(Type.String(), 'Names that it had before, oldest first. Nobody else gets them.'),
});

/** What GET / returns: where everything else is described. */
export const Start = Type.Object({
  name: Type.String(),
  version: Type.String(),
  description: Type.String(),
  links: Type.Object({
    dashboard: text('Page to watch the world in a browser.'),
    docs: text('Page to read and try this interface in a browser.'),
    openapi: text('This interface as an OpenAPI 3.1 document.'),
    asyncapi: text('Events and frames as an AsyncAPI 3.0 document.'),
    llms: text('The game and this interface as one text, for language models.'),
    status: text('Settings, time and size of the world.'),
    catalog: text('The rules of the world as data.'),
    errors: text('Every error code.'),
    limits: text('Limits on requests.'),
    leaderboard: text('The players by points.'),
    health: text('Whether the process is alive.'),
    readiness: text('Whether commands are accepted.'),
    metrics: text('Metrics for Prometheus.'),
  }),
});

export const Health = Type.Object({ status: Type.Literal('ok') });
export const Readiness = Type.Object({ status: Type.Literal('ready') });

export const Success = Type.Object({ success: Type.Boolean() });

export const ClockPosition = Type.Object({
  worldTime: timestamp('World time after the advance.'),
  advancedMs: count('Milliseconds by which the clock advanced.'),
  nextTimerAt: timestampOrNull('When the next timer fires; null if none is pending.'),
  seq: count('Seq of the last entry.'),
});

export const WorldClock = Type.Object({
  worldTime: timestamp('World time.'),
  pausedAt: timestampOrNull('When the clock was paused; null while it runs.'),
  lagMs: count(
    'Milliseconds by which world time is behind the clock of the machine because of pauses; as of the last one that ended.',
  ),
});

export const WorldSpeed = Type.Object({
  speed: Type.Number({ description: 'Speed of the world from now on.' }),
  worldTime: timestamp('When it changed.'),
});

export const BulkPlayers = Type.Object({
  players: Type.Array(
    Type.Object({
      id: shownId('Player id.'),
      name: Type.String(),
      planetId: shownId('Starter planet.'),
      created: flag('False if a bot of that name existed.'),
      apiKey: Type.Optional(text('API key of a created player, with --auth key.')),
    }),
  ),
});

export const RetiredPlayer = Type.Object({
  id: shownId('Player id; it is never used again.'),
  name: Type.String(),
  isBot: Type.Boolean(),
  lastActiveAt: timestamp('World time of its last command, or of its creation.'),
  planets: count('Planets that nobody owns any more.'),
  fleets: count('Fleets that ended.'),
});

export const Retirement = Type.Object({
  players: Type.Array(RetiredPlayer),
  remaining: count('Players who have been inactive for as long and were not retired.'),
  dryRun: flag('True if nothing has changed.'),
});

export const StateHash = Type.Object({
  seq: count('Seq of the last entry.'),
  hash: text('Hash of the state, 16 hexadecimal digits.'),
});

export type SnapshotBody = Static<typeof Snapshot>;
export type RulesIdentityBody = Static<typeof RulesIdentity>;
export type CatalogBody = Static<typeof Catalog>;
export type DefenceBody = Static<typeof DefenceRule>;
export type ResearchEffectBody = Static<typeof ResearchEffect>;
export type StartBody = Static<typeof Start>;
export type ReplicaBody = Static<typeof ReplicaState>;
export type StatusBody = Static<typeof Status>;
export type HomeBody = Static<typeof HomeOrNull>;
export type LeaderboardBody = Static<typeof Leaderboard>;
export type FoundPlayersBody = Static<typeof FoundPlayers>;
export type ListedPlayersBody = Static<typeof ListedPlayers>;
export type MetricHistoryBody = Static<typeof MetricHistory>;
export type ClientTrafficBody = Static<typeof ClientTraffic>;
export type ClockPositionBody = Static<typeof ClockPosition>;
export type WorldClockBody = Static<typeof WorldClock>;
export type WorldSpeedBody = Static<typeof WorldSpeed>;
export type RetiredPlayerBody = Static<typeof RetiredPlayer>;
export type ModeratedPlayerBody = Static<typeof ModeratedPlayer>;
export type AnnouncementBody = Static<typeof Announcement>;
export type AuditPageBody = Static<typeof AuditPage>;
export type RetirementBody = Static<typeof Retirement>;
export type BulkPlayersBody = Static<typeof BulkPlayers>;

export const BatchResults = Type.Object({
  results: listOf(
    Type.Object({
      status: count('Status of the operation, as if sent alone.'),
      body: Type.Optional(
        Type.Unknown({
          description: 'Reply to the operation; with Prefer: return=minimal only if it has a minimal reply.',
        }),
      ),
      code: Type.Optional(errorCode),
    }),
    'One for each operation, in order.',
  ),
});

const left = count('Tokens left, at the time of the reply.');
const fullInMs = Type.Number({ description: 'Milliseconds until the bucket is full, if nothing is taken meanwhile.' });

/** GET /api/limits: what a client may send, and what it has left. */
export const Limits = Type.Object({
  requests: orNull(
    Type.Object({
      countedBy: Type.Union([Type.Literal('player'), Type.Literal('address')], {
        description: 'Whose bucket this request took from: that of the player whose key was sent, or of the address.',
      }),
      perSecond: Type.Number({ description: 'Tokens that the bucket regains per second.' }),
      burst: count('Tokens of a full bucket.'),
      windowSeconds: count('Seconds in which an empty bucket is full again.'),
      left,
      fullInMs,
    }),
    'The rate limit of requests; null if there is none.',
  ),
  registrations: orNull(
    Type.Object({ perMinute: count('Players that an address may create per minute.'), left, fullInMs }),
    'The rate limit of new players, always of the address; null if there is none.',
  ),
  connections: Type.Object({
    maximum: count('Open connections of all clients.'),
    perAddress: count('Open connections of one address; loopback addresses have no such limit.'),
    idleSeconds: count('Seconds of silence after which the server closes a connection.'),
  }),
  bodies: Type.Object({
    bytes: count('Longest body of a request.'),
    batchBytes: count('Longest body of a batch.'),
    batchOperations: count('Operations of one batch.'),
    bytesPerToken: count('Number of further bytes of a body that take one more token.'),
  }),
  events: Type.Object({
    perReply: count('Events of one long poll.'),
    waitSeconds: count('How long a long poll may wait.'),
    readersPerPlayer: count('Long polls that wait for the events of one player, and streams of them.'),
    stallSeconds: count('Seconds after which a stream or a WebSocket whose client reads nothing is cut off.'),
  }),
  messages: Type.Object({
    perReply: count(
      'Messages of players in one reply. What a player may send is a rule: `messages` of GET /api/catalog.',
    ),
  }),
  costs: listOf(
    Type.Object({
      operationId: Type.String(),
      method: methodOf('Method of the operation.'),
      path: Type.String(),
      cost: count('Tokens. A batch takes the sum of its operations, each of them one at least.'),
    }),
    'What each operation takes from the rate limit of requests.',
  ),
});

export type LimitsBody = Static<typeof Limits>;
