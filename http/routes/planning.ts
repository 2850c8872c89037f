// Reads for planners: what can be started, what it costs and gains, and the whole situation in a page of text.

import { LEADERBOARD_ENTRIES_MAX } from '../../engine/rules/limits.js';
import { parsePlanetId, parsePlayerId } from '../../engine/terms/ids.js';
import { Type } from '../../persistence/typebox.js';
import { BRIEF_LENGTH_MAX } from '../limits.js';
import { type Route, readRoute } from '../pipeline/route.js';
import { PlanetOptions } from '../schemas/planning.js';
import { briefText, briefVersionOfOthers } from '../views/brief-view.js';
import { optionsBody } from '../views/options-view.js';
import { versionOf } from '../views/planet-view.js';
import { PLANET_PARAMETER, PLAYER_PARAMETER } from './parameters.js';

const getOptions = readRoute({
  operationId: 'getOptions',
  path: '/api/game/options/:planetId',
  tag: 'planning',
  summary: 'Returns what can be started on a planet: upgrades, constructions, ships and research.',
  description:
    'Each option has its cost, duration and gain, when it is affordable, what else is in the way, and the request ' +
    'that starts it. Ships are listed one at a time, if the planet has a shipyard. What has reached its highest ' +
    'level is not listed. Research is the same for all planets of a player. A planet that nobody owns has no options.',
  access: 'player',
  cost: 3,
  parameters: [PLANET_PARAMETER],
  replies: [{ status: 200, description: 'The options.', schema: PlanetOptions }],
  errors: ['not_owner', 'planet_not_found'],
  handle(game, exchange) {
    const key = parsePlanetId(game.world.universe, exchange.parameters[0] as string);
    const planet = game.access.ownPlanet(exchange, key);
    if (planet === null) return;
    // Research is in the way on all planets of the player.
    const seq = planet?.owner.changedSeq ?? game.world.planets.removedSeq;
    const tag = planet === undefined ? game.replies.tagOf('no-owner') : game.views.states.tag(planet.owner);
    if (game.replies.answersWithoutBody(exchange, seq, tag)) return;
    const body =
      planet === undefined
        ? { planetId: exchange.parameters[0], nextTimerAt: null, options: [] }
        : optionsBody(game.world, planet, game.nowMs);
    game.replies.answer(exchange, seq, JSON.stringify(body));
  },
});

export const BRIEF_TYPE = 'text/markdown; charset=utf-8';

const getBrief = readRoute({
  operationId: 'getBrief',
  path: '/api/brief/player/:playerId',
  tag: 'planning',
  summary: 'Returns the whole situation of a player as short Markdown, for a language model.',
  description:
    `At most ${BRIEF_LENGTH_MAX} characters; what does not fit is counted. Names that other players chose are quoted ` +
    'and marked. Not available in a batch.',
  access: 'player',
  cost: 5,
  parameters: [PLAYER_PARAMETER],
  replies: [{ status: 200, description: 'The situation.', schema: Type.String(), contentType: BRIEF_TYPE }],
  errors: ['not_owner', 'player_not_found'],
  isHeavy: true,
  handle(game, exchange) {
    const player = game.access.ownPlayer(exchange, parsePlayerId(game.world, exchange.parameters[0] as string));
    if (player === null) return;
    const { world, sequencer } = game;
    const rank = world.leaderboard.first(LEADERBOARD_ENTRIES_MAX).indexOf(player.number) + 1;
    const others = briefVersionOfOthers(world, player, rank);
    const tag = game.replies.tagOf(`${versionOf(player.changedSeq)}-${others}`);
    if (game.replies.answersWithoutBody(exchange, sequencer.lastSeq, tag)) return;
    exchange.replyType = BRIEF_TYPE;
    game.replies.answer(exchange, sequencer.lastSeq, briefText(world, player, rank, game.nowMs));
  },
});

export const PLANNING_ROUTES: readonly Route[] = [getOptions, getBrief];
