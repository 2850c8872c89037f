// Stocks in closed form: they depend on output, time and spending, never on when they were read.

import t from 'tap';
import { hourlyThousandths, shippableUnits, stockThousandths } from '../../../engine/planets/stocks.js';
import { STOCK_UNITS_MAX, WORLD_TIME_MS_MAX } from '../../../engine/rules/limits.js';
import { RESOURCES } from '../../../engine/rules/resources.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { build, cancelShips, cancelUpgrade, construct, grant, unitList, upgrade } from '../../support/command-words.js';
import { exactPlanetOutput, exactShipCost } from '../../support/exact-formulas.js';
import fc from '../../support/properties.js';
import { DAY_MS, firstPlanet, HOUR_MS, NOWHERE, openScene, WorldStory } from '../../support/world-story.js';

const speed = fc.oneof(fc.constantFrom(500, 1000, 60_000, 3_600_000), fc.integer({ min: 1, max: 10_000_000 }));
/** Short and long waits, in milliseconds. */
const wait = fc.oneof(fc.nat(50), fc.nat(HOUR_MS), fc.nat(20 * DAY_MS));
const action = fc.constantFrom('read', 'spend', 'grant');

t.test('after any number of reads, spendings and grants a stock equals the closed form', async () => {
  fc.assert(
    fc.property(
      speed,
      fc.array(fc.tuple(wait, action, fc.integer({ min: 1, max: 50 })), { maxLength: 30 }),
      (speedThousandths, steps) => {
        const { story, home } = openScene({ speedThousandths });
        const sincesMs = home.stocksSinceMs;
        const expected = home.stock.map(BigInt);
        for (const [waitMs, kind, count] of steps) {
          story.advance(waitMs);
          if (kind === 'read') story.stocks(home);
          if (kind === 'grant') {
            story.grant(home, { iron: count, h2: 2 * count });
            for (const [resource, units] of unitList({ iron: count, h2: 2 * count }).entries()) {
              expected[resource] = (expected[resource] ?? 0n) + BigInt(units) * 1000n;
            }
          }
          if (kind === 'spend') {
            story.does(build(home, 'fighter', count));
            story.does(cancelShips(home, 'fighter'));
            for (const [resource, units] of exactShipCost(1, count).entries()) {
              expected[resource] = (expected[resource] ?? 0n) - BigInt(units) * 1000n;
            }
          }
        }
        return RESOURCES.every((_, resource) => {
          const hourly = BigInt(exactPlanetOutput(home.levels, resource)) * BigInt(speedThousandths);
          const produced = (hourly * BigInt(story.nowMs - (sincesMs[resource] ?? 0))) / BigInt(HOUR_MS);
          const held = stockThousandths(story.world, home, resource, story.nowMs);
          return BigInt(held) === (expected[resource] ?? 0n) + produced;
        });
      },
    ),
    { numRuns: 100 },
  );
});

t.test('reading at any instants, in any order, never changes the state', async () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(wait, fc.nat(4))), (reads) => {
      const { story, home, foreign } = openScene();
      const before = story.engine.stateHash();
      for (const [aheadMs, resource] of reads) {
        for (const planet of [home, foreign]) {
          stockThousandths(story.world, planet, resource, story.nowMs + aheadMs);
          shippableUnits(story.world, planet, story.nowMs + aheadMs);
        }
      }
      return story.engine.stateHash() === before;
    }),
    { numRuns: 30 },
  );
});

t.test('affordableAt is exact: payable at that millisecond, and not one before', async (t) => {
  let refusals = 0;
  fc.assert(
    fc.property(speed, wait, fc.integer({ min: 1, max: 10_000 }), (speedThousandths, waitMs, count) => {
      const story = new WorldStory({ speedThousandths });
      const home = firstPlanet(story.human());
      story.does(construct(home, 'shipyard'));
      story.advanceUntilIdle();
      story.advance(waitMs % HOUR_MS);
      const order = build(home, 'scout', count);
      const outcome = story.attempt(order);
      if (!('code' in outcome)) return true;
      refusals += 1;
      const { affordableAtMs } = outcome.facts;
      if (typeof affordableAtMs !== 'number' || affordableAtMs <= story.nowMs) return false;
      story.advanceTo(affordableAtMs - 1);
      if (story.refusal(order).facts.affordableAtMs !== affordableAtMs) return false;
      story.advance(1);
      return !('code' in story.attempt(order));
    }),
    { numRuns: 300 },
  );
  t.ok(refusals > 100, `${refusals} orders were refused at first`);
});

t.test('an order that production covers only after the last instant of world time is never affordable', async (t) => {
  const story = new WorldStory({ speedThousandths: 1 });
  const human = story.human();
  const colony = story.colony(human, firstPlanet(human));
  story.grant(colony, { iron: 200, silver: 100 });
  story.does(construct(colony, 'shipyard'));
  story.advanceUntilIdle();
  t.type(story.refusal(build(colony, 'scout', 1)).facts.affordableAtMs, 'number');
  t.equal(
    story.refusal(build(colony, 'transport', 10_000)).facts.affordableAtMs,
    null,
    '4,000,000 iron at 0.021 an hour',
  );
});

t.test('what costs more than a planet can hold is never affordable, although production would reach it', async (t) => {
  const ships = STANDARD_1.ships.map((rule) => ({ ...rule, cost: [1_000_000_000, 0, 0, 0, 0] as const }));
  const rules = ruleSetText({ ...STANDARD_1, name: 'dear', ships });
  const story = new WorldStory({ speedThousandths: 1_000_000_000, rules });
  const home = firstPlanet(story.human());
  story.does(construct(home, 'shipyard'));
  story.advanceUntilIdle();
  const scoutsMax = STOCK_UNITS_MAX / 1_000_000_000;
  t.equal(story.refusal(build(home, 'scout', scoutsMax + 1)).facts.affordableAtMs, null);
  const { affordableAtMs } = story.refusal(build(home, 'scout', scoutsMax)).facts;
  story.advanceTo(affordableAtMs ?? 0);
  story.does(build(home, 'scout', scoutsMax));
});

t.test('a full store holds STOCK_UNITS_MAX: anything beyond it is lost, production included', async (t) => {
  const { story, home } = openScene();
  const iron = () => stockThousandths(story.world, home, 0, story.nowMs);
  story.does(grant(home, { iron: STOCK_UNITS_MAX }));
  t.equal(iron(), STOCK_UNITS_MAX * 1000);
  story.does(grant(home, { iron: 5 }));
  story.advance(DAY_MS);
  t.equal(iron(), STOCK_UNITS_MAX * 1000, 'neither grants nor time add to it');

  story.does(upgrade(home, 'iron_mine'));
  t.equal(iron(), (STOCK_UNITS_MAX - 75) * 1000, 'spending starts from what is shown');
  story.does(cancelUpgrade(home, home.upgrade?.queueNumber ?? 0));
  t.equal(iron(), STOCK_UNITS_MAX * 1000);
  story.does(upgrade(home, 'iron_mine'));
  story.advance(1000);
  const hourly = hourlyThousandths(story.world, home, 0);
  t.equal(iron(), (STOCK_UNITS_MAX - 75) * 1000 + Math.floor(hourly / 3600), 'and production counts again');
});

t.test('a store that has been full for the longest time at the highest speed holds its maximum', async (t) => {
  const { story, home } = openScene({ speedThousandths: 1_000_000_000 });
  story.raise(home, 'iron_mine', 20);
  story.does(grant(home, { iron: STOCK_UNITS_MAX - 1 }));
  t.equal(stockThousandths(story.world, home, 0, WORLD_TIME_MS_MAX), STOCK_UNITS_MAX * 1000);
});

t.test('grants go to planets that have an owner', async (t) => {
  const { story, home, free } = openScene();
  const before = story.stocks(home);
  story.does(grant(home, { iron: 1, silver: 2, ember: 3, h2: 4, energy: 5 }));
  t.same(
    story.stocks(home),
    before.map((units, resource) => units + resource + 1),
  );
  t.equal(story.refusal(grant(NOWHERE, { iron: 1 })).code, 'planet_not_found');
  t.equal(story.refusal(grant(free, { iron: 1 })).code, 'not_owner');
});

t.test('energy can be neither shipped nor looted', async (t) => {
  const { story, home } = openScene();
  t.same(shippableUnits(story.world, home, story.nowMs), story.stocks(home).slice(0, 4));
});
