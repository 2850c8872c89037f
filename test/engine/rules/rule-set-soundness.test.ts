// What a rule set must satisfy beyond the shape of its fields. Each case breaks one property of a sound rule set.
import t from 'tap';
import type { RuleSet } from '../../../engine/rules/rule-set.js';
import { ruleSetFaults } from '../../../engine/rules/soundness.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { CUSTOM } from '../../support/custom-rules.js';

const [firstShip, ...otherShips] = CUSTOM.ships;
const [zentrale, ...otherBuildings] = CUSTOM.buildings;
if (firstShip === undefined || zentrale === undefined) throw new Error('the custom rules are empty');

/** The change, and the fault that is reported. */
const BROKEN: Readonly<Record<string, readonly [change: Partial<RuleSet>, path: string, message: RegExp]>> = {
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

t.test('sound rule sets have no faults', async (t) => {
  t.same(ruleSetFaults(STANDARD_1), []);
  t.same(ruleSetFaults(CUSTOM), []);
});

for (const [name, [change, path, message]] of Object.entries(BROKEN)) {
  t.test(`${name}: reported with its path`, async (t) => {
    const faults = ruleSetFaults({ ...CUSTOM, ...change });
    t.match(
      faults.find((fault) => fault.path === path),
      { path, message },
      JSON.stringify(faults.slice(0, 3)),
    );
  });
}
