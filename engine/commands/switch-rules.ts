// switch_rules: the operator switches the world to another rule set. Types keep their positions, because positions are
// stored; new types follow them. Stocks are settled at the old output first. Pending timers keep their deadlines.
import { setOutputBonuses } from '../output.js';
import { recountPoints } from '../points.js';
import { refuse } from '../rejections.js';
import type { Rules } from '../rules/rules.js';
import { rulesFromText } from '../rules/shipped.js';
import { obstacleToSwitch } from '../rules/succession.js';
import { touchPlanet, touchPlayer } from '../state.js';
import { settle } from '../stocks.js';
import type { CommandDefinition } from './command.js';

export interface SwitchRules {
  readonly type: 'switch_rules';
  /** Text of a valid rule set; see ruleSetText(). */
  readonly rules: string;
}

export const switchRules: CommandDefinition<SwitchRules, Rules> = {
  type: 'switch_rules',
  code: 17,
  decode: ([, rules]) => ({ type: 'switch_rules', rules }) as SwitchRules,

  execute(world, { rules: text }) {
    const rules = rulesFromText(text);
    const reason =
      text === world.rules.text ? 'The world already uses these rules.' : obstacleToSwitch(world.rules.set, rules.set);
    if (reason !== null) return refuse('rules_not_compatible', { reason });
    // commit
    for (const planet of world.planets.values()) settle(world, planet, world.nowMs);
    world.play(rules);
    for (const player of world.players) {
      if (player === undefined) continue;
      setOutputBonuses(world, player);
      recountPoints(world, player);
      touchPlayer(world, player);
      for (const planet of player.planets) touchPlanet(world, planet);
    }
    return rules;
  },
};
