// The route of a tournament whose games a replay shows (decision 22).
import type { GamePorts } from '../game/game-ports.js';
import { type HandledRoute, readRoute } from '../pipeline/route.js';
import type { ReplayedTournament } from '../replay/replayed-tournament.js';
import { Tournament } from '../schemas/tournament.js';
import { answerInReplay } from './replay.js';

interface TournamentPorts extends GamePorts {
  readonly tournament: ReplayedTournament;
}

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
  handle({ replies, tournament }: TournamentPorts, exchange) {
    answerInReplay(replies, exchange, tournament.replay, tournament.result());
  },
});

export const TOURNAMENT_ROUTES: readonly HandledRoute<TournamentPorts>[] = [getTournament];
