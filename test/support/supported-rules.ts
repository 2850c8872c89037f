// A rule set in which fleets can support other players and that is otherwise `standard-1`. A world can be switched to it from `standard-1`.
import type { RuleSet } from '../../engine/rules/rule-set.js';
import { Rules } from '../../engine/rules/rules.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';

export const SUPPORTED = {
  ...STANDARD_1,
  name: 'supported',
  version: 1,
  support: { fleetsPerPlanetMax: 2 },
} satisfies RuleSet;

export const SUPPORTED_RULES = new Rules(SUPPORTED);
