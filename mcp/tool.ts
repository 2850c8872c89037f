// What a tool is: a name, a description for the model, the shape of its input, and what it does with the API. The only state between
// two calls is the turn that the model knows of. Below are the shapes that inputs share.
import { z } from 'zod';
import type { GalaxydClient, Shapes } from './galaxyd-client.js';
import { CARGO_UNITS_MAX, NAME_LENGTH_MAX, SHIP_ENTRIES_MAX, SHIPS_PER_ENTRY_MAX } from './limits.js';

/** The server and the player that the tools of this process act for. */
export interface Session {
  readonly galaxyd: GalaxydClient;
  readonly playerId: string;
  /** Number of the turn that the model knows it has; `present` if the model has acted in it; null if it knows of none. */
  knownTurn: number | 'present' | null;
  /** Number of the last event that the tool wait has shown; null before the first. */
  lastShownSeq: number | null;
  /** Numbers of later events that it has shown ahead. */
  shownAheadSeqs: readonly number[];
}

export interface Answer {
  readonly text: string;
  /** True if the call had no effect. */
  readonly isRefusal?: boolean;
}

export interface Tool<Input = never> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** False if it can change the world, or end a turn. */
  readonly isRead: boolean;
  /** Whether it can undo or spend something. Defaults to the opposite of isRead. */
  readonly isDestructive?: boolean;
  /** @throws GalaxydProblem, NoReply, and the reason of the signal */
  run(session: Session, input: Input, signal: AbortSignal): Promise<Answer>;
}

const text = z.string().min(1).max(NAME_LENGTH_MAX);
const units = z.number().min(0).max(CARGO_UNITS_MAX);

export const planetId = text.describe('Planet id, such as planet-1-0-26');
/** Name of a type. Another field says which kind of type. */
export const name = text;
export const typeName = (of: string) => text.describe(of);
export const instant = z.iso.datetime().describe('World time, such as 2000-01-01T00:04:00.000Z');
export const ships = z
  .array(z.strictObject({ shipType: typeName('Ship type'), count: z.int().min(1).max(SHIPS_PER_ENTRY_MAX) }))
  .min(1)
  .max(SHIP_ENTRIES_MAX);
/** Without one of the missions of the API, this does not compile. */
const MISSIONS: { readonly [Name in Shapes['Mission']]: Name } = {
  attack: 'attack',
  transport: 'transport',
  deploy: 'deploy',
  colonize: 'colonize',
  espionage: 'espionage',
  harvest: 'harvest',
  support: 'support',
};
export const mission = z.enum(MISSIONS);
export const cargo = z.strictObject({
  iron: units.optional(),
  silver: units.optional(),
  ember: units.optional(),
  h2: units.optional(),
});
export const identifier = (what: string) => text.describe(what);

/** Removes the fields that are undefined. */
export function given<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
