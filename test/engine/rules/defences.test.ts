// Buildings that fight: each level adds strength as it adds to the cost, so a unit in a wall is worth the same at every level.
import t from 'tap';
import { BUILDING_LEVEL_MAX } from '../../../engine/rules/limits.js';
import { Rules } from '../../../engine/rules/rules.js';
import { STANDARD_2_RULES } from '../../../engine/rules/shipped.js';
import { total } from '../../support/exact-formulas.js';
import { PARTS, PARTS_RULES } from '../../support/parts-rules.js';

/** How long a force stands against another one, for the units in it: battles go by the product of attack and hit points. */
const worth = (attack: number, hitPoints: number, units: number): number => Math.sqrt(attack * hitPoints) / units;

t.test('level by level, attack and hit points are the sums of what each level adds', async (t) => {
  const { numerator, denominator } = PARTS.costGrowth;
  const [wall] = PARTS_RULES.war?.defences ?? [];
  t.same([wall?.attacks.length, wall?.attacks[0], wall?.hitPoints[0]], [BUILDING_LEVEL_MAX + 1, 0, 0]);
  for (const level of [1, 2, 3, 7, BUILDING_LEVEL_MAX]) {
    // A geometric series: (growth^level - 1) / (growth - 1).
    const [top, bottom] = [BigInt(numerator) ** BigInt(level), BigInt(denominator) ** BigInt(level)];
    const sumOf = (first: number): number =>
      Number((BigInt(first * denominator) * (top - bottom)) / (BigInt(numerator - denominator) * bottom));
    t.same([wall?.attacks[level], wall?.hitPoints[level]], [sumOf(12), sumOf(40)], `level ${level}`);
  }
});

t.test('without growth each level adds as much as the first', async (t) => {
  const [wall] = new Rules({ ...PARTS, costGrowth: { numerator: 1, denominator: 1 } }).war?.defences ?? [];
  t.same(
    [0, 1, 2, BUILDING_LEVEL_MAX].map((level) => wall?.attacks[level]),
    [0, 12, 24, 12 * BUILDING_LEVEL_MAX],
  );
});

t.test(
  'in standard-2 a unit in a wall is worth a fifth more than in a cruiser, and somewhat more without energy',
  async (t) => {
    const rules = STANDARD_2_RULES;
    const cruiser = rules.ships.find(({ type }) => type === 'cruiser');
    if (cruiser === undefined) throw new Error('there is no cruiser');
    const ofCruiser = worth(cruiser.attack, cruiser.defence, total(cruiser.cost));
    for (const { building, attacks, hitPoints } of rules.war?.defences ?? []) {
      for (let level = 1; level <= BUILDING_LEVEL_MAX; level += 1) {
        const units = rules.buildingPointsThrough(building, level);
        const share = worth(attacks[level] ?? 0, hitPoints[level] ?? 0, units) / ofCruiser;
        const most = level < rules.set.energyCostFromLevel + 3 ? 1.4 : 1.25;
        t.ok(share > 1.19 && share < most, `${rules.buildings[building]?.type} ${level}: ${share}`);
      }
    }
  },
);
