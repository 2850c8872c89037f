// A fault of a rule set, and the fault that a name has if it refers to nothing.
import type { RuleSet } from './rule-set.js';

export interface RuleSetFault {
  /** JSON pointer (RFC 6901) into the rule set. */
  readonly path: string;
  readonly message: string;
}

export const LISTS = ['buildings', 'ships', 'drives', 'research'] as const;

/** A name at a place of the rule set, and the list that must have it. */
export type Reference = readonly [path: string, name: string, list: (typeof LISTS)[number]];

/** The references to types which do not exist. */
export function unknownNames(set: RuleSet, references: readonly Reference[]): RuleSetFault[] {
  return references.flatMap(([path, name, list]) =>
    set[list].some(({ type }) => type === name) ? [] : [{ path, message: `${name} is not in the list of ${list}` }],
  );
}
