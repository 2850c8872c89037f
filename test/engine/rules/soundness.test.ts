// What a rule set and its optional parts must satisfy beyond the shape of their fields. Each case breaks one property of a sound rule set.
import t from 'tap';
import type {
  BuildingRule,
  ResearchRule,
  RuleSet,
  ShipRule,
  ShockEffect,
  ShockRules,
} from '../../../engine/rules/rule-set.js';
import { rulesVersionOf } from '../../../engine/rules/rules-version.js';
import { ruleSetFaults } from '../../../engine/rules/soundness.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { STANDARD_2 } from '../../../engine/rules/standard-2.js';
import { obstacleToSwitch } from '../../../engine/rules/succession.js';
import { CUSTOM } from '../../support/custom-rules.js';
import { PARTS } from '../../support/parts-rules.js';
import { BOUNTY, FLARE, PIRATES } from '../../support/shock-rules.js';
import { MESSAGES } from '../../support/spoken-rules.js';

const [firstShip, ...otherShips] = CUSTOM.ships;
const [zentrale, ...otherBuildings] = CUSTOM.buildings;
if (firstShip === undefined || zentrale === undefined) throw new Error('the custom rules are empty');
const { war: _war, ...PEACEFUL } = PARTS;

const withBuilding = (change: Partial<BuildingRule>): Partial<RuleSet> => ({
  buildings: PARTS.buildings.map((rule) => (rule.type === 'wall' ? { ...rule, ...change } : rule)),
});
const withShip = (change: Partial<ShipRule>): Partial<RuleSet> => ({
  ships: PARTS.ships.map((rule) => (rule.type === 'cruiser' ? { ...rule, ...change } : rule)),
});
const withResearch = (effect: NonNullable<ResearchRule['effect']>): Partial<RuleSet> => ({
  research: PARTS.research.map((rule) => (rule.type === 'extraction' ? { ...rule, effect } : rule)),
});
const AVERAGE_LEAN = [100, 100, 100, 100];
const WALL = { attack: 1, hitPoints: 1 };

/** The change, and the fault that is reported. */
type Broken = Readonly<Record<string, readonly [change: Partial<RuleSet>, path: string, message: RegExp]>>;

const BROKEN: Broken = {
  'a type twice': [{ ships: [...CUSTOM.ships, firstShip] }, '/ships/5/type', /scout is listed twice/],
  'a role without a type': [
    { roles: { ...CUSTOM.roles, scout: 'probe' } },
    '/roles/scout',
    /probe is not in the list of ships/,
  ],
  'an unknown starter building': [
    { starter: { ...CUSTOM.starter, buildings: ['zentrale', 'palace'] } },
    '/starter/buildings/1',
    /palace is not in the list of buildings/,
  ],
  'a drive without its research': [
    { research: CUSTOM.research.slice(0, 4) },
    '/drives/5/research',
    /drive_warp is not in the list of research/,
  ],
  'a free ship': [
    { ships: [{ ...firstShip, cost: [0, 0, 0, 0, 0] }, ...otherShips] },
    '/ships/0/cost',
    /must cost something/,
  ],
  'a free building': [
    { buildings: [{ ...zentrale, baseCost: [0, 0, 0, 0, 0] }, ...otherBuildings] },
    '/buildings/0/baseCost',
    /must cost something/,
  ],
  'costs that outgrow every store': [
    { costGrowth: { numerator: 2, denominator: 1 } },
    '/buildings/0/baseCost',
    /cost more than/,
  ],
  'costs that shrink': [{ costGrowth: { numerator: 4, denominator: 5 } }, '/costGrowth', /at least 1/],
  'outputs that outgrow every store': [
    { outputGrowth: { numerator: 3, denominator: 2 } },
    '/buildings/0/baseOutput',
    /units an hour/,
  ],
  'no drive without research': [{ drives: CUSTOM.drives.slice(1) }, '/drives', /need no research/],
  'a resource that nothing produces': [
    {
      buildings: CUSTOM.buildings.map((rule) => ({
        ...rule,
        baseOutput: [rule.baseOutput[0], rule.baseOutput[1], 0, rule.baseOutput[3], rule.baseOutput[4]] as const,
      })),
    },
    '/ships/3/cost/2',
    /nothing produces ember/,
  ],
};

/** The same for the optional parts. */
const BROKEN_PARTS: Broken = {
  'a limit without its research': [
    { colonies: { research: 'empire', planetsAtFirst: 3, levelsPerPlanet: 1 } },
    '/colonies/research',
    /empire is not in the list of research/,
  ],
  'fewer planets than starters': [
    { colonies: { research: 'administration', planetsAtFirst: 1, levelsPerPlanet: 1 } },
    '/colonies/planetsAtFirst',
    /must be at least 2/,
  ],
  'more planets than a player can have': [
    { colonies: { research: 'administration', planetsAtFirst: 151, levelsPerPlanet: 1 } },
    '/colonies',
    /allows 201 planets, more than 200/,
  ],
  'a starter that is poorer than the poorest planet': [
    { richness: { percentMin: 50, percentMax: 200, starters: [AVERAGE_LEAN, [151, 49, 100, 100]] } },
    '/richness/starters/1',
    /must be from percentMin to percentMax/,
  ],
  'no planet as poor as an average one': [
    { richness: { percentMin: 101, percentMax: 200, starters: [[110, 110, 110, 110]] } },
    '/richness/percentMin',
    /must be at most 100/,
  ],
  'no planet as rich as an average one': [
    { richness: { percentMin: 50, percentMax: 99, starters: [[90, 90, 90, 90]] } },
    '/richness/percentMax',
    /must be at least 100/,
  ],
  'sight by a research that does not exist': [
    { sight: { research: 'telescopes', distancePerLevel: 40 } },
    '/sight/research',
    /telescopes is not in the list of research/,
  ],
  'outputs that outgrow every store on a rich planet': [
    {
      research: PARTS.research.slice(0, 5),
      sight: { research: 'administration', distancePerLevel: 1 },
      richness: { percentMin: 50, percentMax: 1000, starters: [AVERAGE_LEAN] },
      outputGrowth: { numerator: 128, denominator: 100 },
    },
    '/buildings/1/baseOutput',
    /on the richest planet, level 80 produces more/,
  ],
  'a wall against a building': [
    withBuilding({ defence: { ...WALL, strongAgainst: ['wall'] } }),
    '/buildings/9/defence/strongAgainst/0',
    /wall is not in the list of ships/,
  ],
  'a wall against a ship twice': [
    withBuilding({ defence: { ...WALL, strongAgainst: ['scout', 'scout'] } }),
    '/buildings/9/defence/strongAgainst/1',
    /scout is listed twice/,
  ],
  'a ship against a mine': [
    withShip({ strongAgainst: ['fighter', 'iron_mine'] }),
    '/ships/5/strongAgainst/1',
    /iron_mine is neither a ship nor/,
  ],
  'a ship against a name of two types': [
    withShip({ type: 'wall', strongAgainst: ['wall'] }),
    '/ships/5/strongAgainst/0',
    /wall is both a ship and a building/,
  ],
  'a shield that shoots': [
    {
      buildings: PARTS.buildings.map((rule) =>
        rule.type === 'planetary_shield' ? { ...rule, defence: { ...WALL, strongAgainst: [] } } : rule,
      ),
    },
    '/buildings/8/defence',
    /without a defence/,
  ],
  'an output of nothing that exists': [
    withResearch({ kind: 'output', resources: ['iron', 'gold'], percentPerLevel: 1 }),
    '/research/5/effect/resources/1',
    /gold is not a resource/,
  ],
  'outputs that outgrow every store': [
    {
      ...withResearch({ kind: 'output', resources: ['iron'], percentPerLevel: 100 }),
      outputGrowth: { numerator: 63, denominator: 50 },
    },
    '/buildings/1/baseOutput',
    /with all research, on the richest planet, level 80 produces more/,
  ],
  'asteroids of energy': [
    { fields: { asteroids: [1, 0, 0, 0, 1], wreckPercent: 0 } },
    '/fields/asteroids/4',
    /energy cannot be shipped/,
  ],
  'more messages to one player than to all': [
    { messages: { ...MESSAGES, sentMax: 2 } },
    '/messages/sentToOneMax',
    /must be at most sentMax, 2/,
  ],
  'a player who fills what another one keeps': [
    { messages: { ...MESSAGES, keptMax: MESSAGES.sentToOneMax } },
    '/messages/sentToOneMax',
    /must be below keptMax, 3/,
  ],
  'a player who fills what everybody reads': [
    { messages: { ...MESSAGES, broadcastsKeptMax: MESSAGES.broadcastsMax } },
    '/messages/broadcastsMax',
    /must be below broadcastsKeptMax, 2/,
  ],
  'walls that are not exact': [
    withBuilding({ defence: { attack: 1, hitPoints: 1_000_000, strongAgainst: [] } }),
    '/buildings',
    /with all research, hit points of all defences at level 80 are too large/,
  ],
  'loot of a period that has no length': [
    { war: { protectionSeconds: 0, lootPeriodSeconds: 0, lootPairPercent: 5, strongAgainstPercent: 100 } },
    '/war/lootPairPercent',
    /must be 0 without lootPeriodSeconds/,
  ],
  'strengths that are not exact': [withShip({ attack: 20_000 }), '/ships', /attack of all ships together/],
};

t.test('sound rule sets have no faults', async (t) => {
  for (const set of [STANDARD_1, CUSTOM, STANDARD_2, PARTS]) t.same(ruleSetFaults(set), [], set.name);
});

for (const [set, broken] of [
  [CUSTOM, BROKEN],
  [PARTS, BROKEN_PARTS],
] as const) {
  for (const [name, [change, path, message]] of Object.entries(broken)) {
    t.test(`${name}: reported with its path`, async (t) => {
      const faults = ruleSetFaults({ ...set, ...change });
      t.match(
        faults.find((fault) => fault.path === path),
        { path, message },
        JSON.stringify(faults.slice(0, 3)),
      );
    });
  }
}

t.test('what only battles of war interpret needs war', async (t) => {
  t.same(
    ruleSetFaults(PEACEFUL)
      .filter(({ message }) => message === 'needs the part war')
      .map(({ path }) => path),
    [
      '/buildings/9/defence',
      '/ships/1/strongAgainst',
      '/ships/4/strongAgainst',
      '/ships/5/strongAgainst',
      '/research/6/effect',
      '/research/7/effect',
      '/points/destroyedPercent',
    ],
  );
});

t.test(
  'what carries goods flies by itself and holds something, and whatever is traded is worth something',
  async (t) => {
    const { market } = PARTS;
    if (!market) throw new Error('a part is missing');
    const paths = (change: object): string[] =>
      ruleSetFaults({ ...PARTS, market: { ...market, ...change } }).map(({ path }) => path);
    t.same(paths({}), []);
    t.same(paths({ carrier: 'balloon' }), ['/market/carrier']);
    t.same(paths({ carrier: 'scout' }), ['/market/carrier'], 'it holds nothing');
    t.same(paths({ carrier: 'fighter' }), ['/market/carrier'], 'it is carried itself');
    t.same(paths({ values: [0, 3, 7, 4, 1] }), ['/market/values/0', '/market/values/4']);
  },
);

t.test('shocks can begin, are over before the next ones, and change what there is', async (t) => {
  const { shocks, war } = PARTS;
  if (!shocks || !war) throw new Error('a part is missing');
  const paths = (change: Partial<ShockRules>, rest: Partial<RuleSet> = {}): string[] =>
    ruleSetFaults({ ...PARTS, ...rest, shocks: { ...shocks, ...change } }).map(({ path }) => path);
  const only = (effect: ShockEffect, durationSeconds = 60): Partial<ShockRules> => ({
    types: [{ type: 'one', durationSeconds, effect }],
  });
  t.same(paths({}), []);
  t.same(paths({ noticeSecondsMin: 7_201 }), ['/shocks/noticeSecondsMin']);
  t.same(paths({ noticeSecondsMax: 10_801 }), ['/shocks/noticeSecondsMax']);
  t.same(paths(only(FLARE, 10_801)), ['/shocks/types/0/durationSeconds']);
  t.same(paths(only({ ...FLARE, resource: 'gold' as 'iron' })), ['/shocks/types/0/effect/resource']);
  t.same(paths(only({ ...PIRATES, percent: 101 })), ['/shocks/types/0/effect/percent']);
  t.same(paths(only({ ...BOUNTY, percent: 99 })), ['/shocks/types/0/effect/percent']);
  t.same(paths(only(BOUNTY), { war: { ...war, lootPairPercent: 0 } }), ['/shocks/types/0/effect']);
  t.same(paths({ types: [...shocks.types, ...shocks.types.slice(0, 1)] }), ['/shocks/types/4']);
});

t.test('each part alone needs version 2 of the rules, and no part version 1', async (t) => {
  t.same([STANDARD_1, CUSTOM].map(rulesVersionOf), [1, 1]);
  const { plans, colonies, war, points, deliveries, richness, sight, fields, support, market, shocks } = PARTS;
  if (
    !plans ||
    !colonies ||
    !war ||
    !points ||
    !deliveries ||
    !richness ||
    !sight ||
    !fields ||
    !support ||
    !market ||
    !shocks
  )
    throw new Error('a part is missing');
  const { buildings, ships, research } = PARTS;
  for (const part of [
    { plans },
    { colonies },
    { war },
    { points },
    { deliveries },
    { sight },
    { support },
    { market },
    { shocks },
    { richness },
    { fields },
    { buildings },
    { ships },
    { research },
  ]) {
    t.equal(rulesVersionOf({ ...STANDARD_1, ...part }), 2, Object.keys(part).join());
  }
});

t.test('a world can get parts, and lose none', async (t) => {
  t.equal(obstacleToSwitch(STANDARD_1, STANDARD_2), null);
  t.equal(obstacleToSwitch(STANDARD_1, PARTS), null);
  t.match(obstacleToSwitch(PARTS, PEACEFUL), /^\/war must stay/);
});
