// What a client may send, and what it has left.

import type { LimitsPage } from '../admission/limits-page.js';
import type { GamePorts } from '../game/game-ports.js';
import { type HandledRoute, readRoute } from '../pipeline/route.js';
import { Limits } from '../schemas/limits.js';

interface LimitPorts extends GamePorts {
  readonly limits: Pick<LimitsPage, 'of'>;
}

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
  handle({ limits, replies }: LimitPorts, exchange) {
    const { version, text } = limits.of(exchange);
    if (!replies.answersWithoutBody(exchange, 0, replies.tagOf(`limits-${version}`))) replies.answer(exchange, 0, text);
  },
});

export const LIMIT_ROUTES: readonly HandledRoute<LimitPorts>[] = [getLimits];
