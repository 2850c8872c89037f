// What planets and players build: buildings, ships and research (specification, sections 9 to 11).
import { parsePlanetId, parsePlayerId, parseQueueId } from '../../engine/terms/ids.js';
import { Type } from '../../persistence/typebox.js';
import type { GamePorts } from '../game/game-ports.js';
import { commandRoute, type HandledRoute, readRoute } from '../pipeline/route.js';
import { ResearchStarted, ShipsOrdered, StocksAfter, UpgradeStarted } from '../schemas/minimal.js';
import { Building, Planet, ShipyardEntry, ShipyardStatus } from '../schemas/planet.js';
import { ResearchEntry } from '../schemas/player.js';
import {
  BuildingRequest,
  BuildShipsRequest,
  CancelBuildingRequest,
  CancelShipsRequest,
  StartResearchRequest,
} from '../schemas/requests.js';
import { Success } from '../schemas/world.js';
import { researchBodies, researchBody } from '../views/player-view.js';
import {
  answersUnchangedPlanet,
  PLANET_PARAMETER,
  PLAYER_PARAMETER,
  planetOwner,
  planetReply,
  playerNumberOf,
  playerOfBody,
  stocksReply,
  successReply,
} from './route-parts.js';

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
  minimal: { schema: UpgradeStarted, reply: ({ views, time }, planet) => views.minimal.upgrade(planet, time.nowMs) },
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
  minimal: { schema: UpgradeStarted, reply: ({ views, time }, planet) => views.minimal.upgrade(planet, time.nowMs) },
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
  minimal: { schema: StocksAfter, reply: (ports, planet) => stocksReply(ports, planet) },
});

export const BUILDING_ROUTES: readonly HandledRoute<GamePorts>[] = [
  getBuildings,
  constructBuilding,
  upgradeBuilding,
  cancelBuilding,
];

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
  minimal: { schema: ShipsOrdered, reply: ({ views }, { order }) => views.minimal.finish(order.finishAtMs) },
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
  minimal: { schema: ResearchStarted, reply: ({ views }, player) => views.minimal.finish(player.research?.finishAtMs) },
});

export const RESEARCH_ROUTES: readonly HandledRoute<GamePorts>[] = [getResearch, startResearch];
