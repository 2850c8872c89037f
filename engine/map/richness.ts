// How rich planets are: what each produces of a shippable resource, in per cent of what its buildings produce elsewhere. It is derived from
// the seed.

import { drawBelow, SALTS } from '../numbers/random.js';
import { SLOTS_PER_SYSTEM } from '../rules/limits.js';
import type { CompiledRichness } from '../rules/parts.js';
import { CARGO_RESOURCE_COUNT } from '../rules/resources.js';
import { isStarterPlace } from './starters.js';
import type { PlanetKey, Universe } from './universe.js';

/** What a planet produces of a resource if all planets are alike. */
export const AVERAGE_PERCENT = 100;

/**
 * Returns the richness of a planet for each shippable resource, in per cent. Those that newcomers get lean as their system does, so the rules
 * decide whether one of them is luckier than another.
 */
export function richnessOf(universe: Universe, key: PlanetKey, { percents, starters }: CompiledRichness): number[] {
  if (isStarterPlace(universe, key)) {
    const lean = drawBelow(starters.length, universe.seed, Math.floor(key / SLOTS_PER_SYSTEM), SALTS.starterRichness);
    return [...(starters[lean] as readonly number[])];
  }
  return Array.from({ length: CARGO_RESOURCE_COUNT }, (_, resource) => {
    const choice = key * CARGO_RESOURCE_COUNT + resource;
    return percents[drawBelow(percents.length, universe.seed, choice, SALTS.richness)] as number;
  });
}
