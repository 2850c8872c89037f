// A small rule set with all optional parts: `standard-1` with research that has effects, a wall that shoots, two more warships in a circle of strengths,
// and plans. A world can be switched to it from `standard-1`. Tests of the parts use it, so that they do not depend on the numbers of a shipped rule set.
import type { RuleSet, ShipRule } from '../../engine/rules/rule-set.js';
import { Rules } from '../../engine/rules/rules.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';

const WARSHIP: Omit<ShipRule, 'type' | 'strongAgainst'> = {
  cost: [400, 200, 0, 0, 10],
  baseSeconds: 90,
  attack: 20,
  defence: 30,
  speedTenths: 10,
  cargo: 50,
  h2RateTenths: 12,
  hangarSize: 0,
  hangarCapacity: 0,
};

export const PARTS: RuleSet = {
  ...STANDARD_1,
  name: 'parts',
  version: 1,
  buildings: [
    ...STANDARD_1.buildings,
    {
      type: 'wall',
      description: 'Shoots at attackers.',
      baseCost: [120, 80, 0, 0, 5],
      baseOutput: [0, 0, 0, 0, 0],
      defence: { attack: 12, hitPoints: 40, strongAgainst: ['fighter'] },
    },
  ],
  ships: [
    ...STANDARD_1.ships.map((rule) => (rule.type === 'fighter' ? { ...rule, strongAgainst: ['bomber'] } : rule)),
    { ...WARSHIP, type: 'bomber', strongAgainst: ['wall', 'planetary_shield', 'cruiser'] },
    { ...WARSHIP, type: 'cruiser', attack: 30, defence: 60, strongAgainst: ['fighter'] },
  ],
  research: [
    ...STANDARD_1.research,
    { type: 'administration', unlocks: 'one more planet each second level' },
    {
      type: 'extraction',
      unlocks: 'iron and silver',
      effect: { kind: 'output', resources: ['iron', 'silver'], percentPerLevel: 7 },
    },
    { type: 'weapons', unlocks: 'attack', effect: { kind: 'attack', percentPerLevel: 5 } },
    { type: 'hulls', unlocks: 'hit points', effect: { kind: 'hit_points', percentPerLevel: 3 } },
    { type: 'holds', unlocks: 'cargo', effect: { kind: 'cargo', percentPerLevel: 10 } },
    { type: 'sensors', unlocks: 'sight', effect: { kind: 'sight', scoutsPerLevel: 2 } },
  ],
  plans: { stepsMax: 50 },
  colonies: { research: 'administration', planetsAtFirst: 3, levelsPerPlanet: 2 },
  war: { protectionSeconds: 86_400, lootPeriodSeconds: 43_200, lootPairPercent: 40, strongAgainstPercent: 150 },
  deliveries: { periodSeconds: 36_000, outputPercent: 50 },
  richness: { percentMin: 40, percentMax: 250, starters: [[100, 100, 100, 100]] },
  sight: { research: 'sensors', distancePerLevel: 40 },
  fields: { asteroids: [3_000, 2_000, 500, 700, 0], wreckPercent: 40 },
  support: { fleetsPerPlanetMax: 3 },
  messages: {
    charactersMax: 40,
    periodSeconds: 36_000,
    sentMax: 5,
    sentToOneMax: 3,
    keptMax: 6,
    broadcastsMax: 2,
    broadcastsKeptMax: 4,
    blockedMax: 2,
  },
  market: {
    carrier: 'transport',
    offersPerPlayer: 3,
    offerSecondsMax: 7_200,
    unsoldPercent: 5,
    values: [2, 3, 7, 4, 0],
  },
  pacts: { proposalSeconds: 7_200, durationSecondsMax: 172_800, noticeSeconds: 3_600, openMax: 3 },
  shocks: {
    intervalSeconds: 10_800,
    noticeSecondsMin: 600,
    noticeSecondsMax: 7_200,
    types: [
      { type: 'flare', durationSeconds: 5_400, effect: { kind: 'output', resource: 'energy', percent: 40 } },
      { type: 'ore_rush', durationSeconds: 9_000, effect: { kind: 'output', resource: 'iron', percent: 230 } },
      { type: 'pirates', durationSeconds: 1, effect: { kind: 'pirates', idleSeconds: 1_800, percent: 35 } },
      { type: 'bounty', durationSeconds: 7_200, effect: { kind: 'bounty', percent: 250 } },
    ],
  },
  points: { shipPercent: 27, destroyedPercent: 13 },
};

export const PARTS_RULES = new Rules(PARTS);

/** The same rules with a short protection, so that random players fight. */
export const FIGHTING: RuleSet = {
  ...PARTS,
  war: { protectionSeconds: 60, lootPeriodSeconds: 43_200, lootPairPercent: 40, strongAgainstPercent: 150 },
};

/** Position of a type in the rules. */
export function partsPosition(list: 'buildings' | 'ships' | 'research', type: string): number {
  const position = PARTS[list].findIndex((rule) => rule.type === type);
  if (position < 0) throw new Error(`the rules have no ${type}`);
  return position;
}

/** Counts by ship type of these rules. */
export function partsShips(counts: Readonly<Record<string, number>>): number[] {
  const ships = PARTS.ships.map(() => 0);
  for (const [type, count] of Object.entries(counts)) ships[partsPosition('ships', type)] = count;
  return ships;
}
