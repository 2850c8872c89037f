// Hauling: freighters bring what a planet does not need to another planet, and fly back.
import type { Planet } from '../../bot.js';
import { multiplied, total } from './amounts.js';
import { freightersOf, type Ship } from './building.js';
import { cargoFrom, launch } from './flights.js';
import type { Plan } from './plan.js';

/** Smallest cargo that is worth a flight. */
const CARGO_MIN = 1_000;
/** Share of the h2 of a planet that is kept for flights. */
const FUEL_SHARE = 0.75;

/** The freighter that holds most, unless it needs a hangar. */
export const haulerOf = (plan: Plan): Ship | undefined => freightersOf(plan).find(({ hangarSize }) => hangarSize === 0);

/** Sends a share of the stock of a planet to another planet, as far as the freighters there can carry it. */
export async function haulTo(plan: Plan, from: Planet, targetId: string, share: number): Promise<void> {
  const freighter = haulerOf(plan);
  const there = freighter === undefined ? 0 : plan.ships(from, freighter.type);
  if (freighter === undefined || there === 0) return;
  const offered = multiplied(plan.stock(from), share);
  const cargo = cargoFrom({ ...offered, h2: offered.h2 * (1 - FUEL_SHARE), energy: 0 }, there * freighter.cargo);
  const units = total(cargo);
  if (units < CARGO_MIN) return;
  const ships = [{ type: freighter.type, count: Math.ceil(units / freighter.cargo) }];
  await launch(plan, [{ from, targetId, mission: 'transport', ships, cargo, isLeisurely: true }]);
}

/** Freighters that a planet lacks to carry away what it makes in some hours. */
export function freightersMissing(plan: Plan, planet: Planet, hours: number): number {
  const freighter = haulerOf(plan);
  if (freighter === undefined) return 0;
  const flying = plan.state.fleets
    .filter(({ originPlanetId }) => originPlanetId === planet.id)
    .flatMap(({ ships }) => ships.filter(({ type }) => type === freighter.type));
  const owned =
    plan.ships(planet, freighter.type) +
    plan.away(planet, freighter.type) +
    plan.ordered(planet, freighter.type) +
    flying.reduce((sum, { count }) => sum + count, 0);
  const made = total({ ...planet.production, energy: 0 });
  return Math.max(0, Math.ceil((made * hours) / freighter.cargo) - owned);
}
