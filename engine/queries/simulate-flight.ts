// The dry run of a launch: what every drive would make of it. Nothing is launched.
import { bestOption, type FlightOption, flightBetween, flightOption, hangarExcess } from '../flight.js';
import { type Refusal, refuse } from '../rejections.js';
import { H2 } from '../resources.js';
import type { ReadonlyPlanet, ReadonlyWorld } from '../state.js';
import { stockUnits } from '../stocks.js';
import type { PlanetKey } from '../universe.js';

export interface SimulatedFlight {
  readonly distance: number;
  /** Index into FLIGHT_TYPES. */
  readonly flightType: number;
  /** One for each drive, in the order of the rules. */
  readonly results: readonly SimulatedOption[];
  /** Position of the drive a launch would take; null where none can. */
  readonly bestDrive: number | null;
}

export interface SimulatedOption extends FlightOption {
  readonly isPossible: boolean;
  /** Why it is not possible. */
  readonly reason: string | null;
}

/** @param ships counts by ship type; the planet need not hold them */
export function simulateFlight(
  world: ReadonlyWorld,
  originKey: PlanetKey,
  targetKey: PlanetKey,
  ships: readonly number[],
  nowMs: number,
): SimulatedFlight | Refusal {
  if (!world.universe.holds(originKey) || !world.universe.holds(targetKey)) return refuse('planet_not_found');
  const origin = world.planets.get(originKey);
  if (origin === undefined) return refuse('not_owner', { reason: 'Nobody owns the origin planet.' });
  const flight = flightBetween(world, origin.owner.researchLevels, originKey, targetKey, ships);
  const results = world.rules.drives.map((_, drive) => {
    const option = flightOption(world, flight, drive);
    const reason = reasonAgainst(world, origin, option, ships, nowMs);
    return { ...option, isPossible: reason === null, reason };
  });
  const { distance, flightType } = flight;
  return { distance, flightType, results, bestDrive: bestOption(world, flight)?.drive ?? null };
}

function reasonAgainst(
  world: ReadonlyWorld,
  origin: ReadonlyPlanet,
  option: FlightOption,
  ships: readonly number[],
  nowMs: number,
): string | null {
  if (!option.canFlyType) return 'This drive does not fly this flight type.';
  if (!option.isResearched) {
    return `This drive needs the research ${world.rules.set.drives[option.drive]?.research}.`;
  }
  if (hangarExcess(world.rules, ships) > 0) return 'The hangars cannot hold all carried ships.';
  if (option.h2Cost > stockUnits(world, origin, H2, nowMs)) return 'There is not enough h2 on the origin planet.';
  return null;
}
