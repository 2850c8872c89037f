// Rules in a log or a snapshot get the checks of rules in a request: a foreign folder could have any.
import t from 'tap';
import { ROW_KINDS } from '../../../engine/rows/row.js';
import { type RuleSet, ruleSetText } from '../../../engine/rules/rule-set.js';
import { SHIPPED_RULES, STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { requireSoundRulesIn, requireSoundRulesOf } from '../../../persistence/rules/stored-rules.js';

const textWith = (change: object): string => ruleSetText({ ...STANDARD_1_RULES.set, ...change } as RuleSet);
const HOSTILE: readonly [text: string, message: RegExp][] = [
  [textWith({ combatRoundsMax: 1_000_000_000 }), /does not have the shape/],
  [textWith({ buildings: [] }), /does not have the shape/],
  [textWith({ costGrowth: { numerator: 2, denominator: 1 } }), /levels together cost more than/],
  ['[]', /does not have the shape/],
  ['{', /JSON/],
];

t.test('shipped rules and others that are sound pass', async () => {
  for (const text of [...SHIPPED_RULES.map((rules) => rules.text), textWith({ name: 'mine' })]) {
    requireSoundRulesIn([ROW_KINDS.rules, text]);
    requireSoundRulesOf({ type: 'switch_rules', rules: text });
  }
});

t.test('rules that no request could bring are refused', async (t) => {
  for (const [text, message] of HOSTILE) {
    t.throws(() => requireSoundRulesIn([ROW_KINDS.rules, text]), { message });
    t.throws(() => requireSoundRulesOf({ type: 'switch_rules', rules: text }), { message });
  }
});
