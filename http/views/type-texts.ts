// The types of the rules as they appear in planets, as bytes that are made once per rule set.

import { BUILDING_LEVEL_MAX } from '../../engine/rules/limits.js';
import type { Rules } from '../../engine/rules/rules.js';
import { buildingId } from '../../engine/terms/ids.js';
import { fragment } from './text-writer.js';

export interface TypeTexts {
  /** By building type and level: an idle building, from the end of the planet's id on. */
  readonly buildings: readonly (readonly Uint8Array[])[];
  /** By ship type: the text before the count of an order or of ships. */
  readonly ships: readonly Uint8Array[];
}

export function typeTexts(rules: Rules): TypeTexts {
  return {
    buildings: rules.buildings.map(({ type }, buildingType) =>
      Array.from({ length: BUILDING_LEVEL_MAX + 1 }, (_, level) =>
        fragment(`${buildingId(rules, '', buildingType)}","type":"${type}","level":${level},"constructionQueue":[]},`),
      ),
    ),
    ships: rules.ships.map(({ type }) => fragment(`{"shipType":"${type}","count":`)),
  };
}
