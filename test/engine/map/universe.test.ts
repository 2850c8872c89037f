// The universe: what is derived from the seed, how planets are named, and the distances between them.

import t from 'tap';
import { STAR_TYPES } from '../../../engine/map/stars.js';
import { distanceBetween, Universe } from '../../../engine/map/universe.js';
import { viewSystem } from '../../../engine/queries/galaxy.js';
import { ROW_KINDS } from '../../../engine/rows/world-rows.js';
import { SYSTEMS_PER_GALAXY_DEFAULT, SYSTEMS_PER_GALAXY_MAX } from '../../../engine/rules/limits.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import {
  buildingId,
  fleetId,
  parseFleetId,
  parsePlanetId,
  parsePlayerId,
  parseQueueId,
  planetId,
  playerId,
  queueId,
  reportId,
  researchId,
} from '../../../engine/terms/ids.js';
import { Lineages } from '../../../engine/terms/lineages.js';
import fc from '../../support/properties.js';
import { firstPlanet, openScene, WorldStory } from '../../support/world-story.js';

/** Ids of players are those of a world that was never restored or forked; see lineages.test.ts. */
const FRESH = { lineages: new Lineages(), rules: STANDARD_1_RULES };
const GALAXIES = 100;
const systemKeys = (universe: Universe): number[] => [...Array(GALAXIES * universe.systemsPerGalaxy).keys()];

t.test('each system has 10 to 30 planets, on slots 1 to 30, each slot once', async (t) => {
  const universe = new Universe(1, 30);
  const counts = new Set<number>();
  for (const systemKey of systemKeys(universe)) {
    const slots = universe.planetKeys(systemKey).map((key) => universe.positionOf(key).slot);
    const isRight = slots.every((slot, index) => slot > (slots[index - 1] ?? 0) && slot <= 30);
    if (!isRight || slots.length !== universe.planetCount(systemKey)) t.fail(`slots ${slots}`);
    counts.add(slots.length);
  }
  t.same(
    [...counts].sort((a, b) => a - b),
    Array.from({ length: 21 }, (_, index) => index + 10),
    'every number from 10 to 30 occurs, and no other',
  );
});

t.test('about 600,000 planets exist by default', async (t) => {
  const universe = new Universe(1, SYSTEMS_PER_GALAXY_DEFAULT);
  let planets = 0;
  for (const systemKey of systemKeys(universe)) planets += universe.planetCount(systemKey);
  t.ok(Math.abs(planets - 600_000) < 6000, `${planets} planets`);
});

t.test('the same seed gives the same universe, another seed another one', async (t) => {
  const tell = (seed: number): string => {
    const universe = new Universe(seed, 2);
    const systems = systemKeys(universe).map((key) => [
      universe.planetKeys(key),
      universe.star(key),
      universe.planetName(key * 30),
    ]);
    return JSON.stringify(systems);
  };
  const once = tell(7);
  t.ok(once === tell(7));
  t.ok(once !== tell(8));
  t.ok(once !== tell(7 + 2 ** 32), 'all bits of the seed count');
});

t.test('the order in which systems are read changes nothing', async (t) => {
  const forwards = new Universe(3, 10);
  const backwards = new Universe(3, 10);
  const first = systemKeys(forwards).map((key) => forwards.planetKeys(key));
  const last = systemKeys(backwards)
    .reverse()
    .map((key) => backwards.planetKeys(key));
  t.same(first, last.reverse());
});

t.test('a star has a name, a spectral type and a temperature of that type', async (t) => {
  const universe = new Universe(1, 10);
  const types = new Set<string>();
  for (const systemKey of systemKeys(universe)) {
    const { name, type, temperature } = universe.star(systemKey);
    const rule = STAR_TYPES.find((row) => row.type === type);
    const isRight = rule !== undefined && temperature >= rule.coolestKelvin && temperature <= rule.hottestKelvin;
    if (!isRight || !/^[A-Z][a-z]+ \d+$/.test(name)) t.fail(`${name}, ${type}, ${temperature} K`);
    types.add(type);
  }
  t.equal(types.size, STAR_TYPES.length, 'all types occur');
});

t.test('the view of a system shows all of its planets, and reading it changes nothing', async (t) => {
  const { story, human, bot, home, foreign } = openScene();
  const { universe } = story.world;
  const before = story.engine.stateHash();
  const { galaxy, system } = universe.positionOf(home.key);
  const view = viewSystem(story.world, galaxy, system);
  t.equal(view?.planets.length, universe.planetCount(universe.systemKey(galaxy, system)));
  t.same(view?.star, universe.star(universe.systemKey(galaxy, system)));
  const owners = view?.planets.flatMap(({ planet }) => (planet === undefined ? [] : [planet.owner.name]));
  t.same(owners?.sort(), [human.name, bot.name].sort(), 'all others have no owner');
  t.equal(view?.changedSeq, Math.max(home.changedSeq, foreign.changedSeq));
  t.equal(viewSystem(story.world, 50, 5)?.changedSeq, 0, 'an untouched system has never changed');
  for (const [galaxy, system] of [
    [0, 1],
    [101, 1],
    [1, -1],
    [1, 10],
    [1.5, 1],
    [Number.NaN, 1],
  ] as const) {
    t.equal(viewSystem(story.world, galaxy, system), undefined, `there is no system ${system} in galaxy ${galaxy}`);
  }
  t.equal(story.engine.stateHash(), before);
});

t.test('a planet id names its planet, in worlds of every size', async (t) => {
  const system = fc.integer({ min: 0, max: SYSTEMS_PER_GALAXY_MAX - 1 });
  const universe = new Universe(1, SYSTEMS_PER_GALAXY_MAX);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: GALAXIES }),
      system,
      fc.integer({ min: 1, max: 30 }),
      (galaxy, system, slot) => {
        const id = `planet-${galaxy}-${system}-${slot}`;
        const key = parsePlanetId(universe, id);
        const exists = universe.hasPlanet(universe.systemKey(galaxy, system), slot);
        if (key < 0) return !exists;
        const { galaxy: g, system: s, slot: p } = universe.positionOf(key);
        return (
          exists &&
          universe.holds(key) &&
          planetId(universe, key) === id &&
          `${g} ${s} ${p}` === `${galaxy} ${system} ${slot}`
        );
      },
    ),
  );
  t.pass('each id of a planet that exists comes back');
});

t.test('a text that is not the one spelling of an id names nothing', async (t) => {
  const story = new WorldStory();
  const { universe } = story.world;
  const home = planetId(universe, firstPlanet(story.human()).key);
  t.not(parsePlanetId(universe, home), -1);
  const [, galaxy, system, slot] = home.split('-');
  for (const text of [
    '',
    'planet',
    'planet-',
    home.toUpperCase(),
    ` ${home}`,
    `${home} `,
    `${home}\n`,
    `${home}-1`,
    home.replace('planet', 'player'),
    `planet-0${galaxy}-${system}-${slot}`,
    `planet-${galaxy}-0${system}-${slot}`,
    `planet-${galaxy}-${system}-0${slot}`,
    `planet-${galaxy}-${system}-${slot}.0`,
    `planet-101-${system}-${slot}`,
    `planet-0-${system}-${slot}`,
    `planet-${galaxy}-10-${slot}`,
    `planet-${galaxy}-${system}-31`,
    `planet-${galaxy}-${system}-0`,
    'planet-1--1-1',
    'planet-1e1-1-1',
  ]) {
    t.equal(parsePlanetId(universe, text), -1, JSON.stringify(text));
  }
  for (const [parse, prefix] of [
    [(text: string) => parsePlayerId(FRESH, text), 'player'],
    [parseFleetId, 'fleet'],
    [parseQueueId, 'queue'],
  ] as const) {
    for (const rest of ['', '0', '01', '-1', '1.0', '1e3', '+1', ' 1', '1 ', '1\n', '１', '1234567890123456']) {
      t.equal(parse(`${prefix}-${rest}`), -1, JSON.stringify(`${prefix}-${rest}`));
    }
    t.equal(parse('17'), -1);
    t.equal(parse('other-17'), -1);
  }
});

t.test('players, fleets, queue entries and reports have ids of their own', async (t) => {
  t.same(
    [playerId(FRESH, 17), fleetId(17), queueId(17), reportId(17)],
    ['player-17', 'fleet-17', 'queue-17', 'report-17'],
  );
  t.same([parsePlayerId(FRESH, 'player-17'), parseFleetId('fleet-17'), parseQueueId('queue-17')], [17, 17, 17]);
  t.equal(parsePlayerId(FRESH, playerId(FRESH, 999_999_999_999_999)), 999_999_999_999_999);
  t.equal(buildingId(STANDARD_1_RULES, 'planet-1-2-3', 1), 'planet-1-2-3.iron_mine');
  t.equal(researchId(FRESH, 17, 0), 'player-17.drive_ion');
});

t.test('an untouched planet takes no memory', async (t) => {
  const story = new WorldStory();
  story.human();
  const { universe, planets } = story.world;
  for (const systemKey of systemKeys(new Universe(1, 10)))
    for (const key of universe.planetKeys(systemKey)) universe.planetName(key);
  t.equal(planets.size, 1);
  t.equal([...story.engine.rows()].filter(([kind]) => kind === ROW_KINDS.planet).length, 1);
});

t.test('distances are linear in slots, systems and galaxies, and the same in both directions', async (t) => {
  const at = (galaxy: number, system: number, slot: number) => ({ galaxy, system, slot });
  const rows = [
    [at(1, 5, 3), at(1, 5, 3), 0],
    [at(1, 5, 3), at(1, 5, 4), 5],
    [at(1, 5, 1), at(1, 5, 30), 145],
    [at(1, 5, 1), at(1, 6, 1), 120],
    [at(1, 5, 1), at(1, 6, 30), 120],
    [at(1, 0, 1), at(1, 299, 1), 6080],
    [at(1, 5, 1), at(2, 5, 1), 2600],
    [at(1, 0, 1), at(2, 299, 30), 2600],
    [at(1, 5, 1), at(100, 5, 1), 51_600],
  ] as const;
  for (const [from, to, distance] of rows) {
    t.same([distanceBetween(from, to), distanceBetween(to, from)], [distance, distance]);
  }
});
