// The route of a tournament whose games a replay shows (decision 22).
import { type Route, readRoute } from '../pipeline/route.js';
import { Tournament } from '../schemas/tournament.js';
import { answerInReplay } from './replay.js';

const getTournament = readRoute({
  operationId: 'getTournament',
  path: '/api/tournament',
  tag: 'replay',
  summary: 'Returns the result of a tournament: standings, settings and games.',
  description:
    'While the tournament runs, the games that are over are in it, and its key secret is null. POST /api/replay with `game` shows the ' +
    'world of one of them. A server that was not started with `galaxyd replay` and the folder of a tournament answers 403.',
  access: 'spectator',
  cost: 5,
  replies: [{ status: 200, description: 'The result.', schema: Tournament }],
  errors: ['forbidden'],
  handle(game, exchange) {
    const { tournament } = game;
    if (tournament === null) game.replies.refuse(exchange, 'forbidden', { detail: 'This server shows no tournament.' });
    else answerInReplay(game, exchange, tournament.replay, tournament.result());
  },
});

export const TOURNAMENT_ROUTES: readonly Route[] = [getTournament];
