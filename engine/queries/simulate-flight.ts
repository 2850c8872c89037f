// The dry run of a launch with each drive. Nothing is launched.
import { type FlightOption, flightBetween, flightOption } from '../flight.js';
import { refuseAnotherFleet, refuseFlight } from '../launching.js';
import type { Launch } from '../missions/mission.js';
import { MISSIONS } from '../missions/names.js';
import { isProtected } from '../protection.js';
import { type Refusal, refuse } from '../rejections.js';
import { H2 } from '../resources.js';
import type { ReadonlyWorld } from '../state.js';
import { stockUnits } from '../stocks.js';
import type { PlanetKey } from '../universe.js';

/** The launch to simulate. The player is the owner of the origin; the origin need not have the ships. */
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
  /** The refusal of a launch with this drive, except for ownership and the stock of ships; null if there is none. */
  readonly refusal: Refusal | null;
  /** Why the fleet would turn round on arrival, as things are now; null if it would not. */
  readonly turnsRound: TurnRound | null;
}

export interface TurnRound {
  readonly reason: 'protected' | 'planet_limit';
  /** World time until which the target is protected; null if it is not about that. */
  readonly untilMs: number | null;
}

/** @param nowMs world time, in milliseconds */
export function simulateFlight(
  world: ReadonlyWorld,
  { originKey, targetKey, ships, mission, cargo }: PlannedLaunch,
  nowMs: number,
): SimulatedFlight | Refusal {
  if (!world.universe.holds(originKey) || !world.universe.holds(targetKey)) return refuse('planet_not_found');
  const origin = world.planets.get(originKey);
  if (origin === undefined) return refuse('not_owner', { reason: 'Nobody owns the origin planet.' });
  const player = origin.owner;
  const launch: Launch = { player, origin, targetKey, target: world.planets.get(targetKey), ships, mission, cargo };
  const flight = flightBetween(world, player.researchLevels, originKey, targetKey, ships);
  const h2Stock = stockUnits(world, origin, H2, nowMs);
  const results = world.rules.drives.map((_, drive) => {
    const option = flightOption(world, flight, drive);
    const refusal = refuseAnotherFleet(player) ?? refuseFlight(world, launch, option, h2Stock, nowMs);
    return { ...option, refusal, turnsRound: turnRound(world, launch, nowMs + option.flightMs) };
  });
  return { distance: flight.distance, flightType: flight.flightType, results };
}

const ATTACK = MISSIONS.indexOf('attack');
const COLONIZE = MISSIONS.indexOf('colonize');

function turnRound(
  { rules }: ReadonlyWorld,
  { player, target, mission }: Launch,
  arrivesAtMs: number,
): TurnRound | null {
  if (mission === ATTACK && target !== undefined && isProtected(target.owner, arrivesAtMs))
    return { reason: 'protected', untilMs: target.owner.protectedUntilMs };
  if (mission === COLONIZE && player.planets.length >= rules.planetsMaxOf(player))
    return { reason: 'planet_limit', untilMs: null };
  return null;
}
