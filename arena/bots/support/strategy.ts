// What a bot wants, if the rules have plans. Campaign carries it out.
import type { Appetite } from './research.js';

/** What a building is worth: its points, and what it produces in some hours. */
export interface Weighing {
  /** At speed 1. */
  readonly outputHours: number;
  readonly pointWeight: number;
}

export interface Strategy {
  readonly appetite: Appetite;
  /** Planets that it wants at most, as far as the rules allow it. */
  readonly planetsMax: number;
  /** Settles in the next galaxy, too, which few can reach. */
  readonly settlesFar: boolean;
  /** Levels of buildings for each level of the highest mine. */
  readonly shares: {
    readonly shipyard: number;
    readonly antiSpy: number;
    readonly planetaryShield: number;
    /** Each building that fires. */
    readonly defences: number;
  };
  /** How buildings are weighed; of several ways, the one is taken whose forecast leads furthest. */
  readonly weighings: readonly Weighing[];
  /** Share of what is made that is spent on ships. */
  readonly shipShare: number;
  /** H2 for flights, as a share of all that is made. */
  readonly fuelShare: number;
  /** Whether what buildings leave over becomes warships. */
  readonly armsLeftovers: boolean;
  /** Ships by what they are for: parts of what is spent on ships. */
  readonly mix: { readonly warships: number; readonly freighters: number; readonly scouts: number };
  /** Attacks what pays. */
  readonly raids: boolean;
  /** Its ships stay where they are when they are attacked by more. */
  readonly stands: boolean;
  /** Moves what planets have too much of to those that have too little. */
  readonly hauls: boolean;
}

/** What all have in common: it grows, settles where it may, and fights nobody. */
export const GROWTH: Strategy = {
  appetite: { output: 1, colonies: 1, attack: 0.02, hit_points: 0.02, cargo: 0.02, sight: 0, drives: 0.2 },
  planetsMax: Number.POSITIVE_INFINITY,
  settlesFar: false,
  shares: { shipyard: 0.25, antiSpy: 0, planetaryShield: 0, defences: 0 },
  weighings: [{ outputHours: 400, pointWeight: 0.1 }],
  shipShare: 0,
  fuelShare: 0.01,
  armsLeftovers: false,
  mix: { warships: 1, freighters: 0, scouts: 0 },
  raids: false,
  stands: false,
  hauls: false,
};
