// The command that switches a world to other rules.

import { renewOutputs } from '../planets/output.js';
import { recountPoints } from '../planets/points.js';
import { RULE_SET_BYTES_MAX } from '../rules/record-limits.js';
import type { Rules } from '../rules/rules.js';
import { rulesFromText } from '../rules/shipped.js';
import { obstacleToSwitch } from '../rules/succession.js';
import { beginShocks } from '../shocks/shocks.js';
import { type Refusal, refuse } from '../terms/rejections.js';
import { touchPlayer } from '../world/state.js';
import { defineCommand } from './command.js';

/**
 * Switches the world to another valid rule set, which is given by its text (ruleSetText()), for the operator. Types keep their positions, because positions are stored; new types follow
 * them. What was produced until now stays, and so does what was paid. Pending timers keep their deadlines.
 */
export const switchRules = defineCommand({
  type: 'switch_rules',
  code: 17,
  decode: (row) => ({ type: 'switch_rules', rules: row.text('rule set', RULE_SET_BYTES_MAX) }),

  execute(world, { rules: text }): Rules | Refusal {
    const rules = rulesFromText(text);
    const reason =
      text === world.rules.text ? 'The world already uses these rules.' : obstacleToSwitch(world.rules.set, rules.set);
    if (reason !== null) return refuse('rules_not_compatible', { reason });
    // commit
    const { rules: before } = world;
    world.play(rules);
    beginShocks(world);
    for (const player of world.players.values()) {
      renewOutputs(world, player, before);
      recountPoints(world, player);
      touchPlayer(world, player);
    }
    return rules;
  },
});
