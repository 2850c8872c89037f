// Simulates a launch with each drive. Nothing is launched.

import { type FlightOption, flightBetween, flightOption } from '../fleets/flight.js';
import { launchWarning, refuseDeparture, refuseFlight } from '../fleets/launching.js';
import { lootUnitsMaxOf } from '../fleets/loot.js';
import type { Launch } from '../fleets/mission.js';
import type { PlanetKey } from '../map/universe.js';
import { refuseFreePlanet } from '../planets/planets.js';
import { stockUnits } from '../planets/stocks.js';
import { H2 } from '../rules/resources.js';
import type { Warning } from '../terms/missions.js';
import { type Refusal, refuse } from '../terms/rejections.js';
import type { ReadonlyWorld } from '../world/state.js';

/** The launch to simulate. The player is the owner of the origin. */
export interface PlannedLaunch extends Pick<Launch, 'ships' | 'mission' | 'cargo'> {
  readonly originKey: PlanetKey;
  readonly targetKey: PlanetKey;
}

export interface SimulatedFlight {
  readonly distance: number;
  /** Index into FLIGHT_TYPES. */
  readonly flightType: number;
  /** One for each drive, in the order of the rules. */
  readonly results: readonly SimulatedOption[];
}

export interface SimulatedOption extends FlightOption {
  /** The refusal of a launch with this drive, except for ownership; null if it would be accepted. */
  readonly refusal: Refusal | null;
  /** Why the fleet would come back without what it flies for, as things are now; null if it would not. */
  readonly warning: Warning | null;
  /** The most that the fleet can loot, as things are now; null if it is no attack on another player, or the rules do not limit it. */
  readonly lootUnitsMax: number | null;
}

/** @param nowMs world time, in milliseconds */
export function simulateFlight(
  world: ReadonlyWorld,
  { originKey, targetKey, ships, mission, cargo }: PlannedLaunch,
  nowMs: number,
): SimulatedFlight | Refusal {
  if (!world.universe.holds(originKey) || !world.universe.holds(targetKey)) return refuse('planet_not_found');
  const origin = world.planets.get(originKey);
  if (origin === undefined) return refuseFreePlanet(world, originKey);
  const player = origin.owner;
  const launch: Launch = { player, origin, targetKey, target: world.planets.get(targetKey), ships, mission, cargo };
  const flight = flightBetween(world, player, originKey, targetKey, ships);
  const h2Stock = stockUnits(world, origin, H2, nowMs);
  const departure = refuseDeparture(world, launch);
  const results = world.rules.drives.map((_, drive) => {
    const option = flightOption(world, flight, drive);
    const refusal = departure ?? refuseFlight(world, launch, option, h2Stock, nowMs);
    const warning = option.canFlyType ? launchWarning(world, launch, nowMs + option.flightMs) : null;
    const lootUnitsMax = option.canFlyType ? lootUnitsMaxOf(world, launch, nowMs + option.flightMs) : null;
    return { ...option, refusal, warning, lootUnitsMax };
  });
  return { distance: flight.distance, flightType: flight.flightType, results };
}
