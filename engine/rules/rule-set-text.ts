// A rule set as text: what is logged, kept in snapshots and digested. JSON is used here and nowhere else in the engine.
import type { RuleSet } from './rule-set.js';

/**
 * JSON without spaces, keys in the order of their UTF-16 code units (as in RFC 8785). Two rule sets are the same if their texts
 * are.
 */
export function ruleSetText(set: RuleSet): string {
  // biome-ignore lint/style/noRestrictedGlobals: a rule set holds whole numbers, texts and null, which JSON keeps as they are.
  return JSON.stringify(set, (_key, value: unknown) => (isObject(value) ? sorted(value) : value));
}

/** @throws SyntaxError if the text is no JSON */
export function ruleSetOfText(text: string): RuleSet {
  // biome-ignore lint/style/noRestrictedGlobals: the reverse of ruleSetText().
  return JSON.parse(text) as RuleSet;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
