// A rule set that an operator might write: `standard-1` with other costs and one more type in each list. A world can be
// switched to it from `standard-1`.
import type { RuleSet } from '../../engine/rules/rule-set.js';
import { Rules } from '../../engine/rules/rules.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';

export const CUSTOM: RuleSet = {
  ...STANDARD_1,
  name: 'custom',
  version: 3,
  buildings: [
    ...STANDARD_1.buildings.map((rule) => ({
      ...rule,
      baseCost: [rule.baseCost[0] + 7, rule.baseCost[1], rule.baseCost[2], 1, rule.baseCost[4]] as const,
    })),
    { type: 'smelter', description: 'Smelts iron.', baseCost: [90, 40, 10, 0, 8], baseOutput: [33, 0, 0, 0, 0] },
  ],
  ships: [
    ...STANDARD_1.ships.map((rule) => (rule.type === 'fighter' ? { ...rule, attack: 11, baseSeconds: 45 } : rule)),
    {
      type: 'destroyer',
      cost: [900, 500, 60, 0, 20],
      baseSeconds: 200,
      attack: 60,
      defence: 55,
      speedTenths: 8,
      cargo: 100,
      h2RateTenths: 18,
      hangarSize: 0,
      hangarCapacity: 2,
    },
  ],
  drives: [
    ...STANDARD_1.drives,
    { type: 'warp', research: 'drive_warp', multiplierTenths: [40, 40, 600], h2FactorTenths: 120 },
  ],
  research: [...STANDARD_1.research, { type: 'drive_warp', unlocks: 'warp drive' }],
  costGrowth: { numerator: 13, denominator: 10 },
  energyCostFromLevel: 3,
  combatRoundsMax: 8,
};

export const CUSTOM_RULES = new Rules(CUSTOM);
