// Fleets and flights as plain objects, as replies show them (specification, sections 12 and 13).

import { flightSeconds } from '../../engine/fleets/flight.js';
import { launchWarning } from '../../engine/fleets/launching.js';
import { lootUnitsMaxOf } from '../../engine/fleets/loot.js';
import { FLIGHT_TYPES, type PlanetKey } from '../../engine/map/universe.js';
import type { SimulatedFlight } from '../../engine/queries/simulate-flight.js';
import type { Rules } from '../../engine/rules/rules.js';
import { fleetId, planetId, playerId } from '../../engine/terms/ids.js';
import { MISSIONS, WARNINGS, type Warning } from '../../engine/terms/missions.js';
import type { Refusal } from '../../engine/terms/rejections.js';
import { COURSES } from '../../engine/world/fleet-table.js';
import type { ReadonlyFleet, ReadonlyWorld } from '../../engine/world/state.js';
import { isoText, isoTextOrNull } from '../exchange/iso-time.js';
import { refusalText } from '../exchange/problems.js';
import { SEEN_FLEETS_PER_REPLY_MAX } from '../limits.js';
import type { FleetBody, FlightWarningBody, LaunchBody, SeenFleetsBody, SimulationBody } from '../schemas/player.js';
import { cargoAmounts, fleetShips } from './ships.js';

type ReasonBody = NonNullable<SimulationBody['results'][number]['reason']>;

export function fleetBody(world: ReadonlyWorld, fleet: ReadonlyFleet): FleetBody {
  return {
    id: fleetId(fleet.number),
    mission: named(MISSIONS[fleet.mission]),
    launchedAt: isoText(fleet.launchedAtMs),
    arrivesAt: isoText(fleet.arrivesAtMs),
    returnsAt: isoTextOrNull(fleet.returnsAtMs),
    ships: fleetShips(world.rules, fleet.ships),
    playerId: playerId(world, fleet.owner.number),
    originPlanetId: planetId(world.universe, fleet.originKey),
    targetPlanetId: planetId(world.universe, fleet.targetKey),
    state: named(COURSES[fleet.course]),
    drive: named(world.rules.drives[fleet.drive]?.type),
    distance: fleet.distance,
    flightSeconds: flightSeconds(fleet.flightMs),
    h2Cost: fleet.h2Cost,
    resources: cargoAmounts(fleet.cargo),
    recalledAt: isoTextOrNull(fleet.recalledAtMs),
  };
}

/** @param fleets all that are left, of which those that fit are shown */
export function seenFleetsBody(
  world: ReadonlyWorld,
  planetKey: PlanetKey,
  reach: number,
  fleets: readonly ReadonlyFleet[],
): SeenFleetsBody {
  const { universe } = world;
  const shown = fleets.slice(0, SEEN_FLEETS_PER_REPLY_MAX);
  const last = shown.at(-1);
  return {
    planetId: planetId(universe, planetKey),
    reach,
    fleets: shown.map((fleet) => ({
      id: fleetId(fleet.number),
      playerId: playerId(world, fleet.ownerNumber),
      originPlanetId: planetId(universe, fleet.originKey),
      targetPlanetId: planetId(universe, fleet.targetKey),
      state: fleet.isReturning ? 'returning' : 'outbound',
      arrivesAt: isoText(fleet.arrivesAtMs),
      returnsAt: isoTextOrNull(fleet.returnsAtMs),
      recalledAt: isoTextOrNull(fleet.recalledAtMs),
    })),
    nextCursor: last === undefined || shown.length === fleets.length ? null : String(last.number),
  };
}

export function launchBody(world: ReadonlyWorld, fleet: ReadonlyFleet): LaunchBody {
  const { targetKey, mission, arrivesAtMs } = fleet;
  const body = fleetBody(world, fleet);
  const { distance, drive, flightSeconds: seconds, h2Cost } = body;
  const warning = launchWarning(world, { player: fleet.owner, targetKey, mission }, arrivesAtMs);
  const loot = lootBody(lootUnitsMaxOf(world, { player: fleet.owner, targetKey, mission }, arrivesAtMs));
  return { fleet: body, distance, drive, flightSeconds: seconds, h2Cost, ...loot, warnings: warningBodies(warning) };
}

export function simulationBody(rules: Rules, { distance, flightType, results }: SimulatedFlight): SimulationBody {
  const type = named(FLIGHT_TYPES[flightType]);
  return {
    results: results.map((option) => ({
      drive: named(rules.drives[option.drive]?.type),
      flightSeconds: flightSeconds(option.flightMs),
      h2Cost: option.h2Cost,
      distance,
      flightType: type,
      possible: option.refusal === null,
      ...(option.refusal === null ? {} : { reason: reasonBody(option.refusal) }),
      ...lootBody(option.lootUnitsMax),
      warnings: warningBodies(option.warning),
    })),
    distance,
    flightType: type,
  };
}

function lootBody(lootUnitsMax: number | null): Pick<LaunchBody, 'lootUnitsMax'> {
  return lootUnitsMax === null ? {} : { lootUnitsMax };
}

function warningBodies(warning: Warning | null): FlightWarningBody[] {
  if (warning === null) return [];
  const { code, untilMs, ...facts } = warning;
  return [
    { code, detail: WARNINGS[code].title, ...(untilMs === undefined ? {} : { until: isoText(untilMs) }), ...facts },
  ];
}

function reasonBody(refusal: Refusal): ReasonBody {
  const { code, facts } = refusal;
  const missing = facts.missing === undefined ? {} : { missing: facts.missing };
  return { code: code as ReasonBody['code'], detail: refusalText(refusal), ...missing };
}

/** A type number of the engine always has a name. */
function named<T>(name: T | undefined): T {
  if (name === undefined) throw new Error('a type number without a name');
  return name;
}
