// genesis is the first entry of every log. It contains everything that a world is created from.

import {
  SPEED_THOUSANDTHS_MAX,
  SPEED_THOUSANDTHS_MIN,
  SYSTEMS_PER_GALAXY_MAX,
  WORLD_TIME_MS_MAX,
} from '../rules/limits.js';
import { RULE_SET_BYTES_MAX } from '../rules/record-limits.js';
import { RULES_VERSION_OF_PARTS, RULES_VERSIONS } from '../rules/rules-version.js';
import { rulesFromText } from '../rules/shipped.js';
import { beginShocks } from '../shocks/shocks.js';
import { World, type WorldSettings } from '../world/state.js';
import type { CommandLayout } from './command.js';

export interface Genesis extends WorldSettings {
  readonly type: 'genesis';
  /** Text of the rule set; see ruleSetText(). */
  readonly rules: string;
}

export const GENESIS: CommandLayout<Genesis> = {
  type: 'genesis',
  code: 1,
  decode: (row) => ({
    type: 'genesis',
    seed: row.integer('seed'),
    systemsPerGalaxy: row.integer('systems per galaxy', 1, SYSTEMS_PER_GALAXY_MAX),
    speedThousandths: row.integer('speed in thousandths', SPEED_THOUSANDTHS_MIN, SPEED_THOUSANDTHS_MAX),
    rulesVersion: row.integer('rules version'),
    startMs: row.integer('start time', 0, WORLD_TIME_MS_MAX),
    rules: row.text('rule set', RULE_SET_BYTES_MAX),
  }),
};

/** @throws Error if this program does not support the rules version of the world */
export function createWorld(genesis: Genesis): World {
  const { seed, systemsPerGalaxy, speedThousandths, rulesVersion, startMs, rules } = genesis;
  if (!RULES_VERSIONS.has(rulesVersion)) {
    throw new Error(`the world needs rules version ${rulesVersion}, and this program has ${RULES_VERSION_OF_PARTS}`);
  }
  const settings = { seed, systemsPerGalaxy, speedThousandths, rulesVersion, startMs };
  const played = rulesFromText(rules);
  if (played.version !== rulesVersion) {
    throw new Error(`the rules of the world need version ${played.version}, and it says ${rulesVersion}`);
  }
  const world = new World(settings, played);
  beginShocks(world);
  return world;
}
