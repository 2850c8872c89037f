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

/** What a level of research adds for all planets and ships of its player. */
export type ResearchEffect =
  | { readonly kind: 'output'; readonly resources: readonly string[]; readonly percentPerLevel: number }
  | { readonly kind: 'attack' | 'hit_points' | 'cargo'; readonly percentPerLevel: number }
  | { readonly kind: 'sight'; readonly scoutsPerLevel: number };

export const effectOf = (research: Catalog['research'][number]): ResearchEffect | undefined =>
  (research as { readonly effect?: ResearchEffect }).effect;

/** What buildings and ships can do in a battle, besides what all rules say. */
export interface Fighting {
  readonly strongAgainst?: readonly string[];
  readonly defence?: {
    readonly attackPerLevel: number;
    readonly hitPointsPerLevel: number;
    readonly strongAgainst: readonly string[];
  };
}

export const partsOf = (catalog: Catalog): RuleParts => catalog as RuleParts;
