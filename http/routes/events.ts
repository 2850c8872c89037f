// Reading events: long poll and server-sent events, of a player and of topic `world` (decision 19).
import { parsePlayerId } from '../../engine/terms/ids.js';
import { Type } from '../../persistence/typebox.js';
import type { EventReaders } from '../events/event-readers.js';
import type { LongPollQuery } from '../events/long-poll.js';
import { EVENT_STREAM_TYPE, type Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { GamePorts } from '../game/game-ports.js';
import { EVENT_SEQ_MAX, EVENT_WAIT_SECONDS_MAX, EVENTS_PER_REPLY_MAX } from '../limits.js';
import { type HandledRoute, type ParameterRule, type ReplyRule, readRoute } from '../pipeline/route.js';
import { EventPage } from '../schemas/events.js';
import { PLAYER_PARAMETER } from './route-parts.js';

interface EventPorts extends GamePorts {
  readonly readers: EventReaders;
}

const SINCE: ParameterRule = {
  name: 'since',
  description: 'Seq of the last event that the client has; 0: from the beginning.',
  example: 7,
  minimum: 0,
  maximum: EVENT_SEQ_MAX,
};

const POLL_QUERY: readonly ParameterRule[] = [
  { ...SINCE, description: `${SINCE.description} Without it no events are returned, only lastSeq.` },
  {
    name: 'wait',
    description:
      'Seconds that the reply may wait for an event if there is none after since; 0 by default. Not in a batch or a call.',
    example: 0,
    minimum: 0,
    maximum: EVENT_WAIT_SECONDS_MAX,
  },
  {
    name: 'limit',
    description: `Number of events, at most; ${EVENTS_PER_REPLY_MAX} by default.`,
    example: 100,
    minimum: 1,
    maximum: EVENTS_PER_REPLY_MAX,
  },
];

const STREAM_QUERY: readonly ParameterRule[] = [
  {
    ...SINCE,
    description: `${SINCE.description} Without it, and without Last-Event-ID, the stream begins after the last event.`,
  },
];

const POLL_REPLIES: readonly ReplyRule[] = [{ status: 200, description: 'Events, oldest first.', schema: EventPage }];
const STREAM_REPLIES: readonly ReplyRule[] = [
  {
    status: 200,
    description:
      'A stream that does not end: of each event `id` is the seq, `event` the type and `data` the event as JSON. An `error` with a ' +
      'problem as `data` is the last one.',
    schema: Type.String(),
    contentType: EVENT_STREAM_TYPE,
  },
];

const WORLD_ABOUT =
  'Topic `world`: players who join and are retired, planets that are colonized, battles; in a world without keys all fleets, too. ' +
  'Its events have seqs of their own. With --auth key it needs the key of any player, the spectator key or the admin key. ';
const POLL_ABOUT =
  'If there are events after `since`, they are returned at once. Otherwise the reply waits up to `wait` seconds for one. ' +
  'An event is shown once it is on disk. While the reply waits, no further request may be sent on its connection.';
const STREAM_ABOUT =
  'A client that reconnects sends the id of the last event it has as Last-Event-ID, which takes precedence over `since`, and gets all ' +
  'events after it. A client that does not read is cut off. A comment each 15 s keeps the connection open. Not available in a batch.';

const getPlayerEvents = readRoute({
  operationId: 'getPlayerEvents',
  path: '/api/event/player/:playerId',
  tag: 'events',
  summary: 'Returns the events of a player after a seq, and waits for one if there is none.',
  description: POLL_ABOUT,
  access: 'player',
  parameters: [PLAYER_PARAMETER],
  query: POLL_QUERY,
  replies: POLL_REPLIES,
  errors: ['not_owner', 'player_not_found', 'events_expired'],
  handle({ access, readers, world }: EventPorts, exchange) {
    const player = access.ownPlayer(exchange, parsePlayerId(world, exchange.parameters[0] as string));
    if (player !== null) poll(readers, exchange, player.number);
  },
});

const streamPlayerEvents = readRoute({
  operationId: 'streamPlayerEvents',
  path: '/api/event/player/:playerId/stream',
  tag: 'events',
  summary: 'Streams the events of a player as server-sent events.',
  description: STREAM_ABOUT,
  access: 'player',
  parameters: [PLAYER_PARAMETER],
  query: STREAM_QUERY,
  replies: STREAM_REPLIES,
  errors: ['not_owner', 'player_not_found', 'events_expired', 'shutting_down'],
  handle({ access, readers, world }: EventPorts, exchange) {
    const player = access.ownPlayer(exchange, parsePlayerId(world, exchange.parameters[0] as string));
    if (player !== null) stream(readers, exchange, player.number);
  },
});

const getWorldEvents = readRoute({
  operationId: 'getWorldEvents',
  path: '/api/event/world',
  tag: 'events',
  summary: 'Returns the public events of all players after a seq, and waits for one if there is none.',
  description: WORLD_ABOUT + POLL_ABOUT,
  access: 'spectator',
  query: POLL_QUERY,
  replies: POLL_REPLIES,
  errors: ['events_expired'],
  handle({ access, readers }: EventPorts, exchange) {
    poll(readers, exchange, access.worldTopic);
  },
});

const streamWorldEvents = readRoute({
  operationId: 'streamWorldEvents',
  path: '/api/event/world/stream',
  tag: 'events',
  summary: 'Streams the public events of all players as server-sent events.',
  description: WORLD_ABOUT + STREAM_ABOUT,
  access: 'spectator',
  query: STREAM_QUERY,
  replies: STREAM_REPLIES,
  errors: ['events_expired', 'shutting_down'],
  handle({ access, readers }: EventPorts, exchange) {
    stream(readers, exchange, access.worldTopic);
  },
});

export const EVENT_ROUTES: readonly HandledRoute<EventPorts>[] = [
  getPlayerEvents,
  streamPlayerEvents,
  getWorldEvents,
  streamWorldEvents,
];

function poll(readers: EventReaders, exchange: Exchange, receiver: number): void {
  const query = longPollQuery(exchange.queryValues);
  if (query.waitMs > 0 && !exchange.mayWait) {
    const errors = [{ path: 'wait', message: 'must be 0 in a batch or a call' }];
    sendProblem(exchange, 'invalid_request', { errors });
    return;
  }
  readers.poll(exchange, receiver, query);
}

function longPollQuery([since = null, wait = null, limit = null]: Exchange['queryValues']): LongPollQuery {
  return {
    sinceSeq: since === null ? null : Number(since),
    waitMs: Number(wait ?? 0) * 1_000,
    limit: Number(limit ?? EVENTS_PER_REPLY_MAX),
  };
}

function stream(readers: EventReaders, exchange: Exchange, receiver: number): void {
  const { lastEventId } = exchange;
  const [since = null] = exchange.queryValues;
  if (lastEventId !== '' && !/^\d{1,15}$/.test(lastEventId)) {
    const errors = [{ path: 'Last-Event-ID', message: 'must be the seq of an event' }];
    sendProblem(exchange, 'invalid_request', { errors });
    return;
  }
  const sinceSeq = lastEventId === '' ? since : lastEventId;
  readers.stream(exchange, receiver, sinceSeq === null ? null : Number(sinceSeq));
}
