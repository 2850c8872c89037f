// The checks of a launch except ownership, its warnings, and the departure. The command, its dry run and the steps of plans share them.

import { sum } from '../numbers/arithmetic.js';
import { refuseIfUnaffordable, spend, stockUnits } from '../planets/stocks.js';
import { FLEETS_PER_PLAYER_MAX } from '../rules/limits.js';
import { type Amounts, H2 } from '../rules/resources.js';
import type { ShipRule } from '../rules/rule-set.js';
import type { Rules } from '../rules/rules.js';
import { ATTACK, hasMission, MISSIONS, type MissionName, type Warning } from '../terms/missions.js';
import { type Refusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import type { Fleet } from '../world/fleet-table.js';
import type { Planet } from '../world/planet-table.js';
import {
  markPlans,
  type ReadonlyPlanet,
  type ReadonlyWorld,
  scheduleTimer,
  touchPlanet,
  type World,
} from '../world/state.js';
import { TIMER_KINDS } from '../world/timer-queue.js';
import {
  bestOption,
  cargoCapacity,
  type Flight,
  type FlightOption,
  flightBetween,
  flightOption,
  hangarExcess,
} from './flight.js';
import { recordIncomingFleet } from './incoming-fleets.js';
import type { Launch } from './mission.js';
import { missionRules } from './missions.js';
import { endProtection } from './protection.js';

/** Returns the refusal of a launch with any drive: the player has too many fleets, or the origin too few ships (rule 2 of the specification). */
export function refuseDeparture({ rules }: ReadonlyWorld, { player, origin, ships }: Launch): Refusal | null {
  if (player.fleetCount >= FLEETS_PER_PLAYER_MAX) return refuseAtLimit('FLEETS_PER_PLAYER_MAX', FLEETS_PER_PLAYER_MAX);
  return refuseMissingShips(rules, origin, ships);
}

/**
 * Returns the refusal of a launch with a given drive; null if it is possible. Checks rules 3 to 6 of the specification in their
 * order, then the stocks, then the conditions of the mission.
 *
 * @param h2Stock whole units of h2 on the origin
 */
export function refuseFlight(
  world: ReadonlyWorld,
  launch: Launch,
  option: FlightOption,
  h2Stock: number,
  nowMs: number,
): Refusal | null {
  const { origin, cargo } = launch;
  return (
    refuseShips(world, launch, option) ??
    refuseFuel(option, h2Stock) ??
    refuseCargo(world, launch) ??
    refuseIfUnaffordable(world, origin, launchCost(cargo, option.h2Cost), nowMs) ??
    refuseMission(world, launch)
  );
}

/** The same whatever the stocks are: no production removes what is in the way. */
export function refuseWithAnyStocks(world: ReadonlyWorld, launch: Launch, option: FlightOption): Refusal | null {
  return refuseShips(world, launch, option) ?? refuseCargo(world, launch) ?? refuseMission(world, launch);
}

function refuseShips(world: ReadonlyWorld, { ships }: Launch, option: FlightOption): Refusal | null {
  if (!option.canFlyType || !option.isResearched) return refuseDrive(world, option);
  const excess = hangarExcess(world.rules, ships);
  return excess > 0 ? refuse('hangar_capacity_exceeded', { missing: { hangar: excess } }) : null;
}

function refuseFuel({ h2Cost }: FlightOption, h2Stock: number): Refusal | null {
  const short = h2Cost - h2Stock;
  return short > 0 ? refuse('insufficient_h2', { missing: { h2: short } }) : null;
}

function refuseCargo({ rules }: ReadonlyWorld, { player, ships, cargo }: Launch): Refusal | null {
  const excess = sum(cargo) - cargoCapacity(rules, ships, rules.cargoPercentOf(player));
  return excess > 0 ? refuse('cargo_capacity_exceeded', { missing: { cargo: excess } }) : null;
}

/** A launch that is possible: how it flies. */
export interface PossibleFlight {
  readonly option: FlightOption;
  readonly distance: number;
}

/** Returns how a launch flies now, or its refusal. @param drive null: bestOption() chooses */
export function possibleFlight(world: ReadonlyWorld, launch: Launch, drive: number | null): PossibleFlight | Refusal {
  const refusal = refuseDeparture(world, launch);
  if (refusal !== null) return refusal;
  const { player, origin, targetKey, ships } = launch;
  const flight = flightBetween(world, player, origin.key, targetKey, ships);
  const h2Stock = stockUnits(world, origin, H2, world.nowMs);
  const option = chosenOption(world, launch, flight, drive, h2Stock);
  if (option === null) return refuse('no_drive_available');
  return refuseFlight(world, launch, option, h2Stock, world.nowMs) ?? { option, distance: flight.distance };
}

/** The option of a drive; without one, that of bestOption(). */
export function chosenOption(
  world: ReadonlyWorld,
  { cargo }: Launch,
  flight: Flight,
  drive: number | null,
  h2Stock: number,
): FlightOption | null {
  if (drive !== null) return flightOption(world, flight, drive);
  return bestOption(world, flight, h2Stock - (cargo[H2] as number));
}

/** Sends the fleet of a launch that is possible. It is not the activity of a player: that is what the player commands. */
export function depart(
  world: World,
  origin: Planet,
  { targetKey, ships, mission, cargo }: Pick<Launch, 'targetKey' | 'ships' | 'cargo'> & { readonly mission: number },
  { option: { drive, flightMs, h2Cost }, distance }: PossibleFlight,
): Fleet {
  const { owner: player } = origin;
  spend(world, origin, launchCost(cargo, h2Cost), world.nowMs);
  for (let type = 0; type < ships.length; type += 1) {
    origin.setShipCount(type, origin.shipCount(type) - (ships[type] as number));
  }
  world.lastFleetNumber += 1;
  const arrivesAtMs = world.nowMs + flightMs;
  const fleet = world.fleets.add(player, {
    number: world.lastFleetNumber,
    mission,
    originKey: origin.key,
    targetKey,
    ships,
    cargo,
    drive,
    distance,
    flightMs,
    h2Cost,
    launchedAtMs: world.nowMs,
    arrivesAtMs,
    returnsAtMs: missionRules(mission).isReturning ? arrivesAtMs + flightMs : null,
  });
  fleet.timer = scheduleTimer(world, arrivesAtMs, TIMER_KINDS.fleet_arrive, fleet.row);
  if (mission === ATTACK) endProtection(player);
  touchPlanet(world, origin);
  // Launches of other planets have to wait from now on.
  if (player.fleetCount === FLEETS_PER_PLAYER_MAX) markPlans(world, player);
  world.events.fleetLaunched(fleet);
  recordIncomingFleet(world, fleet);
  return fleet;
}

/** Returns why the fleet of a launch would come back without what it flies for, as things are now; null if it would not, or has no mission. */
export function launchWarning(
  world: ReadonlyWorld,
  { player, targetKey, mission }: Pick<Launch, 'player' | 'targetKey' | 'mission'>,
  arrivesAtMs: number,
): Warning | null {
  if (mission === null) return null;
  return missionRules(mission).warning({ player, targetKey, target: world.planets.get(targetKey), arrivesAtMs }, world);
}

/** What a launch takes from the stocks of the origin: the cargo, and the h2 for the flight there and back. */
export function launchCost(cargo: readonly number[], h2Cost: number): Amounts {
  const [iron, silver, ember, h2] = cargo as readonly [number, number, number, number];
  return [iron, silver, ember, h2 + h2Cost, 0];
}

function refuseMissingShips(rules: Rules, origin: ReadonlyPlanet, ships: readonly number[]): Refusal | null {
  let missing: Record<string, number> | null = null;
  for (let type = 0; type < ships.length; type += 1) {
    const short = (ships[type] as number) - origin.shipCount(type);
    if (short <= 0) continue;
    missing ??= {};
    missing[(rules.ships[type] as ShipRule).type] = short;
  }
  return missing === null ? null : refuse('insufficient_ships', { missing });
}

function refuseMission({ rules }: ReadonlyWorld, launch: Launch): Refusal | null {
  const { origin, targetKey, mission } = launch;
  if (origin.key === targetKey) return refuse('mission_not_possible', { reason: 'The fleet is already there.' });
  if (mission === null) return null;
  const name = MISSIONS[mission] as MissionName;
  if (hasMission(rules.set, name)) return missionRules(mission).refusal(launch, rules);
  return refuse('mission_not_possible', { reason: `The rules of the world have no mission ${name}.` });
}

/** The refusal by rule 3 of a drive that the launch names. */
function refuseDrive({ rules }: ReadonlyWorld, { drive, canFlyType }: FlightOption): Refusal {
  const rule = rules.set.drives[drive];
  return refuse('no_drive_available', {
    reason: canFlyType
      ? `The drive ${rule?.type} needs the research ${rule?.research}.`
      : `The drive ${rule?.type} cannot fly this flight type.`,
  });
}
