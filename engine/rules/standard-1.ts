// The first rules, as data: those of worlds that name none. Times are at speed 1. Never change it, since worlds depend on it: add a rule set
// (shipped.ts).
import type { RuleSet } from './rule-set.js';

export const STANDARD_1 = {
  name: 'standard-1',
  version: 1,
  buildings: [
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
    {
      type: 'fusion_plant',
      description: 'Produces energy.',
      baseCost: [75, 30, 0, 0, 0],
      baseOutput: [0, 0, 0, 0, 40],
    },
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
  ],
  ships: [
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
  ],
  drives: [
    { type: 'combustion', research: null, multiplierTenths: [10, 1, 0], h2FactorTenths: 10 },
    { type: 'ion', research: 'drive_ion', multiplierTenths: [25, 8, 0], h2FactorTenths: 30 },
    { type: 'hyper', research: 'drive_hyper', multiplierTenths: [30, 30, 0], h2FactorTenths: 20 },
    { type: 'nexus', research: 'drive_nexus', multiplierTenths: [30, 30, 0], h2FactorTenths: 15 },
    { type: 'interdim', research: 'drive_interdim', multiplierTenths: [0, 0, 500], h2FactorTenths: 100 },
  ],
  research: [
    { type: 'drive_ion', unlocks: 'ion drive, 2.5x intra-system speed' },
    { type: 'drive_hyper', unlocks: 'hyper drive, 3x system speed' },
    { type: 'drive_nexus', unlocks: 'nexus drive, 3x system speed, lower h2 use' },
    { type: 'drive_interdim', unlocks: 'interdimensional drive, inter-galaxy travel' },
  ],
  roles: {
    shipyard: 'shipyard',
    antiSpy: 'anti_spy',
    planetaryShield: 'planetary_shield',
    scout: 'scout',
    colonyShip: 'colony_ship',
  },
  starter: {
    stock: [500, 250, 0, 100, 100],
    buildings: ['zentrale', 'iron_mine', 'silver_mine', 'fusion_plant'],
    perPlayerMax: 2,
  },
  colony: { buildings: ['zentrale'] },
  costGrowth: { numerator: 5, denominator: 4 },
  outputGrowth: { numerator: 27, denominator: 25 },
  energyCostFromLevel: 4,
  shieldHitPointsPerLevel: 300,
  h2SavingPercentPerLevel: 5,
  h2UsePercentMin: 50,
  h2DistanceDivisor: 50,
  combatRoundsMax: 6,
  lootDivisor: 2,
} as const satisfies RuleSet;

export type BuildingTypeName = (typeof STANDARD_1)['buildings'][number]['type'];

export type ShipTypeName = (typeof STANDARD_1)['ships'][number]['type'];

export type DriveTypeName = (typeof STANDARD_1)['drives'][number]['type'];

export type ResearchTypeName = (typeof STANDARD_1)['research'][number]['type'];
