// The rule sets that this program brings along.
import type { RuleSet } from './rule-set.js';
import { Rules } from './rules.js';
import { STANDARD_1 } from './standard-1.js';

/** Raised whenever a change of the engine changes what a logged command does. */
export const RULES_VERSION = 1;

export const SHIPPED_RULE_SETS: ReadonlyMap<string, RuleSet> = new Map([[STANDARD_1.name, STANDARD_1]]);

/** Compiled once: worlds share it. */
export const STANDARD_1_RULES: Rules = new Rules(STANDARD_1);
