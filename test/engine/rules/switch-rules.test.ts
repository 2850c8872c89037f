// A world that is switched to another rule set: no player gains or loses anything, and the world is recovered unchanged
// from its log and from its rows.

import t from 'tap';
import type { Engine } from '../../../engine/engine.js';
import type { WorldEvent } from '../../../engine/events/kinds.js';
import { allUnits } from '../../../engine/planets/stocks.js';
import { type RuleSet, ruleSetText } from '../../../engine/rules/rule-set.js';
import { STANDARD_2_RULES } from '../../../engine/rules/shipped.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import type { Planet } from '../../../engine/world/planet-table.js';
import { anyMoves, playAudited } from '../../support/audited-play.js';
import { buildingIndex, launch, recall } from '../../support/command-words.js';
import { CUSTOM, CUSTOM_RULES } from '../../support/custom-rules.js';
import { Ledger } from '../../support/ledger.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { settleBots } from '../../support/random-play.js';
import {
  DAY_MS,
  firstPlanet,
  loadRows,
  openScene,
  replay,
  SECOND_MS,
  WorldStory,
  written,
} from '../../support/world-story.js';

const moves = anyMoves({ minLength: 20, maxLength: 120 });

/** All that planets hold, by planet. */
function stocksOf(story: WorldStory): string {
  return JSON.stringify([...story.world.planets.values()].map((planet) => [planet.key, story.stocks(planet)]));
}

t.test('a switch in mid-game changes no stock, and the world is the same from its log and from its rows', async (t) => {
  let built = 0;
  fc.assert(
    fc.property(fc.nat(1000), moves, moves, (seed, before, after) => {
      const story = new WorldStory({ seed, systemsPerGalaxy: 2 });
      const ledger = new Ledger(story);
      settleBots(story, 6);
      playAudited(ledger, before);
      // Timers that are due at this same instant come first.
      ledger.advanceTo(story.nowMs);
      const [stocks, timers] = [stocksOf(story), story.world.timers.size];
      if (!ledger.attempt({ type: 'switch_rules', rules: CUSTOM_RULES.text }))
        throw new Error('the switch was refused');
      if (stocksOf(story) !== stocks) throw new Error('stocks have changed');
      if (story.world.timers.size !== timers) throw new Error('timers have changed');
      // The books go on: what was paid by the old rules is refunded as it was paid.
      playAudited(ledger, after);
      for (const engine of [loadRows(written([...story.engine.rows()])), replay(written(story.entries))]) {
        if (engine.stateHash() !== story.engine.stateHash()) throw new Error('the worlds differ');
        if (engine.world.rules.text !== CUSTOM_RULES.text) throw new Error('the rules differ');
        const points = ({ world }: Pick<Engine, 'world'>) =>
          String([...world.players.values()].map(({ points }) => points));
        if (points(engine) !== points(story.engine)) throw new Error('the points differ');
      }
      const newTypes = [...story.world.planets.values()].filter(
        ({ levels, ships }) => (levels.at(-1) ?? 0) + (ships.at(-1) ?? 0) > 0,
      );
      built += newTypes.length;
    }),
    { numRuns: 30, seed: drawSeed(t), endOnFailure: true },
  );
  t.ok(built > 0, `${built} planets have buildings or ships of the new types`);
});

t.test('upgrades and orders under way keep their end, and the new costs apply from then on', async (t) => {
  const story = new WorldStory();
  settleBots(story, 1);
  const home = story.world.players.get(1)?.planets[0];
  if (home === undefined) throw new Error('there is no planet');
  const [ironMine, fighter] = [1, 1];
  story.does({ type: 'upgrade_building', planetKey: home.key, buildingType: ironMine });
  story.does({ type: 'build_ships', planetKey: home.key, shipType: fighter, count: 2 });
  const ends = (): unknown => {
    const planet = story.world.planets.get(home.key);
    return [planet?.upgrade?.finishAtMs, planet?.orders.map(({ finishAtMs }) => finishAtMs)];
  };
  const before = ends();
  story.does({ type: 'switch_rules', rules: CUSTOM_RULES.text });
  t.same(ends(), before);
  const planet = story.world.planets.get(home.key);
  t.equal(planet?.levels.length, CUSTOM.buildings.length);
  t.equal(planet?.ships.length, CUSTOM.ships.length);
  const destroyer = CUSTOM.ships.length - 1;
  const refused = story.refusal({ type: 'build_ships', planetKey: home.key, shipType: destroyer, count: 1 });
  t.equal(refused.code, 'other_ship_in_production', 'the new ship is known');
});

t.test('fleets under way keep ships and cargo, and new ones may have ships of the new types', async (t) => {
  const { story, human, home, foreign } = openScene();
  const words = { by: human, from: home, to: foreign, mission: 'transport', cargo: { iron: 30 } } as const;
  story.launch({ ...words, ships: { scout: 1, transport: 1 } });
  const recalled = story.launch({ ...words, ships: { fighter: 2, transport: 2 } });
  const { arrivesAtMs } = story.launch({ ...words, ships: { transport: 1 } });
  story.advance(SECOND_MS);
  story.does(recall(human, recalled));
  // Its fleet is back at once, and the next fleet gets its row.
  story.advance(SECOND_MS);
  const seen = () => {
    const fleets = story.world.players.get(human.number)?.fleets ?? [];
    return fleets.map(({ number, ships, cargo, returnsAtMs }) => ({ number, ships, cargo, returnsAtMs }));
  };
  const before = seen();
  story.does({ type: 'switch_rules', rules: CUSTOM_RULES.text });
  t.same(
    seen(),
    before.map((fleet) => ({ ...fleet, ships: [...fleet.ships, 0] })),
  );
  const destroyer = CUSTOM.ships.length - 1;
  (story.world.planets.get(home.key) as Planet).setShipCount(destroyer, 3);
  const ships = CUSTOM.ships.map((_, type) => (type === destroyer ? 3 : 0));
  story.does({ ...launch({ ...words, ships: {} }), ships, cargo: [0, 0, 0, 0] });
  t.same(seen().at(-1)?.ships, ships);
  for (const engine of [loadRows(written([...story.engine.rows()])), story.engine]) {
    engine.apply(arrivesAtMs + DAY_MS, { type: 'advance_time' });
    const planet = engine.world.planets.get(home.key);
    t.same(planet?.ships, [20, 20, 5, 2, 3], 'all are home again');
  }
});

t.test('a cancellation gives back what was paid, whatever the rules say by then', async (t) => {
  const story = new WorldStory();
  const player = story.human();
  const { key } = firstPlanet(player);
  story.does({ type: 'upgrade_building', planetKey: key, buildingType: buildingIndex('zentrale') });
  story.does({ type: 'switch_rules', rules: STANDARD_2_RULES.text });
  const queueNumber = story.world.lastQueueNumber;
  for (const engine of [loadRows(written([...story.engine.rows()])), replay(story.entries), story.engine]) {
    const stocks = (): number[] => allUnits(engine.world, engine.world.planets.get(key) as Planet, story.nowMs);
    const before = stocks();
    const events: WorldEvent[] = [];
    engine.apply(story.nowMs, { type: 'cancel_building', planetKey: key, queueNumber }, events);
    const refund = stocks().map((units, resource) => units - (before[resource] ?? 0));
    t.same(refund, [125, 62, 0, 0, 0], 'and not the 390 iron, 195 silver and 117 energy of the new rules');
    t.match(events, [{ kind: 'building_cancelled', refund }]);
  }
});

t.test('rules that the world could not continue with are refused, and nothing changes', async (t) => {
  const story = new WorldStory();
  settleBots(story, 2);
  const cases: readonly (readonly [string, RuleSet, RegExp])[] = [
    ['the same rules', STANDARD_1, /already uses these rules/],
    ['one ship less', { ...CUSTOM, ships: CUSTOM.ships.toSpliced(1, 1) }, /^\/ships\/1 must be fighter/],
    ['buildings in another order', { ...CUSTOM, buildings: CUSTOM.buildings.toReversed() }, /^\/buildings\/0 must be/],
    ['one drive less', { ...CUSTOM, drives: CUSTOM.drives.slice(0, 1) }, /^\/drives\/1 must be ion/],
    [
      'research in another order',
      { ...CUSTOM, research: CUSTOM.research.toReversed() },
      /^\/research\/0 must be drive_ion/,
    ],
    ['fewer starters', { ...CUSTOM, starter: { ...CUSTOM.starter, perPlayerMax: 1 } }, /^\/starter\/perPlayerMax/],
  ];
  for (const [name, set, reason] of cases) {
    const { code, facts } = story.refusal({ type: 'switch_rules', rules: ruleSetText(set) });
    t.equal(code, 'rules_not_compatible', name);
    t.match(facts.reason, reason, name);
  }
});

t.test('the rules are part of the state', async (t) => {
  t.not(new WorldStory({ rules: CUSTOM_RULES.text }).engine.stateHash(), new WorldStory().engine.stateHash());
});

t.test('the digest of a rule set does not depend on the order of its fields', async (t) => {
  const shuffled = Object.fromEntries(Object.entries(CUSTOM).reverse()) as unknown as RuleSet;
  t.equal(ruleSetText(shuffled), CUSTOM_RULES.text);
});
