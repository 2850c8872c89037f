// Planets see the flights of others whose origin or target is in reach, on their way out and back, and nothing else.

import t from 'tap';
import { distanceBetween } from '../../../engine/map/universe.js';
import { seenFleets } from '../../../engine/queries/seen-fleets.js';
import { SIGHT_SYSTEMS_MAX } from '../../../engine/rules/limits.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import type { MissionName } from '../../../engine/terms/missions.js';
import type { Fleet } from '../../../engine/world/fleet-table.js';
import type { Planet } from '../../../engine/world/planet-table.js';
import { colonize, recall } from '../../support/command-words.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { SIGHTED } from '../../support/sighted-rules.js';
import { firstPlanet, loadRows, openScene, type Scene, WorldStory } from '../../support/world-story.js';

/** The distance of the farthest system that SIGHT_SYSTEMS_MAX lets planets see. */
const FARTHEST = 100 + 20 * SIGHT_SYSTEMS_MAX;
const rulesWith = (distancePerLevel: number) =>
  ruleSetText({ ...SIGHTED, sight: { ...SIGHTED.sight, distancePerLevel } });
const RULES = ruleSetText(SIGHTED);

const numbers = (fleets: readonly { readonly number: number }[]): number[] => fleets.map(({ number }) => number);

/** What the only planet of the bot sees. */
function seen({ story, bot, foreign }: Scene): number[] {
  return numbers(seenFleets(story.world, bot, [foreign]));
}

function send({ story, human, home }: Scene, to: { readonly key: number }, mission: MissionName = 'transport'): Fleet {
  return story.launch({ by: human, from: home, to, ships: { transport: 1, scout: 1 }, mission });
}

t.test(
  'without the research a planet sees nothing; with it, fleets on their way out and back, until they end',
  async (t) => {
    const scene = openScene({ rules: RULES });
    const { story, bot, free } = scene;
    const unseen = send(scene, free);
    t.same(seen(scene), [], 'level 0');
    story.advanceTo(unseen.returnsAtMs ?? 0);
    story.learn(bot, 'drive_ion');
    const fleet = send(scene, free);
    const second = send(scene, free);
    t.same(seen(scene), [fleet.number, second.number]);
    story.advanceTo(fleet.arrivesAtMs);
    t.equal(fleet.isReturning, true);
    t.same(seen(scene), [fleet.number, second.number], 'on their way back');
    story.advanceTo(second.returnsAtMs ?? 0);
    t.same(seen(scene), [], 'landed');
  },
);

t.test('a recalled fleet is seen with its return, and own fleets are not', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, bot, home, foreign } = scene;
  story.learn(bot, 'drive_ion');
  story.learn(human, 'drive_ion');
  const fleet = send(scene, foreign);
  story.advance(1_000);
  story.does(recall(human, fleet));
  t.match(seenFleets(story.world, bot, [foreign]), [{ recalledAtMs: story.nowMs, returnsAtMs: story.nowMs + 1_000 }]);
  t.same(seenFleets(story.world, human, [home]), [], 'its owner has it in its own list');
});

t.test('a fleet is seen if only its target is in reach, also on its way back', async (t) => {
  const scene = openScene({ rules: rulesWith(1) });
  const { story, human, bot, foreign } = scene;
  story.learn(bot, 'drive_ion');
  const fleet = send(scene, foreign);
  t.ok(fleet.distance > 1, 'the origin is out of reach');
  t.same(seen(scene), [fleet.number]);
  story.advanceTo(fleet.arrivesAtMs);
  t.same(seen(scene), [fleet.number], 'on its way back');
  story.advanceTo(fleet.returnsAtMs ?? 0);
  const elsewhere = send(scene, scene.free);
  t.ok(human.fleets.some(({ number }) => number === elsewhere.number));
  t.same(seen(scene), []);
});

t.test('a restored world sees the same', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, bot, foreign, free } = scene;
  story.learn(bot, 'drive_ion');
  const back = send(scene, foreign);
  story.advanceTo(back.arrivesAtMs);
  send(scene, free);
  const { world } = loadRows([...story.engine.rows()]);
  const [player, planet] = [world.players.get(bot.number), world.planets.get(foreign.key)];
  if (player === undefined || planet === undefined) throw new Error('the bot is gone');
  t.equal(seen(scene).length, 2);
  t.same(numbers(seenFleets(world, player, [planet])), seen(scene));
});

t.test('however far the rules let planets see, it is no more than SIGHT_SYSTEMS_MAX systems', async (t) => {
  const story = new WorldStory({ rules: rulesWith(100_000), systemsPerGalaxy: 60 });
  const [watcher, other] = [story.bot('watcher'), story.bot('other')];
  const home = firstPlanet(watcher);
  const { universe } = story.world;
  const { galaxy } = universe.positionOf(home.key);
  story.learn(watcher, 'drive_ion');
  story.learn(other, 'drive_hyper');
  const planets = [0, 30, 59].map((system) => colonyIn(story, other, galaxy, system));
  for (const planet of planets) story.equip(planet, { scout: 1 });
  const flights = planets.map((from) =>
    story.launch({ by: other, from, to: story.freeNeighbour(from), ships: { scout: 1 }, mission: 'transport' }),
  );
  const from = universe.positionOf(home.key);
  const inReach = flights.filter(({ originKey }) => {
    return distanceBetween(from, universe.positionOf(originKey)) <= FARTHEST;
  });
  t.ok(inReach.length < flights.length);
  t.same(numbers(seenFleets(story.world, watcher, [home])), numbers(inReach));
});

function colonyIn(story: WorldStory, player: ReturnType<WorldStory['bot']>, galaxy: number, system: number): Planet {
  const { universe, planets } = story.world;
  const key = universe.planetKeys(universe.systemKey(galaxy, system)).find((candidate) => !planets.has(candidate));
  if (key === undefined) throw new Error('the system is full');
  return story.does(colonize(player, { key }));
}

t.test('a planet sees exactly the flights of others that begin or end in reach', async (t) => {
  const story = new WorldStory({ rules: rulesWith(60) });
  const bots = ['one', 'two', 'three'].map((name) => story.bot(name));
  const [watcher] = bots;
  if (watcher === undefined) throw new Error('there are three bots');
  const home = firstPlanet(watcher);
  const { galaxy, system } = story.world.universe.positionOf(home.key);
  const systems = [0, 1, 2, 3].map((away) => (system + away) % story.world.settings.systemsPerGalaxy);
  const planets = bots.flatMap((bot) => systems.map((each) => colonyIn(story, bot, galaxy, each)));
  for (const planet of planets) story.equip(planet, { scout: 50 });
  story.learn(watcher, 'drive_ion', 3);
  const index = fc.nat(planets.length - 1);
  const steps = fc.array(fc.tuple(index, index, fc.nat(40)), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 3 }), (flights, watched) => {
      for (const [from, to, seconds] of flights) {
        const [origin, target] = [planets[from], planets[to]] as [Planet, Planet];
        if (origin !== target && origin.ships[0] !== 0)
          story.launch({ by: origin.owner, from: origin, to: target, ships: { scout: 1 }, mission: 'transport' });
        story.advance(1000 * seconds);
      }
      const { universe, fleets } = story.world;
      const eyes = watcher.planets.slice(0, watched);
      const isSeen = (key: number) =>
        eyes.some((eye) => distanceBetween(universe.positionOf(eye.key), universe.positionOf(key)) <= 180);
      const expected = [...fleets.values()]
        .filter(({ ownerNumber, originKey, targetKey }) => {
          return ownerNumber !== watcher.number && (isSeen(originKey) || isSeen(targetKey));
        })
        .map(({ number }) => number)
        .sort((one, other) => one - other);
      return String(numbers(seenFleets(story.world, watcher, eyes))) === String(expected);
    }),
    { numRuns: 30, seed: drawSeed(t) },
  );
});
