// Texts of the rule sets that random worlds play by and are switched to: the shipped ones and those of the tests, and varied instances of
// them, which have other prices, outputs, capacities and battles.
import { ruleSetText } from '../../engine/rules/rule-set.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';
import { STANDARD_2 } from '../../engine/rules/standard-2.js';
import { varied } from '../../engine/rules/vary.js';
import { CUSTOM } from './custom-rules.js';
import { FIGHTING } from './parts-rules.js';
import { PLANNED } from './planned-rules.js';

export const PLAYED_RULES: readonly string[] = [STANDARD_1, STANDARD_2, CUSTOM, PLANNED, FIGHTING]
  .flatMap((set) => [set, varied(set, 1), varied(set, 2)])
  .map(ruleSetText);
