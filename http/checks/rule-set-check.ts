// Checks whether a world can be played by a rule set: its shape by the schema, its meaning by the engine.

import type { RuleSet } from '../../engine/rules/rule-set.js';
import { type RuleSetFault, ruleSetFaults } from '../../engine/rules/soundness.js';
import { RuleSet as RuleSetSchema } from '../../persistence/rules/rule-set-schema.js';
import { compileRequestCheck } from './schema-check.js';

const check = compileRequestCheck(RuleSetSchema, 'rule set');

/** @returns the rule set, or its faults, each with a JSON pointer (RFC 6901) */
export function checkedRuleSet(
  value: unknown,
): { readonly set: RuleSet } | { readonly faults: readonly RuleSetFault[] } {
  if (!check.accepts(value)) return { faults: check.errors(value) };
  const set = value as RuleSet;
  const faults = ruleSetFaults(set);
  return faults.length === 0 ? { set } : { faults };
}
