// Ship production (specification, section 10).

import { parsePlanetId } from '../../engine/terms/ids.js';
import type { GamePorts } from '../game/game-ports.js';
import { commandRoute, type HandledRoute, readRoute } from '../pipeline/route.js';
import { ShipyardEntry, ShipyardStatus } from '../schemas/planet.js';
import { BuildShipsRequest, CancelShipsRequest } from '../schemas/requests.js';
import { Success } from '../schemas/world.js';
import { answersUnchangedPlanet, PLANET_PARAMETER, planetOwner, playerNumberOf, successReply } from './route-parts.js';

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
  handle(ports, exchange) {
    const { access, replies, views, world } = ports;
    const planet = access.ownPlanet(exchange, parsePlanetId(world.universe, exchange.parameters[0] as string));
    if (planet === null || answersUnchangedPlanet(ports, exchange, planet)) return;
    if (planet === undefined) replies.answer(exchange, world.planets.removedSeq, '{"queue":[],"stock":[]}');
    else replies.answer(exchange, planet.changedSeq, views.planets.shipyardText(planet));
  },
});

const buildShips = commandRoute({
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
  command({ world, access, rules }, exchange, { playerId, planetId, shipType, count }) {
    const planetKey = parsePlanetId(world.universe, planetId);
    if (!access.authorizes(exchange, { actorNumber: playerNumberOf(world, playerId), planetKey })) return null;
    return { type: 'build_ships', planetKey, shipType: rules.shipNumber(shipType), count };
  },
  reply: ({ views }, { order, isBuilding }) => views.planets.orderText(order, isBuilding),
});

const cancelShips = commandRoute({
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
  command({ world, access, rules }, exchange, { playerId, planetId, shipType }) {
    const planetKey = parsePlanetId(world.universe, planetId);
    if (!access.authorizes(exchange, { actorNumber: playerNumberOf(world, playerId), planetKey })) return null;
    return { type: 'cancel_ships', planetKey, shipType: rules.shipNumber(shipType) };
  },
  reply: successReply,
});

export const SHIPYARD_ROUTES: readonly HandledRoute<GamePorts>[] = [getShipyard, buildShips, cancelShips];
