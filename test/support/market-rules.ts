// A rule set in which players trade, and bring each other a share of what planets produce, and that is otherwise `standard-1`. A world can be
// switched to it from `standard-1`.
import type { RuleSet } from '../../engine/rules/rule-set.js';
import { Rules } from '../../engine/rules/rules.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';

export const TRADING = {
  ...STANDARD_1,
  name: 'trading',
  version: 1,
  deliveries: { periodSeconds: 36_000, outputPercent: 50 },
  market: {
    carrier: 'transport',
    offersPerPlayer: 3,
    offerSecondsMax: 7_200,
    unsoldPercent: 5,
    values: [2, 3, 7, 4, 0],
  },
} satisfies RuleSet;

export const TRADING_RULES = new Rules(TRADING);
