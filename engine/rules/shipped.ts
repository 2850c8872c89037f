// The rules that this program contains, and how it restores the rules of a world.

import { ruleSetOfText } from './rule-set.js';
import { Rules } from './rules.js';
import { STANDARD_1 } from './standard-1.js';
import { STANDARD_2 } from './standard-2.js';

export { RULES_VERSION, RULES_VERSIONS } from './rules-version.js';

/** Compiled once and shared by all worlds. */
export const STANDARD_1_RULES: Rules = new Rules(STANDARD_1);

export const STANDARD_2_RULES: Rules = new Rules(STANDARD_2);

/** The rules of new worlds that name none. */
export const DEFAULT_RULES: Rules = STANDARD_2_RULES;

/** Rule sets that a new world can select by name. */
export const SHIPPED_RULES: readonly Rules[] = [STANDARD_1_RULES, STANDARD_2_RULES];

/**
 * Returns the rules from their text in a log or a snapshot.
 *
 * @param text of a valid rule set; see ruleSetText()
 * @throws Error if the text is not a rule set
 */
export function rulesFromText(text: string): Rules {
  return SHIPPED_RULES.find((rules) => rules.text === text) ?? new Rules(ruleSetOfText(text));
}
