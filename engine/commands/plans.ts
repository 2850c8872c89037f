// The command that gives planets their plans.
import type { PlanetKey } from '../map/universe.js';
import { ownedPlanet } from '../planets/planets.js';
import { replacePlan } from '../plans/plans.js';
import { PLAN_STEPS_MAX } from '../rules/limits.js';
import { PACKED_STEP_MAX, type PackedStep } from '../terms/plan-step.js';
import { isRefusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import type { Planet } from '../world/planet-table.js';
import { recordActivity } from '../world/state.js';
import type { CommandDefinition } from './command.js';

export interface PutPlan {
  readonly type: 'put_plan';
  readonly planetKey: PlanetKey;
  /** Whether a step that is blocked is dropped; else its lane waits. */
  readonly isSkipping: boolean;
  /** Packed steps of types that the rules have; an empty list removes the plan. */
  readonly steps: readonly PackedStep[];
}

/** Gives a planet a plan in place of the one that it has, or none. Steps that can start do so before the reply. */
export const putPlan: CommandDefinition<PutPlan, Planet> = {
  type: 'put_plan',
  code: 22,
  decode: (row) => ({
    type: 'put_plan',
    planetKey: row.integer('planet'),
    isSkipping: row.flag('skipping'),
    steps: row.fewIntegers('steps', PLAN_STEPS_MAX, PACKED_STEP_MAX),
  }),

  execute(world, { planetKey, isSkipping, steps }) {
    const planet = ownedPlanet(world, planetKey);
    if (isRefusal(planet)) return planet;
    const { plans } = world.rules.set;
    if (plans === undefined) return refuse('plans_not_in_rules');
    if (steps.length > plans.stepsMax) return refuseAtLimit('plans.stepsMax', plans.stepsMax);
    // commit
    replacePlan(world, planet, isSkipping, steps);
    recordActivity(world, planet.ownerNumber);
    return planet;
  },
};
