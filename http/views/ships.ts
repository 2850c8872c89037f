// Converts lists indexed by type number to the form of replies: entries with type names, without zeros.

import { RESOURCES } from '../../engine/rules/resources.js';
import type { Rules } from '../../engine/rules/rules.js';

export function shipCounts(rules: Rules, ships: readonly number[]): { shipType: string; count: number }[] {
  return rules.ships.flatMap(({ type }, index) => {
    const count = ships[index] ?? 0;
    return count === 0 ? [] : [{ shipType: type, count }];
  });
}

/** The same with the field names of fleets. */
export function fleetShips(rules: Rules, ships: readonly number[]): { type: string; count: number }[] {
  return shipCounts(rules, ships).map(({ shipType, count }) => ({ type: shipType, count }));
}

export function buildingLevels(rules: Rules, levels: readonly number[]): { type: string; level: number }[] {
  return rules.buildings.flatMap(({ type }, index) => {
    const level = levels[index] ?? 0;
    return level === 0 ? [] : [{ type, level }];
  });
}

/** Amounts of iron, silver, ember and h2 by name. */
export function cargoAmounts([iron = 0, silver = 0, ember = 0, h2 = 0]: readonly number[]) {
  return { iron, silver, ember, h2 };
}

/** Amounts of every resource by name. */
export function resourceAmounts([iron = 0, silver = 0, ember = 0, h2 = 0, energy = 0]: readonly number[]) {
  return { iron, silver, ember, h2, energy };
}

/** Converts amounts by name to whole units in the engine's order, rounded down; an omitted one is 0. */
export function amountsInOrder(amounts: Readonly<Partial<Record<string, number>>>, count: number): number[] {
  // JSON can contain -0; adding 0 turns it into 0.
  return RESOURCES.slice(0, count).map((name) => Math.floor(amounts[name] ?? 0) + 0);
}
