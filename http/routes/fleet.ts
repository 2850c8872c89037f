// Fleets and flights (contract: Endpoints, Fleet).

import { simulateFlight } from '../../engine/queries/simulate-flight.js';
import { CARGO_RESOURCE_COUNT } from '../../engine/rules/resources.js';
import { parseFleetId, parsePlanetId, parsePlayerId } from '../../engine/terms/ids.js';
import { isRefusal } from '../../engine/terms/rejections.js';
import { Type } from '../../persistence/typebox.js';
import { type Route, readRoute, writeRoute } from '../pipeline/route.js';
import { missionNumber } from '../rules/numbering.js';
import { FLIGHT_REFUSALS, Fleet, Launch, Simulation } from '../schemas/player.js';
import { LaunchRequest, RecallRequest, SimulateRequest } from '../schemas/requests.js';
import { fleetBody, launchBody, simulationBody } from '../views/fleet-view.js';
import { amountsInOrder } from '../views/ships.js';
import { originOwner, playerNumberOf, playerOfBody } from './actors.js';
import { FLEET_PARAMETER, PLAYER_PARAMETER } from './parameters.js';

const launchFleet = writeRoute({
  operationId: 'launchFleet',
  path: '/api/fleet/launch',
  tag: 'fleet',
  summary: 'Launches a fleet on a mission.',
  description:
    'By default the fleet uses the fastest drive whose h2 cost the origin can pay; among equally fast ones, the one ' +
    'with the lower cost. The h2 for the flight there and back is paid at launch. A fleet that finds nobody at its ' +
    'target returns. `warnings` says so beforehand, if it is known.',
  access: 'player',
  actor: playerOfBody,
  body: {
    schema: LaunchRequest,
  },
  replies: [{ status: 200, description: 'The fleet and its flight.', schema: Launch }],
  errors: ['player_not_found', 'planet_not_found', 'not_owner', ...FLIGHT_REFUSALS],
  handle(game, exchange, { playerId, originPlanetId, targetPlanetId, ships, mission, resources, drive }) {
    const { universe } = game.world;
    const playerNumber = parsePlayerId(game.world, playerId);
    const originKey = parsePlanetId(universe, originPlanetId);
    const targetKey = parsePlanetId(universe, targetPlanetId);
    if (!game.access.authorizes(exchange, { actorNumber: playerNumber, planetKey: originKey, targetKey })) return;
    const fleet = game.submit(exchange, {
      type: 'launch_fleet',
      playerNumber,
      originKey,
      targetKey,
      ships: game.rules.shipsByType(ships),
      mission: missionNumber(mission),
      cargo: amountsInOrder(resources ?? {}, CARGO_RESOURCE_COUNT),
      drive: drive === undefined ? null : game.rules.driveNumber(drive),
    });
    if (fleet !== null)
      game.replies.answerLatest(exchange, exchange.wantsBody ? JSON.stringify(launchBody(game.world, fleet)) : '');
  },
});

const getFleets = readRoute({
  operationId: 'getFleets',
  path: '/api/fleet/player/:playerId',
  tag: 'fleet',
  summary: 'Returns all fleets of a player that are in flight.',
  description: 'A fleet that has come home or was destroyed is no longer listed.',
  access: 'player',
  parameters: [PLAYER_PARAMETER],
  replies: [{ status: 200, description: 'The fleets, the oldest first.', schema: Type.Array(Fleet) }],
  errors: ['not_owner', 'player_not_found'],
  handle(game, exchange) {
    const player = game.access.ownPlayer(exchange, parsePlayerId(game.world, exchange.parameters[0] as string));
    if (player === null || game.replies.answersWithoutBody(exchange, player.changedSeq, game.views.states.tag(player)))
      return;
    const fleets = player.fleets.map((fleet) => fleetBody(game.world, fleet));
    game.replies.answer(exchange, player.changedSeq, JSON.stringify(fleets));
  },
});

const recallFleet = writeRoute({
  operationId: 'recallFleet',
  path: '/api/fleet/:fleetId/recall',
  tag: 'fleet',
  summary: 'Recalls an outbound fleet.',
  description:
    'The way back takes as long as the fleet has flown. With --auth key every player can see whether a fleet ' +
    'exists: a fleet of another player is 403, one that does not exist 404.',
  access: 'player',
  parameters: [FLEET_PARAMETER],
  actor: playerOfBody,
  body: { schema: RecallRequest },
  replies: [{ status: 200, description: 'The fleet.', schema: Fleet }],
  errors: ['player_not_found', 'fleet_not_found', 'not_owner', 'fleet_not_in_transit'],
  handle(game, exchange, { playerId }) {
    const playerNumber = parsePlayerId(game.world, playerId);
    const fleetNumber = parseFleetId(exchange.parameters[0] as string);
    if (!game.access.authorizes(exchange, { actorNumber: playerNumber, fleetNumber })) return;
    const fleet = game.submit(exchange, { type: 'recall_fleet', playerNumber, fleetNumber });
    if (fleet !== null)
      game.replies.answerLatest(exchange, exchange.wantsBody ? JSON.stringify(fleetBody(game.world, fleet)) : '');
  },
});

const simulateLaunch = writeRoute({
  operationId: 'simulateLaunch',
  path: '/api/fleet/simulate',
  tag: 'fleet',
  summary: 'Simulates a launch with each drive, without launching anything.',
  description:
    'The body is that of a launch, but only planets and ships are required. The origin must have an owner, whose ' +
    'research and fleets count. If there is no mission, none is checked. Every drive is listed, whatever `drive` says. ' +
    '`warnings` says if the fleet would turn round although it may be launched.',
  access: 'player',
  actor: originOwner,
  body: {
    schema: SimulateRequest,
  },
  replies: [{ status: 200, description: 'One result for each drive.', schema: Simulation }],
  errors: ['player_not_found', 'planet_not_found', 'not_owner'],
  isCommand: false,
  handle(game, exchange, { playerId, originPlanetId, targetPlanetId, ships, mission, resources }) {
    const { universe } = game.world;
    const originKey = parsePlanetId(universe, originPlanetId);
    const targetKey = parsePlanetId(universe, targetPlanetId);
    if (
      !game.access.authorizes(exchange, {
        actorNumber: playerNumberOf(game, playerId),
        planetKey: originKey,
        targetKey,
      })
    )
      return;
    const planned = {
      originKey,
      targetKey,
      ships: game.rules.shipsByType(ships),
      mission: mission === undefined ? null : missionNumber(mission),
      cargo: amountsInOrder(resources ?? {}, CARGO_RESOURCE_COUNT),
    };
    const simulated = simulateFlight(game.world, planned, game.nowMs);
    if (isRefusal(simulated)) {
      game.replies.refuseAs(exchange, simulated);
      return;
    }
    const { planets } = game.world;
    // The mission depends on whether the target has an owner, and what comes of it on who that is.
    const seq = Math.max(
      planets.get(originKey)?.owner.changedSeq ?? 0,
      planets.get(targetKey)?.owner.changedSeq ?? planets.removedSeq,
    );
    if (!game.replies.answersWithoutBody(exchange, seq))
      game.replies.answer(exchange, seq, JSON.stringify(simulationBody(game.world.rules, simulated)));
  },
});

export const FLEET_ROUTES: readonly Route[] = [launchFleet, getFleets, recallFleet, simulateLaunch];
