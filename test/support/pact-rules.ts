// A rule set in which players make pacts and their planets see, and that is otherwise `standard-1`. A world can be switched to it from `standard-1`.
import type { PactRules, RuleSet } from '../../engine/rules/rule-set.js';
import { SIGHTED } from './sighted-rules.js';

export const PACT_RULES: PactRules = {
  proposalSeconds: 7_200,
  durationSecondsMax: 172_800,
  noticeSeconds: 3_600,
  openMax: 2,
};

export const WITH_PACTS: RuleSet = { ...SIGHTED, name: 'pacts', version: 1, pacts: PACT_RULES };
