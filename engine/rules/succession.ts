// Which rule set can follow another one in a running world.
import type { RuleSet } from './rule-set.js';

/**
 * Why a world of one rule set cannot go on under another. Places of types are stored, and players may have as many starter planets
 * as they were allowed.
 *
 * @returns a sentence; null if it can
 */
export function obstacleToSwitch(before: RuleSet, after: RuleSet): string | null {
  for (const list of ['buildings', 'ships', 'drives', 'research'] as const) {
    for (const [place, { type }] of before[list].entries()) {
      if (after[list][place]?.type === type) continue;
      return `/${list}/${place} must be ${type}: types keep their places, and new ones come behind them.`;
    }
  }
  if (after.starter.perPlayerMax < before.starter.perPlayerMax) {
    return `/starter/perPlayerMax must be at least ${before.starter.perPlayerMax}: players may have so many.`;
  }
  return null;
}
