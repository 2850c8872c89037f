// Shows the steps that a planet's plan has left, and what each of its lanes waits for.
import { type LaneStanding, standingOf } from '../plans/standing.js';
import { LANES, type LaneName, laneOf, type WholeStep, wholeSteps } from '../terms/plan-step.js';
import type { ReadonlyPlanet, ReadonlyWorld } from '../world/state.js';

export interface PlannedLane extends LaneStanding {
  readonly lane: LaneName;
  readonly stepsLeft: number;
}

export interface PlannedSteps {
  readonly isSkipping: boolean;
  /** A step that the stocks cover only after more than this is skipped; null: it waits, however long. */
  readonly longerThanMs: number | null;
  /** Steps that have not started, in the order in which they were put. */
  readonly steps: readonly WholeStep[];
  /** All lanes, in the order in which they may take from the stocks. */
  readonly lanes: readonly PlannedLane[];
}

/** Returns the plan of a planet; one without steps if it has none. @param nowMs not before the planet's last change */
export function planOf(world: ReadonlyWorld, planet: ReadonlyPlanet, nowMs: number): PlannedSteps {
  const plan = world.plans.get(planet.row);
  const steps = plan?.steps ?? [];
  return {
    isSkipping: plan?.isSkipping ?? false,
    longerThanMs: plan?.longerThanMs ?? null,
    steps: wholeSteps(steps, plan?.launches ?? []),
    lanes: LANES.map((name, lane) => ({
      lane: name,
      stepsLeft: steps.filter((step) => laneOf(step) === lane).length,
      ...standingOf(world, planet, plan, lane, nowMs),
    })),
  };
}
