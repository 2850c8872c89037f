// What a planet takes from other players. Under rules with `deliveries`, all of them together bring at most a share of what it
// produces, so no account can feed another. The first delivery begins a period; what exceeds the share flies home.
// What a side of a trade receives beyond the value of what it gives counts as well (market/trades.ts).

import { multiplyDivideFloor, shareOf, sum } from '../numbers/arithmetic.js';
import { deposit, producedUnits } from '../planets/stocks.js';
import type { Planet } from '../world/planet-table.js';
import { type ReadonlyPlanet, type ReadonlyWorld, touchPlanet, type World } from '../world/state.js';
import { durationMs } from '../world/timer-queue.js';

/** Units of all resources that a planet would still take from other players at an instant, as its output is now. */
export function deliverableUnits(world: ReadonlyWorld, planet: ReadonlyPlanet, atMs: number): number {
  const { deliveries } = world.rules;
  if (deliveries === null) return Number.POSITIVE_INFINITY;
  const produced = producedUnits(world, planet, durationMs(world, deliveries.periodMs));
  const share = multiplyDivideFloor(produced, deliveries.outputPercent, 100);
  return Math.max(0, share - deliveredUnits(planet, atMs));
}

/**
 * Unloads what another player brings; each resource in proportion if the planet does not take everything.
 *
 * @param cargo units, by shippable resource
 * @returns the units taken, by resource
 */
export function takeDelivery(world: World, planet: Planet, cargo: readonly number[]): readonly number[] {
  const { nowMs } = world;
  const taken = shareOf(cargo, deliverableUnits(world, planet, nowMs));
  if (sum(taken) === 0) return taken;
  deposit(world, planet, taken, nowMs);
  countDelivery(world, planet, sum(taken));
  touchPlanet(world, planet);
  return taken;
}

/** Counts what a planet takes from other players. @param units of all resources */
export function countDelivery(world: World, planet: Planet, units: number): void {
  const { nowMs, rules } = world;
  if (rules.deliveries === null || units === 0) return;
  const before = deliveredUnits(planet, nowMs);
  const present = before === 0 ? null : planet.delivered;
  const untilMs = present?.untilMs ?? nowMs + durationMs(world, rules.deliveries.periodMs);
  planet.delivered = { untilMs, units: before + units };
}

/** What others have brought in the period that an instant is in. */
function deliveredUnits({ delivered }: ReadonlyPlanet, atMs: number): number {
  return delivered === null || delivered.untilMs <= atMs ? 0 : delivered.units;
}
