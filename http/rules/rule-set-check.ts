// Whether a value is a rule set that a world can be played by: its shape by the schema, its meaning by the engine.

import type { RuleSet } from '../../engine/rules/rule-set.js';
import { type RuleSetFault, ruleSetFaults } from '../../engine/rules/soundness.js';
import { RuleSet as RuleSetSchema } from '../schemas/rule-set.js';
import { compileRequestCheck } from '../schemas/schema-check.js';

const check = compileRequestCheck(RuleSetSchema, 'rule set');

/** @returns the rule set, or what is wrong with it, each fault with a JSON pointer (RFC 6901) */
export function checkedRuleSet(
  value: unknown,
): { readonly set: RuleSet } | { readonly faults: readonly RuleSetFault[] } {
  if (!check.accepts(value)) return { faults: check.errors(value) };
  const set = value as RuleSet;
  const faults = ruleSetFaults(set);
  return faults.length === 0 ? { set } : { faults };
}
