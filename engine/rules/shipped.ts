// The rules that this program brings along, and how it finds the rules of a world again.
import { ruleSetOfText } from './rule-set-text.js';
import { Rules } from './rules.js';
import { STANDARD_1 } from './standard-1.js';

/** Raised if a change of the engine changes what a logged command does under the same rule set. */
export const RULES_VERSION = 1;

/** Every version whose worlds this program opens. The engine goes on to interpret each of them. */
export const RULES_VERSIONS: ReadonlySet<number> = new Set([RULES_VERSION]);

/** Compiled once: worlds share it. */
export const STANDARD_1_RULES: Rules = new Rules(STANDARD_1);

/** Rule sets that a new world can be given by name. The first is the default. */
export const SHIPPED_RULES: readonly Rules[] = [STANDARD_1_RULES];

/**
 * The rules that a world was logged or written with.
 *
 * @param text of a sound rule set; see ruleSetText()
 * @throws Error if the text is no rule set
 */
export function rulesFromText(text: string): Rules {
  return text === STANDARD_1_RULES.text ? STANDARD_1_RULES : new Rules(ruleSetOfText(text));
}
