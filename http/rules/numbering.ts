// Maps names in requests to the numbers that the engine uses.
import { MISSIONS } from '../../engine/terms/missions.js';

export const missionNumber: (name: string) => number = numbering(MISSIONS);

/** Returns a function from a name to its position in a list. Schemas accept only known names. */
export function numbering(names: readonly string[]): (name: string) => number {
  const numbers = new Map(names.map((name, number) => [name, number]));
  return (name) => {
    const number = numbers.get(name);
    if (number === undefined) throw new Error(`unknown type ${name}`);
    return number;
  };
}
