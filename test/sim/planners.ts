// Players who plan for planets that have next to nothing: each step waits until production covers it.

import type { WorldCommand } from '../../engine/commands/table.js';
import type { PlanStep } from '../../engine/plans/plan-step.js';
import { RESOURCES } from '../../engine/resources.js';
import type { ReadonlyPlanet, ReadonlyWorld } from '../../engine/state.js';
import { stockUnits } from '../../engine/stocks.js';
import { colonize } from '../support/command-words.js';
import { putPlan } from '../support/planned-rules.js';
import type { Draws } from '../support/process/draws.js';
import { freeNeighbour } from './settlers.js';

const IRON = RESOURCES.indexOf('iron');
/** A planet with less iron than this is poor. */
const POOR_UNITS = 1_000;

/** When each lane that waits for stock can pay, in no order. */
export function planDeadlines({ planets, plans }: ReadonlyWorld): number[] {
  const deadlines = [...planets.values()].flatMap(({ row }) => plans.get(row)?.deadlinesMs ?? []);
  return deadlines.filter((deadlineMs) => deadlineMs > 0);
}

/** Hands a plan to a poor planet that has none; if there is no such planet, somebody takes one. */
export function choosePlanning(world: ReadonlyWorld, draws: Draws): WorldCommand {
  const planets = [...world.planets.values()];
  const poor = planets.filter(
    (planet) => isIdle(world, planet) && stockUnits(world, planet, IRON, world.nowMs) < POOR_UNITS,
  );
  if (poor.length === 0) {
    const origin = draws.pick(planets);
    return colonize(origin.owner, { key: freeNeighbour(world, origin, draws) });
  }
  const planet = draws.pick(poor);
  // Each building at most once: what has been constructed cannot be constructed again.
  const types = world.rules.buildings.map((_, buildingType) => buildingType).filter(() => draws.oneIn(2));
  const steps = types.map((buildingType): PlanStep => {
    return { action: planet.levelOf(buildingType) === 0 ? 'construct' : 'upgrade', buildingType };
  });
  return putPlan(planet, steps, draws.oneIn(2));
}

const isIdle = ({ plans }: ReadonlyWorld, { row, upgrade }: ReadonlyPlanet): boolean =>
  plans.get(row) === undefined && upgrade === null;
