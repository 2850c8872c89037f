// The rules that tests, simulations and benches name when they create a world whose numbers they rely on. They do not follow the
// default of new worlds, so that it can change without them.
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import type { ChosenSettings } from '../../persistence/recovery/genesis.js';

export const TEST_RULES = STANDARD_1_RULES;

/** Name of TEST_RULES, for `--rules` and the orders of `galaxyd worlds`. */
export const TEST_RULES_NAME = TEST_RULES.set.name;

/** Flags of the subcommands that create worlds. */
export const TEST_RULES_FLAGS: readonly string[] = ['--rules', TEST_RULES_NAME];

/** Settings of a new world that plays by TEST_RULES, unless others are given. */
export function testSettings<Settings extends ChosenSettings>(settings?: Settings): Settings & ChosenSettings {
  return { rules: TEST_RULES, ...(settings as Settings) };
}
