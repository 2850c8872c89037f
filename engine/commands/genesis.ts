// genesis: the first entry of every log. It contains what a world is created from.
import { RULES_VERSION_OF_PARTS, RULES_VERSIONS } from '../rules/rules-version.js';
import { rulesFromText, STANDARD_1_RULES } from '../rules/shipped.js';
import { World, type WorldSettings } from '../state.js';
import type { CommandLayout } from './command.js';

export interface Genesis extends WorldSettings {
  readonly type: 'genesis';
  /** Text of the rule set; see ruleSetText(). Worlds from before rule sets have none and use `standard-1`. */
  readonly rules?: string;
  /** True if the world keeps events from the beginning; older worlds do from begin_events on. */
  readonly hasEvents?: boolean;
}

export const GENESIS: CommandLayout<Genesis> = {
  type: 'genesis',
  code: 1,
  decode: ([, seed, systemsPerGalaxy, speedThousandths, rulesVersion, startMs, rules, hasEvents]) =>
    ({
      type: 'genesis',
      seed,
      systemsPerGalaxy,
      speedThousandths,
      rulesVersion,
      startMs,
      ...(rules === undefined ? {} : { rules }),
      ...(hasEvents === undefined ? {} : { hasEvents }),
    }) as Genesis,
};

/** @throws Error if this program does not support the rules version of the world */
export function createWorld(genesis: Genesis): World {
  const { seed, systemsPerGalaxy, speedThousandths, rulesVersion, startMs, rules, hasEvents = false } = genesis;
  if (!RULES_VERSIONS.has(rulesVersion)) {
    throw new Error(`the world needs rules version ${rulesVersion}, and this program has ${RULES_VERSION_OF_PARTS}`);
  }
  const settings = { seed, systemsPerGalaxy, speedThousandths, rulesVersion, startMs };
  const played = rules === undefined ? STANDARD_1_RULES : rulesFromText(rules);
  if (played.version !== rulesVersion) {
    throw new Error(`the rules of the world need version ${played.version}, and it says ${rulesVersion}`);
  }
  const world = new World(settings, played);
  world.eventLog.hasBegun = hasEvents;
  return world;
}
