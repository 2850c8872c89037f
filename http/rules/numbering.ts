// From names, as requests bring them, to the numbers that the engine keeps.
import { MISSIONS } from '../../engine/missions/names.js';

export const missionNumber: (name: string) => number = numbering(MISSIONS);

/** @returns the place of a name in a list. Schemas let only known names through. */
export function numbering(names: readonly string[]): (name: string) => number {
  const numbers = new Map(names.map((name, number) => [name, number]));
  return (name) => {
    const number = numbers.get(name);
    if (number === undefined) throw new Error(`no type has the name ${name}`);
    return number;
  };
}
