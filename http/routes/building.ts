// Buildings (specification, section 9).

import { parsePlanetId, parseQueueId } from '../../engine/terms/ids.js';
import { Type } from '../../persistence/typebox.js';
import type { GamePorts } from '../game/game-ports.js';
import { commandRoute, type HandledRoute, readRoute } from '../pipeline/route.js';
import { Building, Planet } from '../schemas/planet.js';
import { BuildingRequest, CancelBuildingRequest } from '../schemas/requests.js';
import { answersUnchangedPlanet, PLANET_PARAMETER, planetOwner, planetReply, playerNumberOf } from './route-parts.js';

const getBuildings = readRoute({
  operationId: 'getBuildings',
  path: '/api/building/planet/:planetId',
  tag: 'building',
  summary: 'Returns the buildings of a planet with their construction queues.',
  description: 'A planet that nobody owns has none.',
  access: 'player',
  parameters: [PLANET_PARAMETER],
  replies: [{ status: 200, description: 'The buildings.', schema: Type.Array(Building) }],
  errors: ['not_owner', 'planet_not_found'],
  handle(ports, exchange) {
    const { access, replies, views, world } = ports;
    const planet = access.ownPlanet(exchange, parsePlanetId(world.universe, exchange.parameters[0] as string));
    if (planet === null || answersUnchangedPlanet(ports, exchange, planet)) return;
    if (planet === undefined) replies.answer(exchange, world.planets.removedSeq, '[]');
    else replies.answer(exchange, planet.changedSeq, views.planets.buildingsText(planet));
  },
});

const constructBuilding = commandRoute({
  operationId: 'constructBuilding',
  path: '/api/building/construct',
  tag: 'building',
  summary: 'Starts a building that the planet does not have yet.',
  description: 'The building is at level 0 while it is upgraded to level 1.',
  access: 'player',
  actor: planetOwner,
  body: { schema: BuildingRequest },
  replies: [{ status: 200, description: 'The planet.', schema: Planet }],
  errors: [
    'player_not_found',
    'planet_not_found',
    'not_owner',
    'building_exists',
    'upgrade_in_progress',
    'insufficient_resources',
  ],
  command({ world, access, rules }, exchange, { playerId, planetId, buildingType }) {
    const planetKey = parsePlanetId(world.universe, planetId);
    if (!access.authorizes(exchange, { actorNumber: playerNumberOf(world, playerId), planetKey })) return null;
    return { type: 'construct_building', planetKey, buildingType: rules.buildingNumber(buildingType) };
  },
  reply: (ports, planet) => planetReply(ports, planet),
});

const upgradeBuilding = commandRoute({
  operationId: 'upgradeBuilding',
  path: '/api/building/upgrade',
  tag: 'building',
  summary: 'Starts the next level of a building.',
  description:
    'The cost is paid at once; the level is reached at `upgradeFinishAt`. One building of a planet can be upgraded at a time.',
  access: 'player',
  actor: planetOwner,
  body: { schema: BuildingRequest },
  replies: [{ status: 200, description: 'The planet.', schema: Planet }],
  errors: [
    'player_not_found',
    'not_owner',
    'planet_not_found',
    'building_not_found',
    'upgrade_in_progress',
    'limit_reached',
    'insufficient_resources',
  ],
  command({ world, access, rules }, exchange, { playerId, planetId, buildingType }) {
    const planetKey = parsePlanetId(world.universe, planetId);
    if (!access.authorizes(exchange, { actorNumber: playerNumberOf(world, playerId), planetKey })) return null;
    return { type: 'upgrade_building', planetKey, buildingType: rules.buildingNumber(buildingType) };
  },
  reply: (ports, planet) => planetReply(ports, planet),
});

const cancelBuilding = commandRoute({
  operationId: 'cancelBuilding',
  path: '/api/building/cancel',
  tag: 'building',
  summary: 'Cancels an upgrade and refunds what was paid for it.',
  description: 'A building under construction disappears and can be constructed again.',
  access: 'player',
  actor: planetOwner,
  body: { schema: CancelBuildingRequest },
  replies: [{ status: 200, description: 'The planet.', schema: Planet }],
  errors: ['player_not_found', 'not_owner', 'planet_not_found', 'queue_entry_not_found'],
  command({ world, access }, exchange, { playerId, planetId, queueId }) {
    const planetKey = parsePlanetId(world.universe, planetId);
    if (!access.authorizes(exchange, { actorNumber: playerNumberOf(world, playerId), planetKey })) return null;
    return { type: 'cancel_building', planetKey, queueNumber: parseQueueId(queueId) };
  },
  reply: (ports, planet) => planetReply(ports, planet),
});

export const BUILDING_ROUTES: readonly HandledRoute<GamePorts>[] = [
  getBuildings,
  constructBuilding,
  upgradeBuilding,
  cancelBuilding,
];
