// The catalogue of rules version 1 as data: adding a ship or a building is adding a row. Positions in these lists are
// written to disk, so rows are only ever appended. Numbers follow design notes "The world"; times are at speed 1.

import type { Amounts } from '../resources.js';

/** Raised whenever a number in engine/rules changes what a logged command does. */
export const RULES_VERSION = 1;

export interface BuildingRule {
  readonly type: string;
  readonly description: string;
  /** Cost of level 1; level L costs this x 1.25^(L-1), rounded down. */
  readonly baseCost: Amounts;
  /** Units an hour: level L gives this x L x 1.08^L, rounded down. */
  readonly baseOutput: Amounts;
}

export const BUILDINGS = [
  {
    type: 'zentrale',
    description: 'Seat of the colony; gives a floor to every resource but ember.',
    baseCost: [100, 50, 0, 0, 10],
    baseOutput: [20, 12, 0, 6, 10],
  },
  { type: 'iron_mine', description: 'Digs iron.', baseCost: [60, 15, 0, 0, 5], baseOutput: [60, 0, 0, 0, 0] },
  { type: 'silver_mine', description: 'Digs silver.', baseCost: [48, 24, 0, 0, 5], baseOutput: [0, 40, 0, 0, 0] },
  {
    type: 'ember_extractor',
    description: 'Extracts ember.',
    baseCost: [200, 100, 0, 0, 20],
    baseOutput: [0, 0, 12, 0, 0],
  },
  {
    type: 'h2_extractor',
    description: 'Extracts h2, the fuel of all flights.',
    baseCost: [150, 75, 0, 0, 10],
    baseOutput: [0, 0, 0, 30, 0],
  },
  { type: 'fusion_plant', description: 'Produces energy.', baseCost: [75, 30, 0, 0, 0], baseOutput: [0, 0, 0, 0, 40] },
  {
    type: 'shipyard',
    description: 'Builds ships; each level builds a tenth faster.',
    baseCost: [200, 100, 0, 0, 20],
    baseOutput: [0, 0, 0, 0, 0],
  },
  {
    type: 'anti_spy',
    description: 'Limits what foreign scouts can report.',
    baseCost: [150, 100, 0, 0, 15],
    baseOutput: [0, 0, 0, 0, 0],
  },
  {
    type: 'planetary_shield',
    description: 'Adds hit points to the defence of the planet.',
    baseCost: [300, 200, 40, 0, 30],
    baseOutput: [0, 0, 0, 0, 0],
  },
] as const satisfies readonly BuildingRule[];
export type BuildingTypeName = (typeof BUILDINGS)[number]['type'];
export const ZENTRALE = 0;
export const IRON_MINE = 1;
export const SILVER_MINE = 2;
export const FUSION_PLANT = 5;
export const SHIPYARD = 6;
export const ANTI_SPY = 7;
export const PLANETARY_SHIELD = 8;

/** Each level costs a quarter more than the one before: 1.25 = 5/4. */
export const COST_GROWTH = { numerator: 5, denominator: 4 } as const;
/** Output grows by 8 % a level on top of the level itself: 1.08 = 27/25. */
export const OUTPUT_GROWTH = { numerator: 27, denominator: 25 } as const;
/** Lower levels cost no energy; "upper levels" begin here. */
export const ENERGY_COST_FROM_LEVEL = 4;
export const BUILDING_SECONDS_FACTOR = 60;
export const RESEARCH_SECONDS_FACTOR = 120;
/** Each shipyard level shortens building to 0.9 = 9/10 of the level below. */
export const SHIPYARD_SPEEDUP = { numerator: 9, denominator: 10 } as const;
export const SHIELD_HIT_POINTS_PER_LEVEL = 300;

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

export const SHIPS = [
  {
    type: 'scout',
    cost: [80, 40, 0, 0, 0],
    baseSeconds: 20,
    attack: 0,
    defence: 1,
    speedTenths: 20,
    cargo: 0,
    h2RateTenths: 5,
    hangarSize: 0,
    hangarCapacity: 0,
  },
  {
    type: 'fighter',
    cost: [200, 100, 0, 0, 5],
    baseSeconds: 60,
    attack: 14,
    defence: 10,
    speedTenths: 10,
    cargo: 25,
    h2RateTenths: 10,
    hangarSize: 1,
    hangarCapacity: 0,
  },
  {
    type: 'transport',
    cost: [400, 200, 0, 0, 10],
    baseSeconds: 120,
    attack: 0,
    defence: 20,
    speedTenths: 10,
    cargo: 750,
    h2RateTenths: 15,
    hangarSize: 0,
    hangarCapacity: 20,
  },
  {
    type: 'colony_ship',
    cost: [3000, 1500, 500, 0, 100],
    baseSeconds: 600,
    attack: 0,
    defence: 75,
    speedTenths: 5,
    cargo: 500,
    h2RateTenths: 20,
    hangarSize: 0,
    hangarCapacity: 0,
  },
] as const satisfies readonly ShipRule[];
export type ShipTypeName = (typeof SHIPS)[number]['type'];
export const SCOUT = 0;
export const COLONY_SHIP = 3;

export interface DriveRule {
  readonly type: string;
  /** Position in RESEARCH of the research that unlocks it; null: everybody has it. */
  readonly research: number | null;
  /** Tenths of the speed multiplier by flight type; 0: cannot fly that type. */
  readonly multiplierTenths: readonly [intraSystem: number, interSystem: number, interGalaxy: number];
  /** Tenths of the h2 factor. */
  readonly h2FactorTenths: number;
}

export const DRIVES = [
  { type: 'combustion', research: null, multiplierTenths: [10, 1, 0], h2FactorTenths: 10 },
  { type: 'ion', research: 0, multiplierTenths: [25, 8, 0], h2FactorTenths: 30 },
  { type: 'hyper', research: 1, multiplierTenths: [30, 30, 0], h2FactorTenths: 20 },
  { type: 'nexus', research: 2, multiplierTenths: [30, 30, 0], h2FactorTenths: 15 },
  { type: 'interdim', research: 3, multiplierTenths: [0, 0, 500], h2FactorTenths: 100 },
] as const satisfies readonly DriveRule[];
export type DriveTypeName = (typeof DRIVES)[number]['type'];

export interface ResearchRule {
  readonly type: string;
  readonly unlocks: string;
}

export const RESEARCH = [
  { type: 'drive_ion', unlocks: 'ion drive, 2.5x intra-system speed' },
  { type: 'drive_hyper', unlocks: 'hyper drive, 3x system speed' },
  { type: 'drive_nexus', unlocks: 'nexus drive, 3x system speed, lower h2 use' },
  { type: 'drive_interdim', unlocks: 'interdimensional drive, inter-galaxy travel' },
] as const satisfies readonly ResearchRule[];
export type ResearchTypeName = (typeof RESEARCH)[number]['type'];

/** Each research level above the first lowers that drive's h2 use by this many per cent... */
export const H2_SAVING_PERCENT_PER_LEVEL = 5;
/** ...to this share at least. */
export const H2_USE_PERCENT_MIN = 50;
/** h2 units for one distance unit at rate 1 and factor 1, there and back, as 1 / this. */
export const H2_DISTANCE_DIVISOR = 50;

export const COMBAT_ROUNDS_MAX = 6;
/** The winner takes stock / this of every stock but energy. */
export const LOOT_DIVISOR = 2;

/** What a starter planet begins with. */
export const STARTER_STOCK: Amounts = [500, 250, 0, 100, 100];
export const STARTER_BUILDINGS = [ZENTRALE, IRON_MINE, SILVER_MINE, FUSION_PLANT] as const;
/** What a colonized planet begins with. */
export const COLONY_BUILDINGS = [ZENTRALE] as const;
export const STARTERS_PER_PLAYER_MAX = 2;
