// Buildings (contract: Endpoints, Buildings).
import { parsePlanetId, parseQueueId } from '../../engine/terms/ids.js';
import { Type } from '../../persistence/typebox.js';
import { type Route, readRoute, writeRoute } from '../pipeline/route.js';
import { Building, Planet } from '../schemas/planet.js';
import { BuildingRequest, CancelBuildingRequest } from '../schemas/requests.js';
import { planetOwner, playerNumberOf } from './actors.js';
import { answerPlanet, answersUnchangedPlanet } from './answers.js';
import { PLANET_PARAMETER } from './parameters.js';

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
  handle(game, exchange) {
    const key = parsePlanetId(game.world.universe, exchange.parameters[0] as string);
    const planet = game.access.ownPlanet(exchange, key);
    if (planet === null || answersUnchangedPlanet(game, exchange, planet)) return;
    if (planet === undefined) game.replies.answer(exchange, game.world.planets.removedSeq, '[]');
    else game.replies.answer(exchange, planet.changedSeq, game.views.planets.buildingsText(planet));
  },
});

const constructBuilding = writeRoute({
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
  handle(game, exchange, body) {
    const planetKey = parsePlanetId(game.world.universe, body.planetId);
    if (!game.access.authorizes(exchange, { actorNumber: playerNumberOf(game, body.playerId), planetKey })) return;
    const buildingType = game.rules.buildingNumber(body.buildingType);
    const planet = game.submit(exchange, { type: 'construct_building', planetKey, buildingType });
    if (planet !== null) answerPlanet(game, exchange, planet);
  },
});

const upgradeBuilding = writeRoute({
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
  handle(game, exchange, body) {
    const planetKey = parsePlanetId(game.world.universe, body.planetId);
    if (!game.access.authorizes(exchange, { actorNumber: playerNumberOf(game, body.playerId), planetKey })) return;
    const buildingType = game.rules.buildingNumber(body.buildingType);
    const planet = game.submit(exchange, { type: 'upgrade_building', planetKey, buildingType });
    if (planet !== null) answerPlanet(game, exchange, planet);
  },
});

const cancelBuilding = writeRoute({
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
  handle(game, exchange, body) {
    const planetKey = parsePlanetId(game.world.universe, body.planetId);
    if (!game.access.authorizes(exchange, { actorNumber: playerNumberOf(game, body.playerId), planetKey })) return;
    const queueNumber = parseQueueId(body.queueId);
    const planet = game.submit(exchange, { type: 'cancel_building', planetKey, queueNumber });
    if (planet !== null) answerPlanet(game, exchange, planet);
  },
});

export const BUILDING_ROUTES: readonly Route[] = [getBuildings, constructBuilding, upgradeBuilding, cancelBuilding];
