// What a rule set is: all numbers of a game that the contract does not fix, and the names of its types. It is data; rules.ts
// compiles it to tables.
import type { Amounts } from '../resources.js';

export interface RuleSet {
  /** Letters, digits and hyphens; `standard-1`. */
  readonly name: string;
  /** Of the rule set of this name; raised with every change. */
  readonly version: number;
  // Positions in these lists are written to disk: a later version only appends to them.
  readonly buildings: readonly BuildingRule[];
  readonly ships: readonly ShipRule[];
  readonly drives: readonly DriveRule[];
  readonly research: readonly ResearchRule[];
  readonly roles: Roles;
  /** What a starter planet begins with, and how many a player may have. */
  readonly starter: { readonly stock: Amounts; readonly buildings: readonly string[]; readonly perPlayerMax: number };
  /** What a colonized planet begins with. */
  readonly colony: { readonly buildings: readonly string[] };
  /** Level L of a building costs its base cost x this^(L-1), rounded down. */
  readonly costGrowth: Fraction;
  /** Level L of a building gives its base output x L x this^L, rounded down. */
  readonly outputGrowth: Fraction;
  /** Lower levels of a building cost no energy. */
  readonly energyCostFromLevel: number;
  readonly shieldHitPointsPerLevel: number;
  /** Each level of a drive's research above the first lowers its h2 use by this many per cent... */
  readonly h2SavingPercentPerLevel: number;
  /** ...to this share at least. */
  readonly h2UsePercentMin: number;
  /** h2 units for one distance unit at rate 1 and factor 1, there and back, as 1 / this. */
  readonly h2DistanceDivisor: number;
  readonly combatRoundsMax: number;
  /** The winner takes stock / this of every stock but energy. */
  readonly lootDivisor: number;
}

export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/** Which type the engine means if it needs one of a kind. */
export interface Roles {
  /** Builds ships. */
  readonly shipyard: string;
  /** Limits what scouts report. */
  readonly antiSpy: string;
  /** Adds hit points to the defence of its planet. */
  readonly planetaryShield: string;
  /** Ship that reports a planet. */
  readonly scout: string;
  /** Ship that is used up when a planet is colonized. */
  readonly colonyShip: string;
}

export interface BuildingRule {
  readonly type: string;
  readonly description: string;
  /** Units of level 1; see costGrowth. */
  readonly baseCost: Amounts;
  /** Units an hour; see outputGrowth. */
  readonly baseOutput: Amounts;
}

export interface ShipRule {
  readonly type: string;
  readonly cost: Amounts;
  /** Seconds a ship takes in a level 1 shipyard. */
  readonly baseSeconds: number;
  readonly attack: number;
  /** Defence is the ship's hit points. */
  readonly defence: number;
  /** Tenths of a distance unit a second. */
  readonly speedTenths: number;
  /** Units of cargo it can hold. */
  readonly cargo: number;
  /** Tenths of the h2 rate. */
  readonly h2RateTenths: number;
  /** Room it needs in a hangar; 0 flies by itself. */
  readonly hangarSize: number;
  /** Room it offers to carried ships. */
  readonly hangarCapacity: number;
}

export interface DriveRule {
  readonly type: string;
  /** Type of the research that unlocks it; null: everybody has it. */
  readonly research: string | null;
  /** Tenths of the speed multiplier by flight type; 0: cannot fly that type. */
  readonly multiplierTenths: readonly [intraSystem: number, interSystem: number, interGalaxy: number];
  /** Tenths of the h2 factor. */
  readonly h2FactorTenths: number;
}

export interface ResearchRule {
  readonly type: string;
  readonly unlocks: string;
}
