// A rule set in which players make pacts, trade and write to each other.
import type { RuleSet } from '../../engine/rules/rule-set.js';
import { TRADING } from './market-rules.js';
import { WITH_PACTS } from './pact-rules.js';
import { MESSAGES } from './spoken-rules.js';

const { market, deliveries } = TRADING;
export const DEALING: RuleSet = { ...WITH_PACTS, name: 'dealing', version: 1, market, deliveries, messages: MESSAGES };
