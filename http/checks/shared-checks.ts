// Compiled checks of request bodies, shared by all worlds of a process that play by the same rules: a replay that jumps and a process
// that serves many worlds would otherwise compile them for each.
import type { TSchema } from 'typebox';
import type { Rules } from '../../engine/rules/rules.js';
import { compileRequestCheck, type RequestCheck } from './schema-check.js';
import { withTypeNames } from './type-names.js';

interface Compiled {
  readonly rules: Rules;
  readonly check: RequestCheck;
}

/** The last one of each schema. A process rarely knows two rule sets. */
const COMPILED = new WeakMap<TSchema, Compiled>();

/**
 * The check of a request by the types of some rules.
 *
 * @param name of the operation, for the error
 * @throws Error if the schema accepts values that nothing checks
 */
export function requestCheckOf(schema: TSchema, rules: Rules, name: string): RequestCheck {
  const last = COMPILED.get(schema);
  if (last !== undefined && (last.rules === rules || last.rules.text === rules.text)) return last.check;
  const check = compileRequestCheck(withTypeNames(schema, rules), name);
  COMPILED.set(schema, { rules, check });
  return check;
}
