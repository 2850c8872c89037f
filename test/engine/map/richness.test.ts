// Planets differ in what they produce. How much is a function of the seed, and nobody starts luckier than another.

import t from 'tap';
import { richnessOf } from '../../../engine/map/richness.js';
import { isStarterPlace } from '../../../engine/map/starters.js';
import { Universe } from '../../../engine/map/universe.js';
import { hourlyThousandths } from '../../../engine/planets/stocks.js';
import { optionsOf } from '../../../engine/queries/options.js';
import { compileRichness } from '../../../engine/rules/parts.js';
import { CARGO_RESOURCE_COUNT, RESOURCES } from '../../../engine/rules/resources.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { colonize, secondStarter } from '../../support/command-words.js';
import { PARTS } from '../../support/parts-rules.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { HOUR_MS, loadRows, openScene, PLENTY, type WorldStory } from '../../support/world-story.js';

/** Shocks would change outputs, too. */
const { shocks: _, ...CALM } = PARTS;
const IRON_LEAN = [140, 60, 100, 100];
const SILVER_LEAN = [60, 140, 100, 100];
const BOUNDS = { percentMin: 50, percentMax: 200, starters: [IRON_LEAN, SILVER_LEAN] };
const SET = { ...STANDARD_1, name: 'uneven', richness: BOUNDS };
const RULES = ruleSetText(SET);
const RICHNESS = compiled(BOUNDS);
const AVERAGE = [100, 100, 100, 100];

function compiled(richness: typeof BOUNDS) {
  const rules = compileRichness({ ...STANDARD_1, richness });
  if (rules === null) throw new Error('the rules have richness');
  return rules;
}

/** All planets of the first systems of a universe. */
const planetsOf = (universe: Universe, systems: number): number[] =>
  Array.from({ length: systems }, (_, systemKey) => universe.planetKeys(systemKey)).flat();

const hourly = ({ world }: WorldStory, key: number, rules = world.rules): number[] => {
  const planet = world.planets.get(key);
  if (planet === undefined) throw new Error(`nobody owns ${key}`);
  return RESOURCES.map((_, resource) => hourlyThousandths(world, planet, resource, rules));
};

t.test('successive percentages have the same ratio, between the bounds and to the nearest whole number', async (t) => {
  const bounds = fc.tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 100, max: 1000 }));
  fc.assert(
    fc.property(bounds, ([percentMin, percentMax]) => {
      const { percents } = compiled({ ...BOUNDS, percentMin, percentMax });
      return percents.every((percent, step) => {
        const exact = percentMin * (percentMax / percentMin) ** (step / (percents.length - 1));
        return Number.isInteger(percent) && Math.abs(percent - exact) <= 0.5 + 1e-9;
      });
    }),
    { numRuns: 50, seed: drawSeed(t) },
  );
  const { percents } = RICHNESS;
  t.same([percents[0], percents[percents.length / 2 - 0.5], percents.at(-1)], [50, 100, 200]);
});

t.test('half is as frequent as double, for each resource by itself', async (t) => {
  const universe = new Universe(77, 100);
  const all = planetsOf(universe, 1000)
    .filter((key) => !isStarterPlace(universe, key))
    .map((key) => richnessOf(universe, key, RICHNESS));
  for (let resource = 0; resource < CARGO_RESOURCE_COUNT; resource += 1) {
    const percents = all.map((planet) => planet[resource] ?? 0);
    t.ok(percents.every((percent) => percent >= 50 && percent <= 200));
    const share = (from: number, to: number) =>
      percents.filter((percent) => percent >= from && percent < to).length / percents.length;
    // In each of four parts of the same ratio lies a quarter; the standard deviation is 0.4 %.
    for (const part of [share(50, 70.7), share(70.7, 100), share(100.1, 141.4), share(141.4, 201)]) {
      t.ok(Math.abs(part - 0.25) < 0.02, `${part}`);
    }
  }
  const both = all.filter(([iron = 0, silver = 0]) => iron > 100 && silver > 100).length / all.length;
  t.ok(Math.abs(both - 0.25) < 0.02, 'resources do not go together');
});

t.test('the starter planets of a system lean alike, and each lean is as frequent as the other', async (t) => {
  const universe = new Universe(77, 100);
  const leans = Array.from({ length: 1000 }, (_, systemKey) => {
    const starters = universe.planetKeys(systemKey).filter((key) => isStarterPlace(universe, key));
    const [first = [], ...others] = starters.map((key) => richnessOf(universe, key, RICHNESS));
    for (const other of others) t.same(other, first);
    return first.join();
  });
  const iron = leans.filter((lean) => lean === IRON_LEAN.join()).length;
  t.equal(iron + leans.filter((lean) => lean === SILVER_LEAN.join()).length, leans.length);
  // The standard deviation is 16.
  t.ok(Math.abs(iron - 500) < 80, `${iron}`);
});

t.test('all newcomers start on planets that lean, also beside colonies, and after others have retired', async (t) => {
  const { story } = openScene({ rules: RULES });
  const { universe, planets } = story.world;
  const leans = (key: number) =>
    t.ok([IRON_LEAN, SILVER_LEAN].some((lean) => lean.join() === richnessOf(universe, key, RICHNESS).join()));
  const bots = Array.from({ length: 60 }, (_, index) => story.bot(`early-${index}`));
  for (const bot of bots) story.does(secondStarter(bot));
  // A colonist takes every place of newcomers in the next systems, and the next newcomers go elsewhere.
  const [colonist, ...others] = bots;
  if (colonist === undefined) throw new Error('there are bots');
  for (const key of planetsOf(universe, 20)) {
    if (!planets.has(key) && isStarterPlace(universe, key)) story.does(colonize(colonist, { key }));
  }
  const retired = others.slice(0, 10).map(({ number }) => number);
  story.does({ type: 'retire_players', playerNumbers: retired });
  const late = Array.from({ length: 40 }, (_, index) => story.bot(`late-${index}`));
  for (const bot of [...others.slice(10), ...late]) for (const { key } of bot.planets) leans(key);
});

t.test('a planet produces exactly its share of what its buildings produce, with research on top', async (t) => {
  const { story, human, home } = openScene({ rules: ruleSetText({ ...CALM, richness: BOUNDS }) });
  const { universe, rules } = story.world;
  const plain = { ...rules, richness: null } as typeof rules;
  const keys = planetsOf(universe, 3)
    .filter((key) => !story.world.planets.has(key))
    .slice(0, 12);
  for (const key of keys) story.does(colonize(human, { key }));
  for (const bonusPercent of [0, 7]) {
    if (bonusPercent > 0) {
      const researchType = PARTS.research.findIndex(({ type }) => type === 'extraction');
      story.does({ type: 'start_research', playerNumber: human.number, researchType });
      story.advanceTo(human.research?.finishAtMs ?? 0);
    }
    for (const key of [home.key, ...keys]) {
      const percents = [...richnessOf(universe, key, RICHNESS), 100];
      const base = story.world.planets.get(key);
      const expected = rules.producers.map((producers, resource) => {
        const units = producers.reduce((sum, { type, unitsPerHour }) => {
          return sum + (unitsPerHour[base?.levelOf(type) ?? 0] ?? 0);
        }, 0);
        const raised = resource < 2 ? 100 + bonusPercent : 100;
        return Math.floor((units * 1000 * (percents[resource] ?? 0) * raised) / 10_000);
      });
      t.same(hourly(story, key), expected);
      const before = story.stocks(story.world.planets.get(key) ?? home);
      story.advance(HOUR_MS);
      const after = story.stocks(story.world.planets.get(key) ?? home);
      for (const [resource, thousandths] of expected.entries()) {
        const gained = (after[resource] ?? 0) - (before[resource] ?? 0);
        t.ok(Math.abs(gained - thousandths / 1000) < 1, `${gained} gained, ${thousandths} thousandths produced`);
      }
    }
  }
  t.ok(
    keys.some((key) => hourly(story, key).join() !== hourly(story, key, plain).join()),
    'some planets differ',
  );
});

t.test('an option names what a level and a research add on a planet of any richness', async (t) => {
  const { story, human, foreign } = openScene({ rules: ruleSetText({ ...CALM, richness: BOUNDS }) });
  const colony = story.colony(human, foreign);
  t.notSame(richnessOf(story.world.universe, colony.key, RICHNESS), AVERAGE);
  story.grant(colony, PLENTY);
  for (const action of ['upgrade', 'construct', 'research'] as const) {
    const options = optionsOf(story.world, colony).filter(
      ({ action: one, hourlyGain }) => one === action && hourlyGain.some((gain) => gain > 0),
    );
    t.ok(options.length > 0);
    for (const { type, hourlyGain } of options) {
      const before = hourly(story, colony.key);
      if (action === 'research') {
        story.does({ type: 'start_research', playerNumber: human.number, researchType: type });
        story.advanceTo(human.research?.finishAtMs ?? 0);
      } else {
        const name = action === 'upgrade' ? 'upgrade_building' : 'construct_building';
        story.does({ type: name, planetKey: colony.key, buildingType: type });
        story.advanceTo(colony.upgrade?.finishAtMs ?? 0);
      }
      for (const [resource, thousandths] of hourly(story, colony.key).entries()) {
        const gained = thousandths - (before[resource] ?? 0);
        t.ok(Math.abs(gained - (hourlyGain[resource] ?? 0)) <= 1, 'but for the rounding of each');
      }
    }
  }
});

t.test('a restored world and one that is switched to other rules produce what the seed says', async (t) => {
  const { story, human, home } = openScene();
  const colony = story.colony(human, home);
  const free = planetsOf(story.world.universe, 5).find(
    (key) => !story.world.planets.has(key) && !isStarterPlace(story.world.universe, key),
  );
  story.does(colonize(human, { key: free ?? -1 }));
  const keys = [home.key, colony.key, free ?? -1];
  const before = keys.map((key) => hourly(story, key));
  const stocks = keys.map((key) => story.stocks(story.world.planets.get(key) ?? home));
  for (const percentMax of [200, 300]) {
    const richness = { ...BOUNDS, percentMax };
    story.does({ type: 'switch_rules', rules: ruleSetText({ ...SET, richness }) });
    for (const [place, key] of keys.entries()) {
      const percents = [...richnessOf(story.world.universe, key, compiled(richness)), 100];
      const expected = before[place]?.map((thousandths, resource) =>
        Math.floor((thousandths * (percents[resource] ?? 0)) / 100),
      );
      t.same(hourly(story, key), expected);
      t.same(story.stocks(story.world.planets.get(key) ?? home), stocks[place], 'what was produced before stays');
    }
    const copy = loadRows([...story.engine.rows()]);
    t.equal(copy.stateHash(), story.engine.stateHash());
    for (const key of keys) {
      const planet = copy.world.planets.get(key);
      t.same(
        planet === undefined ? [] : RESOURCES.map((_, resource) => hourlyThousandths(copy.world, planet, resource)),
        hourly(story, key),
      );
    }
  }
});
