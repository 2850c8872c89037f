// A rule set that has plans and is otherwise `standard-1`, and words for plans. A world can be switched to it from `standard-1`.
import type { CommandNamed } from '../../engine/commands/table.js';
import type { RuleSet } from '../../engine/rules/rule-set.js';
import { Rules } from '../../engine/rules/rules.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';
import { type PlanStep, packStep } from '../../engine/terms/plan-step.js';
import {
  type BuildingName,
  buildingIndex,
  type Keyed,
  type ResearchName,
  researchIndex,
  type ShipName,
  shipIndex,
} from './command-words.js';

export const PLANNED: RuleSet = { ...STANDARD_1, name: 'planned', version: 1, plans: { stepsMax: 50 } };

export const PLANNED_RULES = new Rules(PLANNED);

/** A plan whose blocked steps wait, by default. @param longerThanMs if not null, it skips also what cannot be paid in that time */
export const putPlan = (
  planet: Keyed,
  steps: readonly PlanStep[],
  isSkipping = false,
  longerThanMs: number | null = null,
): CommandNamed<'put_plan'> => ({
  type: 'put_plan',
  planetKey: planet.key,
  isSkipping,
  longerThanMs,
  steps: steps.map(packStep),
});

export const upgradeStep = (building: BuildingName): PlanStep => ({
  action: 'upgrade',
  buildingType: buildingIndex(building),
});
export const constructStep = (building: BuildingName): PlanStep => ({
  action: 'construct',
  buildingType: buildingIndex(building),
});
export const shipsStep = (ship: ShipName, count: number): PlanStep => ({
  action: 'build_ships',
  shipType: shipIndex(ship),
  count,
});
export const researchStep = (research: ResearchName): PlanStep => ({
  action: 'research',
  researchType: researchIndex(research),
});
