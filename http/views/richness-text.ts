// What planets produce compared with others, in words.
import { AVERAGE_PERCENT } from '../../engine/map/richness.js';
import { RESOURCES } from '../../engine/rules/resources.js';

/** `iron 120 %, silver 80 %`: what is not told is 100 %. @param percents by shippable resource */
export function richnessText(percents: readonly number[]): string {
  const other = percents.flatMap((percent, resource) =>
    percent === AVERAGE_PERCENT ? [] : [`${RESOURCES[resource]} ${percent} %`],
  );
  return other.length === 0 ? `${AVERAGE_PERCENT} %` : other.join(', ');
}

/** `iron 150 %, silver 50 %, or iron 50 %, silver 150 %`. @param starters the lists of a rule set */
export const leansText = (starters: readonly (readonly number[])[]): string => starters.map(richnessText).join(', or ');
