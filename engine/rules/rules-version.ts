// The version of the engine that a world needs. It is in the log and the snapshots of the world. A program opens only versions that it knows.
import type { RuleSet } from './rule-set.js';

/**
 * Version of rule sets without optional parts. It is raised when a change to the engine changes what a logged command does under the same
 * rule set.
 */
export const RULES_VERSION = 1;

/** Version of rule sets with any optional part (decision 4). Older programs do not interpret them. */
export const RULES_VERSION_OF_PARTS = 2;

/** Every version whose worlds this program opens. The engine still implements each of them. */
export const RULES_VERSIONS: ReadonlySet<number> = new Set([RULES_VERSION, RULES_VERSION_OF_PARTS]);

/** The parts at the top level of a rule set. */
export const PARTS = [
  'plans',
  'colonies',
  'war',
  'points',
  'deliveries',
  'richness',
  'sight',
  'fields',
  'support',
  'messages',
  'market',
  'pacts',
  'shocks',
] as const;

/** Returns the version that a world with this rule set needs. */
export function rulesVersionOf(set: RuleSet): number {
  const hasParts =
    PARTS.some((part) => set[part] !== undefined) ||
    set.buildings.some(({ defence }) => defence !== undefined) ||
    set.ships.some(({ strongAgainst }) => strongAgainst !== undefined) ||
    set.research.some(({ effect }) => effect !== undefined);
  return hasParts ? RULES_VERSION_OF_PARTS : RULES_VERSION;
}
