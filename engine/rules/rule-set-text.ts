// A rule set as text, for the log, snapshots and digests. JSON is used here and nowhere else in the engine.
import type { RuleSet } from './rule-set.js';

/**
 * Returns JSON without spaces, with keys in the order of their UTF-16 code units (as in RFC 8785). Two rule sets are
 * equal if their texts are.
 */
export function ruleSetText(set: RuleSet): string {
  // biome-ignore lint/style/noRestrictedGlobals: a rule set holds whole numbers, strings and null: JSON preserves them.
  return JSON.stringify(set, (_key, value: unknown) => (isObject(value) ? sorted(value) : value));
}

/** @throws SyntaxError if the text is not JSON */
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
