// The checks of a launch except ownership and the stock of ships. The command and its dry run share them.
import { sum } from './arithmetic.js';
import { cargoCapacity, type FlightOption, hangarExcess } from './flight.js';
import { missionRules } from './missions/index.js';
import type { Launch } from './missions/mission.js';
import { type Refusal, refuse, refuseAtLimit } from './rejections.js';
import type { Amounts } from './resources.js';
import { FLEETS_PER_PLAYER_MAX } from './rules/limits.js';
import type { ReadonlyPlayer, ReadonlyWorld } from './state.js';
import { refuseIfUnaffordable } from './stocks.js';

/** The refusal if a player cannot have another fleet; else null. */
export function refuseAnotherFleet(player: ReadonlyPlayer): Refusal | null {
  if (player.fleets.length < FLEETS_PER_PLAYER_MAX) return null;
  return refuseAtLimit('FLEETS_PER_PLAYER_MAX', FLEETS_PER_PLAYER_MAX);
}

/**
 * The refusal of a launch with a given drive; null if it is possible. Checks rules 3 to 6 of the contract in their
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
  return launch.mission === null ? null : missionRules(launch.mission).refusal(launch, rules);
}

/** What a launch takes from the stocks of the origin: the cargo, and the h2 for the flight there and back. */
export function launchCost(cargo: readonly number[], h2Cost: number): Amounts {
  const [iron, silver, ember, h2] = cargo as readonly [number, number, number, number];
  return [iron, silver, ember, h2 + h2Cost, 0];
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
