// Ship production (contract: Endpoints, Shipyard).
import { parsePlanetId } from '../../engine/terms/ids.js';
import { type Route, readRoute, writeRoute } from '../pipeline/route.js';
import { ShipyardEntry, ShipyardStatus } from '../schemas/planet.js';
import { BuildShipsRequest, CancelShipsRequest } from '../schemas/requests.js';
import { Success } from '../schemas/world.js';
import { planetOwner, playerNumberOf } from './actors.js';
import { answersUnchangedPlanet } from './answers.js';
import { PLANET_PARAMETER } from './parameters.js';

const getShipyard = readRoute({
  operationId: 'getShipyard',
  path: '/api/shipyard/planet/:planetId',
  tag: 'shipyard',
  summary: 'Returns the orders and ships of a planet.',
  description: 'Ships that are in flight are not listed; they belong to their fleet.',
  access: 'player',
  parameters: [PLANET_PARAMETER],
  replies: [{ status: 200, description: 'The shipyard.', schema: ShipyardStatus }],
  errors: ['not_owner', 'planet_not_found'],
  handle(game, exchange) {
    const planet = game.access.ownPlanet(
      exchange,
      parsePlanetId(game.world.universe, exchange.parameters[0] as string),
    );
    if (planet === null || answersUnchangedPlanet(game, exchange, planet)) return;
    if (planet === undefined) game.replies.answer(exchange, game.world.planets.removedSeq, '{"queue":[],"stock":[]}');
    else game.replies.answer(exchange, planet.changedSeq, game.views.planets.shipyardText(planet));
  },
});

const buildShips = writeRoute({
  operationId: 'buildShips',
  path: '/api/shipyard/build',
  tag: 'shipyard',
  summary: 'Orders ships of one type.',
  description:
    'The ships are delivered together. Orders of the same type are queued; another type is refused meanwhile.',
  access: 'player',
  actor: planetOwner,
  body: { schema: BuildShipsRequest },
  replies: [{ status: 201, description: 'The order.', schema: ShipyardEntry }],
  errors: [
    'player_not_found',
    'planet_not_found',
    'not_owner',
    'other_ship_in_production',
    'limit_reached',
    'shipyard_required',
    'insufficient_resources',
  ],
  handle(game, exchange, { playerId, planetId, shipType, count }) {
    const planetKey = parsePlanetId(game.world.universe, planetId);
    if (!game.access.authorizes(exchange, { actorNumber: playerNumberOf(game, playerId), planetKey })) return;
    const placed = game.submit(exchange, {
      type: 'build_ships',
      planetKey,
      shipType: game.rules.shipNumber(shipType),
      count,
    });
    if (placed === null) return;
    const { order, isBuilding } = placed;
    game.replies.answerLatest(exchange, exchange.wantsBody ? game.views.planets.orderText(order, isBuilding) : '', 201);
  },
});

const cancelShips = writeRoute({
  operationId: 'cancelShips',
  path: '/api/shipyard/cancel',
  tag: 'shipyard',
  summary: 'Cancels all orders of a ship type, without refund.',
  description: 'The order in production and all that wait behind it are cancelled.',
  access: 'player',
  actor: planetOwner,
  body: { schema: CancelShipsRequest },
  replies: [{ status: 200, description: 'The orders are cancelled.', schema: Success }],
  errors: ['player_not_found', 'not_owner', 'planet_not_found', 'nothing_in_production'],
  handle(game, exchange, { playerId, planetId, shipType }) {
    const planetKey = parsePlanetId(game.world.universe, planetId);
    if (!game.access.authorizes(exchange, { actorNumber: playerNumberOf(game, playerId), planetKey })) return;
    const planet = game.submit(exchange, {
      type: 'cancel_ships',
      planetKey,
      shipType: game.rules.shipNumber(shipType),
    });
    if (planet !== null) game.replies.answerLatest(exchange, '{"success":true}');
  },
});

export const SHIPYARD_ROUTES: readonly Route[] = [getShipyard, buildShips, cancelShips];
