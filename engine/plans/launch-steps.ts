// The launches of plans: whether one can start, what it waits for, and its start. The checks are those of the command.

import { flightBetween, flightOption } from '../fleets/flight.js';
import {
  chosenOption,
  depart,
  launchCost,
  possibleFlight,
  refuseDeparture,
  refuseFlight,
  refuseWithAnyStocks,
} from '../fleets/launching.js';
import type { Launch } from '../fleets/mission.js';
import { affordableFromMs, stockUnits } from '../planets/stocks.js';
import { H2 } from '../rules/resources.js';
import type { Rules } from '../rules/rules.js';
import { type LaunchOrder, missionOf, type PackedStep, targetOf } from '../terms/plan-step.js';
import { isRefusal, type Refusal, refuse } from '../terms/rejections.js';
import type { Fleet } from '../world/fleet-table.js';
import type { Planet } from '../world/planet-table.js';
import type { ReadonlyPlanet, ReadonlyWorld, World } from '../world/state.js';

/** Why a launch cannot start. */
export interface LaunchObstacle {
  readonly refusal: Refusal;
  /** Whether the ships will be there, or fleets come home: such a step waits for them. */
  readonly isTransient: boolean;
  /** World time from which production covers the cargo and the fuel of some drive; null if it never does, or that is not what is missing. */
  readonly affordableAtMs: number | null;
}

/** Returns why a launch cannot start now; null if it can. What no stock helps against comes before what is missing. */
export function launchObstacle(
  world: ReadonlyWorld,
  origin: ReadonlyPlanet,
  step: PackedStep,
  order: LaunchOrder,
  nowMs: number,
): LaunchObstacle | null {
  const launch = { ...launchOf(world.rules, step, order), player: origin.owner, origin, target: targetIn(world, step) };
  const departure = refuseDeparture(world, launch);
  if (departure !== null) return { refusal: departure, isTransient: true, affordableAtMs: null };
  const flight = flightBetween(world, launch.player, origin.key, launch.targetKey, launch.ships);
  const h2Stock = stockUnits(world, origin, H2, nowMs);
  const option = chosenOption(world, launch, flight, order.drive, h2Stock);
  if (option === null) return { refusal: refuse('no_drive_available'), isTransient: false, affordableAtMs: null };
  const lasting = refuseWithAnyStocks(world, launch, option);
  if (lasting !== null) return { refusal: lasting, isTransient: false, affordableAtMs: null };
  const refusal = refuseFlight(world, launch, option, h2Stock, nowMs);
  if (refusal === null) return null;
  const drives = order.drive === null ? world.rules.drives.map((_, drive) => drive) : [order.drive];
  const instants = drives.flatMap((drive) => {
    const { canFlyType, isResearched, h2Cost } = flightOption(world, flight, drive);
    if (!canFlyType || !isResearched) return [];
    return affordableFromMs(world, origin, launchCost(launch.cargo, h2Cost)) ?? [];
  });
  return { refusal, isTransient: false, affordableAtMs: instants.length === 0 ? null : Math.min(...instants) };
}

/** Launches the fleet of a step, or returns its refusal. */
export function startLaunch(world: World, origin: Planet, step: PackedStep, order: LaunchOrder): Fleet | Refusal {
  const sent = launchOf(world.rules, step, order);
  const launch: Launch = { ...sent, player: origin.owner, origin, target: targetIn(world, step) };
  const flight = possibleFlight(world, launch, order.drive);
  return isRefusal(flight) ? flight : depart(world, origin, sent, flight);
}

/** Rules may have got more types of ships since the plan was put. */
function launchOf({ ships: types }: Rules, step: PackedStep, { ships, cargo }: LaunchOrder) {
  const counts = types.map((_, type) => ships[type] ?? 0);
  return { targetKey: targetOf(step), mission: missionOf(step), ships: counts, cargo };
}

function targetIn({ planets }: ReadonlyWorld, step: PackedStep): ReadonlyPlanet | undefined {
  return planets.get(targetOf(step));
}
