// A rule set in which players can write to each other and that is otherwise `standard-1`. A world can be switched to it from `standard-1`.
import type { MessageRules, RuleSet } from '../../engine/rules/rule-set.js';
import { Rules } from '../../engine/rules/rules.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';

/** Small, so that each limit is soon reached. */
export const MESSAGES: MessageRules = {
  charactersMax: 60,
  periodSeconds: 3_600,
  sentMax: 5,
  sentToOneMax: 3,
  keptMax: 4,
  broadcastsMax: 2,
  broadcastsKeptMax: 3,
  blockedMax: 2,
};

export const SPOKEN = { ...STANDARD_1, name: 'spoken', version: 1, messages: MESSAGES } satisfies RuleSet;

export const SPOKEN_RULES = new Rules(SPOKEN);
