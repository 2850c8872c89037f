// The command that gives planets their plans.
import { commandedPlanet } from '../planets/planets.js';
import { replacePlan } from '../plans/plans.js';
import { PLAN_STEPS_MAX, RESOURCE_UNITS_MAX } from '../rules/limits.js';
import { PACKED_ORDERS_MAX, PACKED_STEP_MAX, requireStep, unpackOrders } from '../terms/plan-step.js';
import { isRefusal, type Refusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import { LONGER_THAN_MS_MAX } from '../world/plan-table.js';
import type { Planet } from '../world/planet-table.js';
import { recordActivity } from '../world/state.js';
import { defineCommand } from './command.js';

/** Gives a planet a plan in place of the one that it has, or none. Steps that can start do so before the reply. */
export const putPlan = defineCommand({
  type: 'put_plan',
  code: 22,
  decode: (row) => ({
    type: 'put_plan',
    planetKey: row.integer('planet'),
    // Whether a step that is blocked is dropped; else its lane waits.
    isSkipping: row.flag('skipping'),
    // A step that the stocks cover only after more than this is blocked, too; null: it waits. Only a plan that skips has one.
    longerThanMs: row.integerOrNull('longer than', 0, LONGER_THAN_MS_MAX),
    // Packed steps of types that the rules have; an empty list removes the plan.
    steps: row.fewIntegers('steps', PLAN_STEPS_MAX, PACKED_STEP_MAX),
    // What each launch among the steps sends; see packOrders().
    launches: row.fewIntegers('launches', PACKED_ORDERS_MAX, RESOURCE_UNITS_MAX),
  }),

  execute(world, { planetKey, isSkipping, longerThanMs, steps, launches: packed }): Planet | Refusal {
    const planet = commandedPlanet(world, planetKey);
    if (isRefusal(planet)) return planet;
    const { plans } = world.rules.set;
    if (plans === undefined) return refuse('plans_not_in_rules');
    if (steps.length > plans.stepsMax) return refuseAtLimit('plans.stepsMax', plans.stepsMax);
    for (const step of steps) requireStep(world, step);
    const launches = unpackOrders(world.rules, packed, steps);
    // commit
    replacePlan(world, planet, { isSkipping, longerThanMs, steps, launches });
    recordActivity(world, planet.ownerNumber);
    return planet;
  },
});
