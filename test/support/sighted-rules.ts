// A rule set in which planets see flights and that is otherwise `standard-1`. A world can be switched to it from `standard-1`.
import type { RuleSet } from '../../engine/rules/rule-set.js';
import { Rules } from '../../engine/rules/rules.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';

/** One level lets planets see their own system and the two beside it on each side. */
export const SIGHTED = {
  ...STANDARD_1,
  name: 'sighted',
  version: 1,
  sight: { research: 'drive_ion', distancePerLevel: 150 },
} satisfies RuleSet;

export const SIGHTED_RULES = new Rules(SIGHTED);
