// The parts of the catalogue that only some rule sets have. A rule set without a part has no such field.
import type { Catalog } from '../../bot.js';

export interface RuleParts {
  readonly plans?: { readonly stepsMax: number } | null;
  readonly colonies?: {
    readonly research: string;
    readonly planetsAtFirst: number;
    readonly levelsPerPlanet: number;
  } | null;
  readonly war?: { readonly protectionSeconds: number; readonly strongAgainstPercent: number } | null;
  readonly points?: {
    readonly planetPercents: readonly number[];
    readonly shipPercent: number;
    readonly destroyedPercent: number;
  } | null;
}

export const partsOf = (catalog: Catalog): RuleParts => catalog as RuleParts;
