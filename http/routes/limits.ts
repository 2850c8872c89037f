// What a client may send, and what it has left.
import { type Route, readRoute } from '../pipeline/route.js';
import { Limits } from '../schemas/limits.js';

const getLimits = readRoute({
  operationId: 'getLimits',
  path: '/api/limits',
  tag: 'world',
  worldUse: 'none',
  summary: 'Returns the limits of this server, the cost of each operation and what the caller has left.',
  description: 'It takes nothing from the rate limit, so it is answered even if nothing is left.',
  access: 'public',
  cost: 0,
  replies: [{ status: 200, description: 'The limits.', schema: Limits }],
  handle(game, exchange) {
    const { version, text } = game.services.limits.of(exchange);
    if (!game.replies.answersWithoutBody(exchange, 0, game.replies.tagOf(`limits-${version}`)))
      game.replies.answer(exchange, 0, text);
  },
});

export const LIMIT_ROUTES: readonly Route[] = [getLimits];
