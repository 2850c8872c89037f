// Production covers the first step of a lane of a plan: its planet's plan is examined.
import { laneAt, type PlanLaneRow, planetRowOf } from '../plans/plan-table.js';
import { forgetTimer } from '../plans/plans.js';
import type { World } from '../state.js';

export function fireLane(world: World, laneRow: PlanLaneRow): void {
  const row = planetRowOf(laneRow);
  forgetTimer(world, row, laneAt(laneRow));
  world.plans.stir(row);
}
