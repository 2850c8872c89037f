// What the optional parts of a rule set must satisfy. Each case breaks one property of a sound rule set with all parts.
import t from 'tap';
import type { BuildingRule, ResearchRule, RuleSet, ShipRule } from '../../../engine/rules/rule-set.js';
import { rulesVersionOf } from '../../../engine/rules/rules-version.js';
import { ruleSetFaults } from '../../../engine/rules/soundness.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { STANDARD_2 } from '../../../engine/rules/standard-2.js';
import { obstacleToSwitch } from '../../../engine/rules/succession.js';
import { CUSTOM } from '../../support/custom-rules.js';
import { PARTS } from '../../support/parts-rules.js';

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
const WALL = { attackPerLevel: 1, hitPointsPerLevel: 1 };

/** The change, and the fault that is reported. */
const BROKEN: Readonly<Record<string, readonly [change: Partial<RuleSet>, path: string, message: RegExp]>> = {
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
    /with all research, level 80 produces more/,
  ],
  'strengths that are not exact': [withShip({ attack: 20_000 }), '/ships', /attack of all ships together/],
};

t.test('a sound rule set with all parts has no faults', async (t) => {
  t.same(ruleSetFaults(PARTS), []);
  t.same(ruleSetFaults(STANDARD_2), []);
});

for (const [name, [change, path, message]] of Object.entries(BROKEN)) {
  t.test(`${name}: reported with its path`, async (t) => {
    const faults = ruleSetFaults({ ...PARTS, ...change });
    t.match(
      faults.find((fault) => fault.path === path),
      { path, message },
      JSON.stringify(faults.slice(0, 3)),
    );
  });
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

t.test('each part alone needs version 2 of the rules, and no part version 1', async (t) => {
  t.same([STANDARD_1, CUSTOM].map(rulesVersionOf), [1, 1]);
  const { plans, colonies, war, points } = PARTS;
  if (!plans || !colonies || !war || !points) throw new Error('a part is missing');
  const { buildings, ships, research } = PARTS;
  for (const part of [{ plans }, { colonies }, { war }, { points }, { buildings }, { ships }, { research }]) {
    t.equal(rulesVersionOf({ ...STANDARD_1, ...part }), 2, Object.keys(part).join());
  }
});

t.test('a world can get parts, and lose none', async (t) => {
  t.equal(obstacleToSwitch(STANDARD_1, STANDARD_2), null);
  t.equal(obstacleToSwitch(STANDARD_1, PARTS), null);
  t.match(obstacleToSwitch(PARTS, PEACEFUL), /^\/war must stay/);
});
