// Pacts of two players: proposals, answers and notice.
import { parsePactId, parsePlayerId } from '../../engine/terms/ids.js';
import { PACT_KINDS } from '../../engine/terms/pacts.js';
import type { Exchange } from '../exchange/exchange.js';
import type { ProblemCode } from '../exchange/problems.js';
import type { GamePorts } from '../game/game-ports.js';
import { commandRoute, type HandledRoute, type ParameterRule, readRoute } from '../pipeline/route.js';
import { Pact, Pacts } from '../schemas/pacts.js';
import { PactRequest, ProposePactRequest } from '../schemas/requests.js';
import { pactBody } from '../views/pact-view.js';
import { PLAYER_PARAMETER, playerOfBody } from './route-parts.js';

const PACT_PARAMETER: ParameterRule = { name: 'pactId', description: 'Pact id.' };
const OF_PACT: readonly ProblemCode[] = ['player_not_found', 'pact_not_found', 'not_owner'];

const proposePact = commandRoute({
  operationId: 'proposePact',
  path: '/api/pact',
  tag: 'diplomacy',
  summary: 'Proposes a pact to another player.',
  description:
    'With `non_aggression` attacks of both on each other turn round on arrival. With `shared_sight` each reads what planets of the other see. The ' +
    'other player accepts or declines; a proposal that nobody answers expires. Two players have at most one pact of a kind.',
  access: 'player',
  actor: playerOfBody,
  body: { schema: ProposePactRequest },
  replies: [{ status: 200, description: 'The proposal.', schema: Pact }],
  errors: ['player_not_found', 'not_owner', 'pacts_not_in_rules', 'pact_exists', 'limit_reached', 'pact_with_oneself'],
  command({ world, access }, exchange, { playerId, partnerId, kind, durationSeconds }) {
    const playerNumber = parsePlayerId(world, playerId);
    const partnerNumber = parsePlayerId(world, partnerId);
    if (!access.authorizes(exchange, { actorNumber: playerNumber, otherPlayerNumber: partnerNumber })) return null;
    return {
      type: 'propose_pact',
      playerNumber,
      partnerNumber,
      kind: PACT_KINDS.indexOf(kind),
      durationMs: durationSeconds * 1000,
    };
  },
  reply: ({ world }, pact) => JSON.stringify(pactBody(world, pact)),
});

const acceptPact = commandRoute({
  operationId: 'acceptPact',
  path: '/api/pact/:pactId/accept',
  tag: 'diplomacy',
  summary: 'Accepts a proposal of another player.',
  description: 'The pact is in force at once. Both players and the public hear of it.',
  access: 'player',
  parameters: [PACT_PARAMETER],
  actor: playerOfBody,
  body: { schema: PactRequest },
  replies: [{ status: 200, description: 'The pact.', schema: Pact }],
  errors: [...OF_PACT, 'pact_in_force', 'limit_reached'],
  command: (ports, exchange, { playerId }) => commandOn('accept_pact', ports, exchange, playerId),
  reply: ({ world }, pact) => JSON.stringify(pactBody(world, pact)),
});

const declinePact = commandRoute({
  operationId: 'declinePact',
  path: '/api/pact/:pactId/decline',
  tag: 'diplomacy',
  summary: 'Declines a proposal of another player.',
  description: 'Both players hear of it, and nobody else.',
  access: 'player',
  parameters: [PACT_PARAMETER],
  actor: playerOfBody,
  body: { schema: PactRequest },
  replies: [{ status: 200, description: 'The proposal, which is gone.', schema: Pact }],
  errors: [...OF_PACT, 'pact_in_force'],
  command: (ports, exchange, { playerId }) => commandOn('decline_pact', ports, exchange, playerId),
  reply: ({ world }, pact) => JSON.stringify(pactBody(world, pact)),
});

const cancelPact = commandRoute({
  operationId: 'cancelPact',
  path: '/api/pact/:pactId/cancel',
  tag: 'diplomacy',
  summary: 'Withdraws a proposal, or gives notice of a pact.',
  description:
    'A pact ends `noticeSeconds` of `pacts` in the rules later, divided by the speed of the world, unless it ends before. Both players and the public ' +
    'hear of it at once.',
  access: 'player',
  parameters: [PACT_PARAMETER],
  actor: playerOfBody,
  body: { schema: PactRequest },
  replies: [{ status: 200, description: 'The proposal, which is gone, or the pact and when it ends.', schema: Pact }],
  errors: [...OF_PACT, 'pact_ending'],
  command: (ports, exchange, { playerId }) => commandOn('cancel_pact', ports, exchange, playerId),
  reply: ({ world }, pact) => JSON.stringify(pactBody(world, pact)),
});

const getPacts = readRoute({
  operationId: 'getPacts',
  path: '/api/game/pacts/:playerId',
  tag: 'diplomacy',
  summary: 'Returns the pacts of a player, and the proposals that it has made or received.',
  description: 'Those that have ended are no longer listed.',
  access: 'player',
  parameters: [PLAYER_PARAMETER],
  replies: [{ status: 200, description: 'The pacts and proposals, the oldest first.', schema: Pacts }],
  errors: ['not_owner', 'player_not_found'],
  handle({ world, access, replies, views }, exchange) {
    const player = access.ownPlayer(exchange, parsePlayerId(world, exchange.parameters[0] as string));
    if (player === null || replies.answersWithoutBody(exchange, player.changedSeq, views.states.tag(player))) return;
    const pacts = world.pacts.of(player.number).map((pact) => pactBody(world, pact));
    replies.answer(exchange, player.changedSeq, JSON.stringify(pacts));
  },
});

export const PACT_ROUTES: readonly HandledRoute<GamePorts>[] = [
  proposePact,
  acceptPact,
  declinePact,
  cancelPact,
  getPacts,
];

/** A command on the pact of the path; null if it is refused: the exchange is answered then. */
function commandOn<const Type extends 'accept_pact' | 'decline_pact' | 'cancel_pact'>(
  type: Type,
  { world, access }: GamePorts,
  exchange: Exchange,
  playerId: string,
): { readonly type: Type; readonly playerNumber: number; readonly pactNumber: number } | null {
  const playerNumber = parsePlayerId(world, playerId);
  const pactNumber = parsePactId(exchange.parameters[0] as string);
  if (!access.authorizes(exchange, { actorNumber: playerNumber, pactNumber })) return null;
  return { type, playerNumber, pactNumber };
}
