// The fixed formulas (specification, section 5): exact at speed 1, divided at every other speed. Checked against literals that were
// computed by hand and against a second computation in rational numbers.

import t from 'tap';
import { multiplyDivideCeil, multiplyDivideFloor } from '../../../engine/numbers/arithmetic.js';
import { hourlyThousandths } from '../../../engine/planets/stocks.js';
import { BUILDING_LEVEL_MAX, RESEARCH_LEVEL_MAX, SHIPS_PER_ORDER_MAX } from '../../../engine/rules/limits.js';
import { RESOURCES } from '../../../engine/rules/resources.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { build, buildingIndex, launch, recall, research, upgrade } from '../../support/command-words.js';
import {
  exactAtSpeed,
  exactCost,
  exactOutput,
  exactPlanetOutput,
  exactShipCost,
} from '../../support/exact-formulas.js';
import fc from '../../support/properties.js';
import { firstPlanet, openScene, PLENTY, SECOND_MS, WorldStory } from '../../support/world-story.js';

t.test('an upgrade takes (level + 1)^2 x 60 seconds', async (t) => {
  const story = new WorldStory();
  const home = firstPlanet(story.human());
  const seconds: number[] = [];
  for (let level = 1; level <= 12; level += 1) {
    story.grant(home, PLENTY);
    story.does(upgrade(home, 'iron_mine'));
    seconds.push(((home.upgrade?.finishAtMs ?? 0) - story.nowMs) / SECOND_MS);
    story.advanceTo(home.upgrade?.finishAtMs ?? 0);
  }
  t.same(seconds, [240, 540, 960, 1500, 2160, 2940, 3840, 4860, 6000, 7260, 8640, 10_140]);
});

t.test('a research takes (level + 1)^2 x 120 seconds, at every level', async (t) => {
  const story = new WorldStory();
  const human = story.human();
  for (let level = 0; level < RESEARCH_LEVEL_MAX; level += 1) {
    story.does(research(human, 'drive_hyper'));
    const seconds = ((human.research?.finishAtMs ?? 0) - story.nowMs) / SECOND_MS;
    if (seconds !== (level + 1) * (level + 1) * 120) t.fail(`level ${level} takes ${seconds} s`);
    story.advanceTo(human.research?.finishAtMs ?? 0);
  }
  t.equal(
    story.nowMs - story.world.settings.startMs,
    120 * SECOND_MS * ((50 * 51 * 101) / 6),
    '120 s x (1 + 4 + ... + 50^2)',
  );
});

t.test('ships take baseTime x count x 0.9^(shipyardLevel - 1)', async (t) => {
  const { story, home } = openScene();
  const seconds: number[] = [];
  for (let level = 1; level <= 5; level += 1) {
    story.raise(home, 'shipyard', level);
    const { order } = story.does(build(home, 'fighter', 100));
    seconds.push((order.finishAtMs - story.nowMs) / SECOND_MS);
    story.advanceTo(order.finishAtMs);
  }
  t.same(seconds, [6000, 5400, 4860, 4374, 3936.6]);
});

t.test('the ship build time is exact to the nearest millisecond for every type, count and level', async (t) => {
  const level = fc.integer({ min: 1, max: BUILDING_LEVEL_MAX });
  const count = fc.integer({ min: 1, max: SHIPS_PER_ORDER_MAX });
  fc.assert(
    fc.property(fc.nat(STANDARD_1.ships.length - 1), count, level, (type, count, level) => {
      const power = BigInt(level - 1);
      const exact = BigInt((STANDARD_1.ships[type]?.baseSeconds ?? 0) * 1000 * count) * 9n ** power;
      const error = BigInt(STANDARD_1_RULES.shipBaseMs(type, count, level)) * 10n ** power - exact;
      return -(10n ** power) < 2n * error && 2n * error <= 10n ** power;
    }),
    { numRuns: 1000 },
  );
  t.equal(STANDARD_1_RULES.shipBaseMs(0, 25, 7), 265_721, '265,720.5 ms: halves are rounded up');
  t.same(
    [
      STANDARD_1_RULES.shipBaseMs(0, 1, 1),
      STANDARD_1_RULES.shipBaseMs(1, 1, 2),
      STANDARD_1_RULES.shipBaseMs(2, 10, 3),
      STANDARD_1_RULES.shipBaseMs(3, 3, 4),
    ],
    [20_000, 54_000, 972_000, 1_312_200],
  );
});

t.test('level L of a building costs base x 1.25^(L-1), rounded down', async (t) => {
  for (const [type] of STANDARD_1.buildings.entries()) {
    for (let level = 1; level <= BUILDING_LEVEL_MAX; level += 1) {
      if (String(STANDARD_1_RULES.buildingCost(type, level)) !== String(exactCost(type, level)))
        t.fail(`level ${level} of ${STANDARD_1.buildings[type]?.type}`);
    }
  }
  const iron = [1, 2, 3, 4, 5, 10].map((level) => STANDARD_1_RULES.buildingCost(buildingIndex('iron_mine'), level));
  t.same(iron, [
    [60, 15, 0, 0, 0],
    [75, 18, 0, 0, 0],
    [93, 23, 0, 0, 0],
    [117, 29, 0, 0, 9],
    [146, 36, 0, 0, 12],
    [447, 111, 0, 0, 37],
  ]);
});

t.test('the first h2_extractor and ember_extractor cost only iron and silver', async (t) => {
  for (const name of ['h2_extractor', 'ember_extractor'] as const) {
    const [iron, silver, ...others] = STANDARD_1_RULES.buildingCost(buildingIndex(name), 1);
    t.ok(iron > 0 && silver > 0);
    t.same(others, [0, 0, 0]);
  }
});

t.test('level L of a mine gives base x L x 1.08^L an hour, rounded down', async (t) => {
  const { story, foreign } = openScene();
  const mines = { iron_mine: 0, silver_mine: 1, ember_extractor: 2, h2_extractor: 3, fusion_plant: 4 } as const;
  const floor = RESOURCES.map((_, resource) => hourlyThousandths(story.world, foreign, resource) / 1000);
  t.same(floor, [21, 12, 0, 6, 10], 'the zentrale at level 1 gives 20, 12, 0, 6 and 10 x 1.08');
  const outputs = Object.entries(mines).map(([name, resource]) =>
    [1, 2, 3, 10].map((level) => {
      story.raise(foreign, name as keyof typeof mines, level);
      return hourlyThousandths(story.world, foreign, resource) / 1000 - (floor[resource] ?? 0);
    }),
  );
  t.same(outputs, [
    [64, 139, 226, 1295],
    [43, 93, 151, 863],
    [12, 27, 45, 259],
    [32, 69, 113, 647],
    [43, 93, 151, 863],
  ]);
});

t.test('the output of every level of every building is exact', async (t) => {
  const { story, home } = openScene();
  const levelsAtFirst = home.levels;
  for (const [type, { type: name }] of STANDARD_1.buildings.entries()) {
    for (let level = 0; level <= BUILDING_LEVEL_MAX; level += 1) {
      for (const other of STANDARD_1.buildings.keys()) home.setLevel(other, other === type ? level : 0);
      for (const [resource] of RESOURCES.entries()) {
        const hourly = hourlyThousandths(story.world, home, resource);
        if (hourly !== exactOutput(type, level, resource) * 1000) t.fail(`level ${level} of ${name} gives ${hourly}`);
      }
    }
  }
  for (const [type, level] of levelsAtFirst.entries()) home.setLevel(type, level);
  const outputOfHome = RESOURCES.map((_, resource) => hourlyThousandths(story.world, home, resource) / 1000);
  t.same(
    outputOfHome,
    RESOURCES.map((_, resource) => exactPlanetOutput(home.levels, resource)),
  );
});

t.test('ships cost the same at every count', async (t) => {
  for (const [type] of STANDARD_1.ships.entries())
    t.same(STANDARD_1_RULES.shipCost(type, 1234), exactShipCost(type, 1234));
  t.same(STANDARD_1_RULES.shipCost(3, 2), [6000, 3000, 1000, 0, 200]);
  t.throws(
    () => STANDARD_1_RULES.shipCost(STANDARD_1.ships.length, 1),
    RangeError,
    'a type that is not in the catalogue breaks an invariant',
  );
  t.throws(() => STANDARD_1_RULES.buildingCost(0, BUILDING_LEVEL_MAX + 1), RangeError);
});

t.test('a recalled fleet is back after the time it has flown, whatever the speed', async (t) => {
  for (const speedThousandths of [500, 1000, 60_000]) {
    const { story, human, home } = openScene({ speedThousandths });
    const target = firstPlanet(story.bot('far'));
    for (const share of [0, 0.001, 0.3, 0.999]) {
      const fleet = story.launch({ by: human, from: home, to: target, ships: { scout: 1 }, mission: 'espionage' });
      const flownMs = Math.floor(fleet.flightMs * share);
      story.advance(flownMs);
      story.does(recall(human, fleet));
      t.equal((fleet.returnsAtMs ?? 0) - story.nowMs, flownMs);
      story.advanceTo((fleet.returnsAtMs ?? 0) - 1);
      const isOut = story.world.fleets.has(fleet.number);
      story.advance(1);
      t.match([isOut || flownMs === 0, story.world.fleets.has(fleet.number), home.ships[0]], [true, false, 20]);
    }
  }
});

t.test('at any other speed durations divide, and production multiplies', async (t) => {
  for (const speedThousandths of [1, 500, 1000, 7000, 60_000, 3_600_000, 1_000_000_000]) {
    const { story, human, home } = openScene({ speedThousandths });
    const target = firstPlanet(story.bot('far'));
    const fleet = story.does(launch({ by: human, from: home, to: target, ships: { scout: 1 }, mission: 'espionage' }));
    story.does(upgrade(home, 'zentrale'));
    story.does(research(human, 'drive_ion'));
    const { order } = story.does(build(home, 'fighter', 7));
    const seconds = Math.ceil(fleet.distance / 0.2);
    t.same(
      [
        home.upgrade?.finishAtMs,
        human.research?.finishAtMs,
        order.finishAtMs,
        fleet.arrivesAtMs,
        fleet.returnsAtMs,
      ].map((atMs) => (atMs ?? 0) - story.nowMs),
      [
        exactAtSpeed(240_000, speedThousandths),
        exactAtSpeed(120_000, speedThousandths),
        exactAtSpeed(420_000, speedThousandths),
        exactAtSpeed(seconds * 1000, speedThousandths),
        2 * exactAtSpeed(seconds * 1000, speedThousandths),
      ],
      `speed ${speedThousandths / 1000}`,
    );
    t.equal(hourlyThousandths(story.world, home, 0), 85 * speedThousandths);
  }
});

t.test('multiplying and dividing is exact, far beyond where products are safe integers', async (t) => {
  const safe = fc.maxSafeNat();
  fc.assert(
    fc.property(
      safe,
      safe,
      fc.oneof(fc.integer({ min: 1, max: 100_000_000 }), fc.integer({ min: 1, max: 2 ** 50 })),
      (a, b, c) => {
        const exact = (BigInt(a) * BigInt(b)) / BigInt(c);
        if (exact > BigInt(Number.MAX_SAFE_INTEGER)) return true;
        const isWhole = (BigInt(a) * BigInt(b)) % BigInt(c) === 0n;
        return (
          multiplyDivideFloor(a, b, c) === Number(exact) &&
          multiplyDivideCeil(a, b, c) === Number(exact) + (isWhole ? 0 : 1)
        );
      },
    ),
    { numRuns: 2000 },
  );
  t.equal(
    multiplyDivideFloor(9_007_199_254_740_991, 9_007_199_254_740_991, 9_007_199_254_740_991),
    9_007_199_254_740_991,
  );
});
