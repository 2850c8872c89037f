// The checks of a launch except ownership, and its warnings. The command and its dry run share them.

import { sum } from '../numbers/arithmetic.js';
import { refuseIfUnaffordable } from '../planets/stocks.js';
import { FLEETS_PER_PLAYER_MAX } from '../rules/limits.js';
import type { Amounts } from '../rules/resources.js';
import type { ShipRule } from '../rules/rule-set.js';
import type { Rules } from '../rules/rules.js';
import { hasMission, MISSIONS, type MissionName, type Warning } from '../terms/missions.js';
import { type Refusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import type { ReadonlyPlanet, ReadonlyWorld } from '../world/state.js';
import { cargoCapacity, type FlightOption, hangarExcess } from './flight.js';
import type { Launch } from './mission.js';
import { missionRules } from './missions.js';

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
  const { rules } = world;
  const { origin, ships, cargo } = launch;
  if (!option.canFlyType || !option.isResearched) return refuseDrive(world, option);
  const excess = hangarExcess(rules, ships);
  if (excess > 0) return refuse('hangar_capacity_exceeded', { missing: { hangar: excess } });
  const h2Short = option.h2Cost - h2Stock;
  if (h2Short > 0) return refuse('insufficient_h2', { missing: { h2: h2Short } });
  const cargoExcess = sum(cargo) - cargoCapacity(rules, ships, rules.cargoPercentOf(launch.player));
  if (cargoExcess > 0) return refuse('cargo_capacity_exceeded', { missing: { cargo: cargoExcess } });
  const unaffordable = refuseIfUnaffordable(world, origin, launchCost(cargo, option.h2Cost), nowMs);
  if (unaffordable !== null) return unaffordable;
  if (origin.key === launch.targetKey) return refuse('mission_not_possible', { reason: 'The fleet is already there.' });
  return launch.mission === null ? null : refuseMission(rules, launch, launch.mission);
}

/** Returns why the fleet of a launch would turn round on arrival, as things are now; null if it would not, or has no mission. */
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

function refuseMission(rules: Rules, launch: Launch, mission: number): Refusal | null {
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
