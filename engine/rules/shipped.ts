// The rules that this program brings along.
import { Rules } from './rules.js';
import { STANDARD_1 } from './standard-1.js';

/** Raised whenever a change of the engine or of `standard-1` changes what a logged command does. */
export const RULES_VERSION = 1;

/** Compiled once: worlds share it. */
export const STANDARD_1_RULES: Rules = new Rules(STANDARD_1);
