// Says which rule set can replace another one in a running world.
import type { RuleSet } from './rule-set.js';
import { PARTS } from './rules-version.js';

/**
 * Returns why a world cannot switch from one rule set to another: positions of types are stored, players may
 * already have as many starter planets as the old rules allow, and what a part of the rules has stored has no meaning without it.
 *
 * @returns a sentence; null if the world can switch
 */
export function obstacleToSwitch(before: RuleSet, after: RuleSet): string | null {
  for (const list of ['buildings', 'ships', 'drives', 'research'] as const) {
    for (const [place, { type }] of before[list].entries()) {
      if (after[list][place]?.type === type) continue;
      return `/${list}/${place} must be ${type}: types keep their positions, and new types follow them.`;
    }
  }
  if (after.starter.perPlayerMax < before.starter.perPlayerMax) {
    return `/starter/perPlayerMax must be at least ${before.starter.perPlayerMax}: players may already have that many.`;
  }
  for (const part of PARTS) {
    if (before[part] !== undefined && after[part] === undefined)
      return `/${part} must stay: a part is never taken away.`;
  }
  return null;
}
