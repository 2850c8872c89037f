// A rule set that has plans and is otherwise `standard-1`, and words for plans. A world can be switched to it from `standard-1`.
import type { CommandNamed } from '../../engine/commands/table.js';
import type { RuleSet } from '../../engine/rules/rule-set.js';
import { Rules } from '../../engine/rules/rules.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';
import { MISSIONS, type MissionName } from '../../engine/terms/missions.js';
import { packOrders, packStep, type WholeStep } from '../../engine/terms/plan-step.js';
import {
  type BuildingName,
  buildingIndex,
  cargoList,
  type Keyed,
  type ResearchName,
  researchIndex,
  type ShipName,
  shipIndex,
  shipList,
  type Units,
} from './command-words.js';

export const PLANNED: RuleSet = { ...STANDARD_1, name: 'planned', version: 1, plans: { stepsMax: 50 } };

export const PLANNED_RULES = new Rules(PLANNED);

/** A plan whose blocked steps wait, by default. @param longerThanMs if not null, it skips also what cannot be paid in that time */
export const putPlan = (
  planet: Keyed,
  steps: readonly WholeStep[],
  isSkipping = false,
  longerThanMs: number | null = null,
): CommandNamed<'put_plan'> => ({
  type: 'put_plan',
  planetKey: planet.key,
  isSkipping,
  longerThanMs,
  steps: steps.map(packStep),
  launches: steps.flatMap((step) => (step.action === 'launch' ? packOrders(step.ships.length, [step]) : [])),
});

export const upgradeStep = (building: BuildingName): WholeStep => ({
  action: 'upgrade',
  buildingType: buildingIndex(building),
});
export const constructStep = (building: BuildingName): WholeStep => ({
  action: 'construct',
  buildingType: buildingIndex(building),
});
export const shipsStep = (ship: ShipName, count: number): WholeStep => ({
  action: 'build_ships',
  shipType: shipIndex(ship),
  count,
});
export const researchStep = (research: ResearchName): WholeStep => ({
  action: 'research',
  researchType: researchIndex(research),
});

export interface LaunchWords {
  readonly to: Keyed;
  /** One of standard-1, as its rules count them. */
  readonly ships: Partial<Record<ShipName, number>>;
  readonly mission: MissionName;
  readonly cargo?: Units;
}

export const launchStep = ({ to, ships, mission, cargo = {} }: LaunchWords): WholeStep => ({
  action: 'launch',
  targetKey: to.key,
  mission: MISSIONS.indexOf(mission),
  ships: shipList(ships),
  cargo: cargoList(cargo),
  drive: null,
});
