// Schema of GET /api/limits: what a client may send, and what it has left.
import type { Static } from 'typebox';
import { Type } from '../../persistence/typebox.js';
import { count, methodOf } from './primitives.js';

const left = count('Tokens left, at the time of the reply.');
const fullInMs = Type.Number({ description: 'Milliseconds until the bucket is full, if nothing is taken meanwhile.' });

export const Limits = Type.Object({
  requests: Type.Union(
    [
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
      Type.Null(),
    ],
    { description: 'The rate limit of requests; null if there is none.' },
  ),
  registrations: Type.Union(
    [Type.Object({ perMinute: count('Players that an address may create per minute.'), left, fullInMs }), Type.Null()],
    { description: 'The rate limit of new players, always of the address; null if there is none.' },
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
    bytesPerToken: count('Each further so many bytes of a body take one more token.'),
  }),
  events: Type.Object({
    perReply: count('Events of one long poll.'),
    waitSeconds: count('How long a long poll may wait.'),
    readersPerPlayer: count('Long polls that wait for the events of one player, and streams of them.'),
    stallSeconds: count('Seconds after which a stream or a WebSocket whose client reads nothing is cut off.'),
  }),
  costs: Type.Array(
    Type.Object({
      operationId: Type.String(),
      method: methodOf('Method of the operation.'),
      path: Type.String(),
      cost: count('Tokens. A batch takes the sum of its operations, each of them one at least.'),
    }),
    { description: 'What each operation takes from the rate limit of requests.' },
  ),
});

export type LimitsBody = Static<typeof Limits>;
