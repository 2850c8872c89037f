// Research (specification, section 11).

import { parsePlayerId } from '../../engine/terms/ids.js';
import { Type } from '../../persistence/typebox.js';
import type { GamePorts } from '../game/game-ports.js';
import { commandRoute, type HandledRoute, readRoute } from '../pipeline/route.js';
import { ResearchEntry } from '../schemas/player.js';
import { StartResearchRequest } from '../schemas/requests.js';
import { researchBodies, researchBody } from '../views/player-view.js';
import { PLAYER_PARAMETER, playerOfBody } from './route-parts.js';

const getResearch = readRoute({
  operationId: 'getResearch',
  path: '/api/research/player/:playerId',
  tag: 'research',
  summary: 'Returns the research of a player.',
  description: 'All research that was started at least once.',
  access: 'player',
  parameters: [PLAYER_PARAMETER],
  replies: [{ status: 200, description: 'The entries.', schema: Type.Array(ResearchEntry) }],
  errors: ['not_owner', 'player_not_found'],
  handle({ world, access, replies, views }, exchange) {
    const player = access.ownPlayer(exchange, parsePlayerId(world, exchange.parameters[0] as string));
    if (player === null || replies.answersWithoutBody(exchange, player.changedSeq, views.states.tag(player))) return;
    replies.answer(exchange, player.changedSeq, JSON.stringify(researchBodies(world, player)));
  },
});

const startResearch = commandRoute({
  operationId: 'startResearch',
  path: '/api/research/start',
  tag: 'research',
  summary: 'Starts the next level of a research; a player can have one in progress.',
  description: 'It costs nothing but time. A player can research one type at a time.',
  access: 'player',
  actor: playerOfBody,
  body: { schema: StartResearchRequest },
  replies: [{ status: 200, description: 'The entry.', schema: ResearchEntry }],
  errors: ['not_owner', 'player_not_found', 'research_in_progress', 'limit_reached'],
  command({ world, access, rules }, exchange, { playerId, researchType }) {
    const playerNumber = parsePlayerId(world, playerId);
    if (!access.authorizes(exchange, { actorNumber: playerNumber })) return null;
    return { type: 'start_research', playerNumber, researchType: rules.researchNumber(researchType) };
  },
  reply: ({ world, rules }, player, { researchType }) =>
    JSON.stringify(researchBody(world, player, rules.researchNumber(researchType))),
});

export const RESEARCH_ROUTES: readonly HandledRoute<GamePorts>[] = [getResearch, startResearch];
