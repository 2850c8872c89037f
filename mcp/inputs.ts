// The shapes that inputs of tools are made of.
import { z } from 'zod';
import { CARGO_UNITS_MAX, NAME_LENGTH_MAX, SHIP_ENTRIES_MAX, SHIPS_PER_ENTRY_MAX } from './limits.js';

const text = z.string().min(1).max(NAME_LENGTH_MAX);
const units = z.number().min(0).max(CARGO_UNITS_MAX);

export const planetId = text.describe('Planet id, such as planet-1-0-26');
/** Of a type, where another field says of what. */
export const name = text;
export const typeName = (of: string) => text.describe(of);
export const instant = z.iso.datetime().describe('World time, such as 2000-01-01T00:04:00.000Z');
export const ships = z
  .array(z.strictObject({ type: typeName('Ship type'), count: z.int().min(1).max(SHIPS_PER_ENTRY_MAX) }))
  .min(1)
  .max(SHIP_ENTRIES_MAX);
export const mission = z.enum(['attack', 'transport', 'deploy', 'colonize', 'espionage']);
export const cargo = z.strictObject({
  iron: units.optional(),
  silver: units.optional(),
  ember: units.optional(),
  h2: units.optional(),
});
export const identifier = (what: string) => text.describe(what);

/** An object without the fields that were not given. */
export function given<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
