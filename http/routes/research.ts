// Research (contract: Endpoints, Research).
import { parsePlayerId } from '../../engine/terms/ids.js';
import { Type } from '../../persistence/typebox.js';
import { type Route, readRoute, writeRoute } from '../pipeline/route.js';
import { ResearchEntry } from '../schemas/player.js';
import { StartResearchRequest } from '../schemas/requests.js';
import { researchBodies, researchBody } from '../views/player-view.js';
import { playerOfBody } from './actors.js';
import { PLAYER_PARAMETER } from './parameters.js';

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
  handle(game, exchange) {
    const player = game.access.ownPlayer(exchange, parsePlayerId(game.world, exchange.parameters[0] as string));
    if (player === null || game.replies.answersWithoutBody(exchange, player.changedSeq, game.views.states.tag(player)))
      return;
    game.replies.answer(exchange, player.changedSeq, JSON.stringify(researchBodies(game.world, player)));
  },
});

const startResearch = writeRoute({
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
  handle(game, exchange, body) {
    const playerNumber = parsePlayerId(game.world, body.playerId);
    if (!game.access.authorizes(exchange, { actorNumber: playerNumber })) return;
    const researchType = game.rules.researchNumber(body.researchType);
    const player = game.submit(exchange, { type: 'start_research', playerNumber, researchType });
    if (player !== null)
      game.replies.answerLatest(
        exchange,
        exchange.wantsBody ? JSON.stringify(researchBody(game.world, player, researchType)) : '',
      );
  },
});

export const RESEARCH_ROUTES: readonly Route[] = [getResearch, startResearch];
