// The frames of the WebSocket `/ws`, subprotocol galaxyd.v1: one JSON object per text frame. The server checks the frames
// of clients against these schemas, and the AsyncAPI document is derived from them.
import type { TSchema } from 'typebox';
import { Type } from '../../persistence/typebox.js';
import {
  FRAME_ID_LENGTH_MAX,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  KEY_LENGTH_MAX,
  PATH_LENGTH_MAX,
  WORLD_SEQ_MAX,
} from '../limits.js';
import { mapFrameFields } from './map.js';
import { boundedInteger, closed, count, id, methodOf, oneOf, shownId, text, timestamp } from './primitives.js';
import { IfMatch } from './requests.js';
import { Problem } from './world.js';

/** Id of a frame of a client. Its answer repeats it. */
const frameId = Type.Optional(
  Type.Union(
    [
      Type.String({ maxLength: FRAME_ID_LENGTH_MAX }),
      Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    ],
    { description: 'Chosen by the client; the answer repeats it.' },
  ),
);
const shownFrameId = Type.Optional(
  Type.Union([Type.String(), Type.Integer()], { description: 'The id of the frame that this answers, if it had one.' }),
);

const since = Type.Optional(
  boundedInteger(
    0,
    Number.MAX_SAFE_INTEGER,
    'Seq of the last event that the client has; 0 for all that are kept. Without it, only later events are sent.',
  ),
);
const minSeq = Type.Optional(
  boundedInteger(
    0,
    WORLD_SEQ_MAX,
    'As the header x-min-seq: the process must have applied this entry first. Ignored if one process serves the world.',
  ),
);
const topic = Type.Literal('world', { description: 'The public events of all players.' });
const mapTopic = Type.Literal('map', { description: 'What changes on the map.' });
const anyTopic = oneOf(['world', 'map'], '`world`: the public events of all players. `map`: what changes on the map.');
const ofPlayer = { playerId: id('Player id.') };
const ofTopic = { topic: anyTopic };
const shownReceiver = {
  playerId: Type.Optional(shownId('The player whose events they are.')),
  topic: Type.Optional(anyTopic),
};

const op = <Name extends string>(name: Name) => Type.Literal(name, { description: 'What the frame is.' });

export interface FrameRule {
  readonly summary: string;
  readonly schema: TSchema;
}

/** What clients send, by `op`. */
export const CLIENT_FRAMES = {
  hello: {
    summary: 'Brings an API key, with --auth key. Each further one adds a key; the last one is the default of calls.',
    schema: closed({
      op: op('hello'),
      id: frameId,
      key: Type.Optional(
        Type.String({ maxLength: KEY_LENGTH_MAX, description: 'API key of a player, spectator key or admin key.' }),
      ),
      minSeq,
    }),
  },
  subscribe: {
    summary:
      'Asks for the events of a player or of the topic `world`, or for frames of the topic `map`. With --auth key `map` needs the ' +
      'spectator key or the admin key.',
    schema: Type.Union([
      closed({ op: op('subscribe'), id: frameId, ...ofPlayer, since }),
      closed({ op: op('subscribe'), id: frameId, ...ofTopic, since }),
    ]),
  },
  unsubscribe: {
    summary: 'Ends a subscription.',
    schema: Type.Union([
      closed({ op: op('unsubscribe'), id: frameId, ...ofPlayer }),
      closed({ op: op('unsubscribe'), id: frameId, ...ofTopic }),
    ]),
  },
  call: {
    summary:
      'Runs an operation that a batch may hold, as if it had been sent alone over HTTP. Further ones may be sent before ' +
      'it is answered; answers may come in another order.',
    schema: closed({
      op: op('call'),
      id: frameId,
      method: methodOf('Method of the operation.'),
      path: Type.String({ minLength: 1, maxLength: PATH_LENGTH_MAX, description: 'Path of the operation.' }),
      body: Type.Optional(
        Type.Unknown({ description: 'Body of the operation, as if sent alone.', 'x-checked-by': 'the operation' }),
      ),
      idempotencyKey: Type.Optional(
        Type.String({ maxLength: IDEMPOTENCY_KEY_LENGTH_MAX, description: 'As the header Idempotency-Key.' }),
      ),
      ifMatch: IfMatch,
      prefer: Type.Optional(
        Type.Literal('return=minimal', {
          description:
            'The body is the minimal reply of a command that has one, and else left out; a problem has only its code.',
        }),
      ),
      playerId: Type.Optional(id('Whose key the call uses, if the connection has several; by default the last one.')),
      minSeq,
    }),
  },
  ping: {
    summary: 'Asks for a pong. No key is needed.',
    schema: closed({ op: op('ping'), id: frameId }),
  },
} as const satisfies Record<string, FrameRule>;

export type ClientOp = keyof typeof CLIENT_FRAMES;

/** What the server sends, by `op`. */
export const SERVER_FRAMES = {
  welcome: {
    summary: 'The connection may be used, with the key of the hello that this answers.',
    schema: Type.Object({
      op: op('welcome'),
      id: shownFrameId,
      worldTime: timestamp('World time.'),
      callsMax: count('Calls that may be unanswered at a time; a further one is refused with 429.'),
      subscriptionsMax: count('Subscriptions that the connection may have.'),
      playerId: Type.Optional(shownId('The player whose key was accepted.')),
    }),
  },
  subscribed: {
    summary: 'A subscription begins. What comes after `since` follows, or after `lastSeq`.',
    schema: Type.Object({
      op: op('subscribed'),
      id: shownFrameId,
      ...shownReceiver,
      lastSeq: count('Seq of the last event so far.'),
    }),
  },
  unsubscribed: {
    summary: 'A subscription has ended: no event of it follows.',
    schema: Type.Object({ op: op('unsubscribed'), id: shownFrameId, ...shownReceiver }),
  },
  event: {
    summary: 'An event of a subscription, in order of its seqs. Those of the topic `world` name it.',
    schema: Type.Object(
      {
        op: op('event'),
        topic: Type.Optional(topic),
        seq: count('1, 2, 3 and so on, of the player or the topic.'),
      },
      { description: 'With all other fields of the event.' },
    ),
  },
  frame: {
    summary:
      'What has changed on the map, at most once a second. It is the same for all viewers, so it may repeat what you have already. If ' +
      'it cannot continue from your position, an error with the code events_expired ends the subscription: fetch /api/map and ' +
      '/api/map/fleets again.',
    schema: Type.Object({ op: op('frame'), topic: mapTopic, ...mapFrameFields }),
  },
  reply: {
    summary:
      'Answers a call. With `prefer` return=minimal the body is the minimal reply of a command that has one, and else left out; a ' +
      'problem has only its code.',
    schema: Type.Object({
      op: op('reply'),
      id: shownFrameId,
      status: Type.Integer({ minimum: 200, maximum: 599, description: 'As over HTTP.' }),
      body: Type.Optional(Type.Unknown({ description: 'As over HTTP; a problem if status is 400 or more.' })),
      code: Type.Optional(text('Code of a problem, if the body is left out.')),
      worldSeq: Type.Optional(count('As the header x-world-seq; only if several processes serve the world.')),
      location: Type.Optional(text('As over HTTP: where the leader takes the call, if status is 421.')),
      replayed: Type.Optional(
        Type.Literal(true, { description: 'It is the reply to an earlier call with the same idempotencyKey.' }),
      ),
    }),
  },
  pong: {
    summary: 'Answers a ping.',
    schema: Type.Object({ op: op('pong'), id: shownFrameId, worldTime: timestamp('World time.') }),
  },
  error: {
    summary:
      'Answers a frame that is refused and is not a call. Without id it may also say why the connection, or the ' +
      'subscription that it names, ends.',
    schema: Type.Object({ op: op('error'), id: shownFrameId, ...shownReceiver, problem: Problem }),
  },
} as const satisfies Record<string, FrameRule>;
