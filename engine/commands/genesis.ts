// genesis: the first entry of every log. It carries what a world is made from.
import { RULES_VERSION, STANDARD_1_RULES } from '../rules/shipped.js';
import { World, type WorldSettings } from '../state.js';

export interface Genesis extends WorldSettings {
  readonly type: 'genesis';
}

/** The number of the genesis entry on disk. */
export const GENESIS_CODE = 1;

/** @throws Error where the world was made for rules that this program does not know */
export function createWorld(genesis: Genesis): World {
  const { seed, systemsPerGalaxy, speedThousandths, rulesVersion, startMs } = genesis;
  if (rulesVersion !== RULES_VERSION) {
    throw new Error(`the world needs rules version ${rulesVersion}, this program has ${RULES_VERSION}`);
  }
  return new World({ seed, systemsPerGalaxy, speedThousandths, rulesVersion, startMs }, STANDARD_1_RULES);
}
