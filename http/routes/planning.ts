// Reads for planners: what can be started, what it costs and gains, and the whole situation in a page of text.
import { parsePlanetId } from '../../engine/ids.js';
import { type Route, readRoute } from '../pipeline/route.js';
import { OPTIONS } from '../schemas/examples.js';
import { PlanetOptions } from '../schemas/planning.js';
import { optionsBody } from '../views/options-view.js';
import { PLANET_PARAMETER } from './parameters.js';

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
  parameters: [PLANET_PARAMETER],
  replies: [{ status: 200, description: 'The options.', schema: PlanetOptions, example: OPTIONS }],
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
      planet === undefined ? { planetId: exchange.parameters[0], options: [] } : optionsBody(game.world, planet);
    game.replies.answer(exchange, seq, JSON.stringify(body));
  },
});

export const PLANNING_ROUTES: readonly Route[] = [getOptions];
