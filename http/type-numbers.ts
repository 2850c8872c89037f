// From type names, as requests bring them, to the numbers that the engine keeps. Schemas let only known names through.

import { MISSIONS } from '../engine/missions/names.js';
import { STANDARD_1 } from '../engine/rules/standard-1.js';

export const buildingNumber = numbering(STANDARD_1.buildings.map(({ type }) => type));
export const shipNumber = numbering(STANDARD_1.ships.map(({ type }) => type));
export const researchNumber = numbering(STANDARD_1.research.map(({ type }) => type));
export const missionNumber = numbering(MISSIONS);

/** Counts by ship type; entries of the same type add up. */
export function shipsByType(entries: readonly { readonly type: string; readonly count: number }[]): number[] {
  const ships = STANDARD_1.ships.map(() => 0);
  for (const { type, count } of entries) {
    const number = shipNumber(type);
    ships[number] = (ships[number] ?? 0) + count;
  }
  return ships;
}

function numbering(names: readonly string[]): (name: string) => number {
  const numbers = new Map(names.map((name, number) => [name, number]));
  return (name) => {
    const number = numbers.get(name);
    if (number === undefined) throw new Error(`no type has the name ${name}`);
    return number;
  };
}
