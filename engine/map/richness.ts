// How rich planets are: what each produces of a shippable resource, in per cent of what its buildings produce elsewhere. It is derived from
// the seed.

import { drawBelow, SALTS } from '../numbers/random.js';
import type { CompiledRichness } from '../rules/parts.js';
import { CARGO_RESOURCE_COUNT } from '../rules/resources.js';
import { isStarterPlace } from './starters.js';
import type { PlanetKey, Universe } from './universe.js';

/** What a planet produces of a resource if all planets are alike, and on every starter planet. */
export const AVERAGE_PERCENT = 100;

/**
 * Returns the richness of a planet for each shippable resource, in per cent. A planet that newcomers get is not luckier than another, so each
 * of them has AVERAGE_PERCENT.
 */
export function richnessOf(universe: Universe, key: PlanetKey, { percents }: CompiledRichness): number[] {
  const isAverage = isStarterPlace(universe, key);
  return Array.from({ length: CARGO_RESOURCE_COUNT }, (_, resource) => {
    if (isAverage) return AVERAGE_PERCENT;
    const choice = key * CARGO_RESOURCE_COUNT + resource;
    return percents[drawBelow(percents.length, universe.seed, choice, SALTS.richness)] as number;
  });
}
