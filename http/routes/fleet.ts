// Fleets and flights (specification, sections 12 and 13).

import { seenFleets } from '../../engine/queries/seen-fleets.js';
import { simulateFlight } from '../../engine/queries/simulate-flight.js';
import { SIGHT_SYSTEMS_MAX } from '../../engine/rules/limits.js';
import { NUMBER_DIGITS_MAX } from '../../engine/rules/record-limits.js';
import { CARGO_RESOURCE_COUNT } from '../../engine/rules/resources.js';
import { parseFleetId, parsePlanetId, parsePlayerId } from '../../engine/terms/ids.js';
import { isRefusal, refuse } from '../../engine/terms/rejections.js';
import { Type } from '../../persistence/typebox.js';
import { missionNumber } from '../checks/world-rules.js';
import type { GamePorts } from '../game/game-ports.js';
import { SEEN_FLEETS_PER_REPLY_MAX } from '../limits.js';
import { commandRoute, type HandledRoute, readRoute, writeRoute } from '../pipeline/route.js';
import { FleetLaunched, FleetRecalled } from '../schemas/minimal.js';
import { FLIGHT_REFUSALS, Fleet, Launch, SeenFleets, Simulation } from '../schemas/player.js';
import { LaunchRequest, RecallRequest, SimulateRequest } from '../schemas/requests.js';
import { fleetBody, launchBody, seenFleetsBody, simulationBody } from '../views/fleet-view.js';
import { amountsInOrder } from '../views/ships.js';
import {
  cursorForm,
  FLEET_PARAMETER,
  originOwner,
  PLANET_PARAMETER,
  PLAYER_PARAMETER,
  planetWithOwner,
  playerNumberOf,
  playerOfBody,
} from './route-parts.js';

const launchFleet = commandRoute({
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
  command({ world, access, rules }, exchange, request) {
    const { playerId, originPlanetId, targetPlanetId, ships, mission, resources, drive } = request;
    const playerNumber = parsePlayerId(world, playerId);
    const originKey = parsePlanetId(world.universe, originPlanetId);
    const targetKey = parsePlanetId(world.universe, targetPlanetId);
    if (!access.authorizes(exchange, { actorNumber: playerNumber, planetKey: originKey, targetKey })) return null;
    return {
      type: 'launch_fleet',
      playerNumber,
      originKey,
      targetKey,
      ships: rules.shipsByType(ships),
      mission: missionNumber(mission),
      cargo: amountsInOrder(resources ?? {}, CARGO_RESOURCE_COUNT),
      drive: drive === undefined ? null : rules.driveNumber(drive),
    };
  },
  reply: ({ world }, fleet) => JSON.stringify(launchBody(world, fleet)),
  minimal: {
    schema: FleetLaunched,
    reply: ({ views, time, world }, fleet) =>
      views.minimal.launch(fleet, planetWithOwner(world, fleet.originKey), time.nowMs),
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
  handle({ world, access, replies, views }, exchange) {
    const player = access.ownPlayer(exchange, parsePlayerId(world, exchange.parameters[0] as string));
    if (player === null || replies.answersWithoutBody(exchange, player.changedSeq, views.states.tag(player))) return;
    const fleets = player.fleets.map((fleet) => fleetBody(world, fleet));
    replies.answer(exchange, player.changedSeq, JSON.stringify(fleets));
  },
});

const getSeenFleets = readRoute({
  operationId: 'getSeenFleets',
  path: '/api/fleet/seen/:planetId',
  tag: 'fleet',
  summary: 'Returns the flights of others that a planet sees, on their way out and back.',
  description:
    'Their origin or target is in reach: the `distancePerLevel` of `sight` in the rules for each level of its research, in the same galaxy, at most ' +
    `${SIGHT_SYSTEMS_MAX} systems to each side. At most ${SEEN_FLEETS_PER_REPLY_MAX} a reply. The planet may be one of a player with whom the caller shares sight by a pact.`,
  access: 'player',
  cost: 5,
  parameters: [PLANET_PARAMETER],
  query: [
    {
      name: 'cursor',
      description: 'The `nextCursor` of the reply before.',
      example: '100',
      form: cursorForm(new RegExp(`^\\d{1,${NUMBER_DIGITS_MAX}}$`)),
    },
  ],
  replies: [{ status: 200, description: 'What the planet sees.', schema: SeenFleets }],
  errors: ['not_owner', 'planet_not_found', 'sight_not_in_rules'],
  isHeavy: true,
  handle({ world, access, replies, time }, exchange) {
    const key = parsePlanetId(world.universe, exchange.parameters[0] as string);
    const planet = access.seeingPlanet(exchange, key);
    if (planet === null) return;
    if (world.rules.sight === null) {
      replies.refuseAs(exchange, refuse('sight_not_in_rules'));
      return;
    }
    const [cursor] = exchange.queryValues;
    const seen = planet === undefined ? [] : seenFleets(world, planet.owner, [planet]);
    const left = seen.filter(({ number }) => number > Number(cursor ?? 0));
    const reach = planet === undefined ? 0 : world.rules.reachOf(planet.owner);
    replies.answerContent(exchange, time.lastSeq, JSON.stringify(seenFleetsBody(world, key, reach, left)));
  },
});

const recallFleet = commandRoute({
  operationId: 'recallFleet',
  path: '/api/fleet/:fleetId/recall',
  tag: 'fleet',
  summary: 'Recalls an outbound fleet.',
  description:
    'The way back takes as long as the fleet has flown. A stationed fleet is sent home, too. A fleet of another player is answered like one ' +
    'that does not exist.',
  access: 'player',
  parameters: [FLEET_PARAMETER],
  actor: playerOfBody,
  body: { schema: RecallRequest },
  replies: [{ status: 200, description: 'The fleet.', schema: Fleet }],
  errors: ['player_not_found', 'fleet_not_found', 'not_owner', 'fleet_not_in_transit'],
  command({ world, access }, exchange, { playerId }) {
    const playerNumber = parsePlayerId(world, playerId);
    const fleetNumber = parseFleetId(exchange.parameters[0] as string);
    if (!access.authorizes(exchange, { actorNumber: playerNumber, fleetNumber })) return null;
    return { type: 'recall_fleet', playerNumber, fleetNumber };
  },
  reply: ({ world }, fleet) => JSON.stringify(fleetBody(world, fleet)),
  minimal: { schema: FleetRecalled, reply: ({ views }, fleet) => views.minimal.finish(fleet.returnsAtMs) },
});

const dismissFleet = commandRoute({
  operationId: 'dismissFleet',
  path: '/api/fleet/:fleetId/dismiss',
  tag: 'fleet',
  summary: 'Sends home a fleet that supports a planet of the player.',
  description:
    'The planet lists them as `supporters`. A fleet that has nothing to do with the player is answered like one that does not exist.',
  access: 'player',
  parameters: [FLEET_PARAMETER],
  actor: playerOfBody,
  body: { schema: RecallRequest },
  replies: [{ status: 200, description: 'When the fleet is back at its origin.', schema: FleetRecalled }],
  errors: ['player_not_found', 'fleet_not_found', 'not_owner', 'fleet_not_stationed'],
  command({ world, access }, exchange, { playerId }) {
    const playerNumber = parsePlayerId(world, playerId);
    const fleetNumber = parseFleetId(exchange.parameters[0] as string);
    if (!access.authorizes(exchange, { actorNumber: playerNumber, hostedNumber: fleetNumber })) return null;
    return { type: 'dismiss_fleet', playerNumber, fleetNumber };
  },
  reply: ({ views }, fleet) => views.minimal.finish(fleet.returnsAtMs),
  minimal: { schema: FleetRecalled, reply: ({ views }, fleet) => views.minimal.finish(fleet.returnsAtMs) },
});

const simulateLaunch = writeRoute({
  operationId: 'simulateLaunch',
  path: '/api/fleet/simulate',
  tag: 'fleet',
  summary: 'Simulates a launch with each drive, without launching anything.',
  description:
    'The body is that of a launch, but only planets and ships are required. The origin must have an owner, whose ' +
    'research and fleets count. If there is no mission, none is checked. Every drive is listed, whatever `drive` says. ' +
    '`warnings` says if the fleet would come back without what it flies for although it may be launched.',
  access: 'player',
  actor: originOwner,
  body: {
    schema: SimulateRequest,
  },
  replies: [{ status: 200, description: 'One result for each drive.', schema: Simulation }],
  errors: ['player_not_found', 'planet_not_found', 'not_owner'],
  isCommand: false,
  handle(
    { world, access, rules, time, replies },
    exchange,
    { playerId, originPlanetId, targetPlanetId, ships, mission, resources },
  ) {
    const { universe } = world;
    const originKey = parsePlanetId(universe, originPlanetId);
    const targetKey = parsePlanetId(universe, targetPlanetId);
    if (
      !access.authorizes(exchange, {
        actorNumber: playerNumberOf(world, playerId),
        planetKey: originKey,
        targetKey,
      })
    )
      return;
    const planned = {
      originKey,
      targetKey,
      ships: rules.shipsByType(ships),
      mission: mission === undefined ? null : missionNumber(mission),
      cargo: amountsInOrder(resources ?? {}, CARGO_RESOURCE_COUNT),
    };
    const simulated = simulateFlight(world, planned, time.nowMs);
    if (isRefusal(simulated)) {
      replies.refuseAs(exchange, simulated);
      return;
    }
    const { planets } = world;
    // The mission depends on whether the target has an owner, and its outcome on who that is.
    const seq = Math.max(
      planets.get(originKey)?.owner.changedSeq ?? 0,
      planets.get(targetKey)?.owner.changedSeq ?? planets.removedSeq,
    );
    if (!replies.answersWithoutBody(exchange, seq))
      replies.answer(exchange, seq, JSON.stringify(simulationBody(world.rules, simulated)));
  },
});

export const FLEET_ROUTES: readonly HandledRoute<GamePorts>[] = [
  launchFleet,
  getFleets,
  getSeenFleets,
  recallFleet,
  dismissFleet,
  simulateLaunch,
];
